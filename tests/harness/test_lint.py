"""Lint: what it finds in tasks on the toy, each time with the place and the edit that helps."""

from __future__ import annotations

import importlib.util
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from fakes.core.people import Person
from fakes.core.seeding import Seed
from harness.environment import Environment
from harness.evidence import End
from harness.guards import Along
from harness.lint import lint_environment
from harness.proof import TaskProof
from harness.qualify import prove_environment
from harness.rails import Actor
from harness.task import Task
from tests.harness.toy import SERVICES, Box, Facts, seed
from tests.harness.toy_tasks import LOGGED, environment, post, put_a_box

HERE = "tests/harness/test_lint.py:"


async def prove(task: Task) -> TaskProof:
    return (await prove_environment(task.env, [task], services=SERVICES, quick=True)).tasks[0]


def a_task(**changes: Any) -> Task:
    given: dict[str, Any] = {
        "slug": "t", "surface": "api", "route": "POST /api/boxes", "writes": {Box},
        "along": {"toy_log": LOGGED}, "actors": {"desk": "mira"}, "instruction": "Put {label} there.",
    }  # fmt: skip
    task = environment().task(**{**given, **changes})
    task.subject(Box, "one-box", lambda row, facts: row.label == facts.label)

    @task.reference
    async def honest(desk: Actor, facts: Facts) -> None:
        await post(desk, facts)

    return task


async def test_a_sound_task_gets_no_warning() -> None:
    proof = await prove(put_a_box(environment()))
    assert proof.problems == proof.warnings == []


# dates


@pytest.mark.parametrize(
    "date", ["2025-10-21", "October 21", "21 October", "the 21st of October", "Oct. 21", "10/21/2025"]
)
async def test_a_literal_date_in_an_instruction_is_told(date: str) -> None:
    [warning] = (await prove(a_task(instruction="Put {label} there by " + date + "."))).warnings
    assert warning.startswith(HERE)
    assert "the instruction has the literal date" in warning
    assert warning.endswith("make it a fact of the seed, w.day(-5), and write {fact:%Y-%m-%d} here.")


async def test_what_only_looks_like_a_date_is_none() -> None:
    text = "You may put 12 boxes there at 09:30, or 10-21 of them; write YYYY-MM-DD for {due:%Y-%m-%d}."
    assert (await prove(a_task(instruction=text))).warnings == []


def that_day() -> str:
    return "2025-10-21"


async def test_a_literal_date_in_a_guard_or_what_it_calls_is_told() -> None:
    task = a_task()

    @task.guard
    def not_that_day(box: Box) -> None:
        """It is not due on 2025-10-20, as docstrings may say."""
        assert str(box.due) != that_day()

    @task.guard
    def nor_that_one(end: End) -> None:
        """It is due on another day."""
        assert all(str(box.due) != "2025-10-22" for box in end.new(Box))

    called, own = (await prove(task)).warnings
    for warning, date in ((called, "2025-10-21"), (own, "2025-10-22")):
        assert f"a guard has the literal date '{date}', wrong on every other day; compare with a" in warning
        line = int(warning.removeprefix(HERE).partition(":")[0])
        assert date in Path(__file__).read_text().splitlines()[line - 1]


def test_literal_dates_in_a_seed_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "seed_of_lint.py"
    file.write_text(
        '"""A world of 2025-10-21."""\nfrom datetime import date\n\n'
        'def seed(w):\n    """Fills it."""\n    return date(2025, 10, 21), "2025-10-22"\n'
    )
    spec = importlib.util.spec_from_file_location("seed_of_lint", file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    env = Environment(name="Toy", product="toy", facts=Facts, seed=module.seed, slug="toy")
    monkeypatch.setitem(sys.modules, "seed_of_lint", module)
    found = [flaw.sentence for flaw in lint_environment(env) if flaw.level == "likely"]
    assert [said.partition(", wrong")[0] for said in found] == [
        f"{file}:6: the seed has the literal date 'date(2025, 10, 21'",
        f"{file}:6: the seed has the literal date '2025-10-22'",
    ]


# guards


async def test_a_guard_that_reads_nothing_fails_the_proof() -> None:
    task = a_task()

    @task.guard
    def always() -> None:
        """It is as it is."""
        assert True

    @task.guard
    def of_facts(end: End, box: Box, facts: Facts) -> None:
        """The seed is as it is."""
        assert end.now and facts.label == "Lamps", f"{box is None}"

    proof = await prove(task)
    none, facts_alone = proof.problems
    assert not proof.held
    assert "guard always asks for no argument, so nothing can make it refuse; assert something of" in none
    assert "guard of-facts reads no row, column, request or answer, so nothing can make it" in facts_alone
    assert none.startswith(f"toy/t: {HERE}")


async def test_asking_is_reading_whatever_there_is() -> None:
    task = a_task()

    @task.guard
    def none_is_gone(end: End) -> None:
        """No box was taken away."""
        assert not end.gone(Box)

    @task.guard
    def written(box: Box, end: End) -> None:
        """Somebody put it there."""
        assert end.writer(box) is not None

    @task.guard
    def another_one(box: Box, facts: Facts) -> None:
        """It is not the old one."""
        assert box != facts.old

    assert (await prove(task)).problems == []


async def test_asserts_without_a_message_are_noted() -> None:
    proof = await prove(put_a_box(environment()))
    [note] = [note for note in proof.notes if "guard weighed" in note]
    assert note.endswith(
        'guard weighed does not say what it found; write a message: assert …, f"it is {…!r}".'
    )
    assert not any("due-that-day" in note for note in proof.notes)


async def test_a_pristine_row_that_fits_a_subject_is_noted() -> None:
    task = a_task(slug="another-old-one")
    task.subject(Box, "none", lambda row, facts: row.label in ("Old", facts.label), name="any_box")
    proof = await prove(task)
    assert not any(
        "fits the subject" in note for note in proof.notes
    )  # every pristine row does: any is meant

    def seed_two(w: Seed) -> Facts:
        facts = seed(w)
        w.insert(Box(**{**facts.old.__dict__, "id": "box_lamps", "label": "Lamps"}))
        return facts

    task = put_a_box(Environment(name="Toy", product="toy", facts=Facts, seed=seed_two, slug="toy"))
    [note] = [note for note in (await prove(task)).notes if "fits the subject" in note]
    assert note.startswith("tests/harness/toy_tasks.py:")
    assert "the pristine toy_boxes box_lamps fits the subject 'box'; narrow its where" in note


# cheats and actors


async def test_a_guard_in_also_that_does_not_refuse_is_told() -> None:
    task = put_a_box(environment())

    @task.guards["weighed"].cheat(also={"logged-once": "there is no line for it"})
    async def a_box_of_nothing(desk: Actor, facts: Facts) -> None:
        """Puts it there without a weight, through the product."""
        await post(desk, facts, weight=None)

    [warning] = (await prove(task)).warnings
    assert warning.startswith(HERE)
    assert warning.endswith("logged-once does not refuse cheat a-box-of-nothing; delete it from also=.")


async def test_an_actor_that_nobody_plays_is_told() -> None:
    task = a_task(actors={"desk": "mira", "idler": "mira"})
    [warning] = (await prove(task)).warnings
    assert warning.endswith("no play of t has the actor 'idler'; delete it from actors=.")

    @task.guards["one-box"].cheat
    async def by_the_idler(idler: Actor) -> None:
        """Does nothing."""

    proof = await prove(task)
    assert proof.warnings == []
    assert any("only cheats of t play the actor 'idler'" in note for note in proof.notes)


# along


async def test_an_along_that_lets_more_pass_than_is_done_is_told() -> None:
    task = a_task(along={"toy_log": "the log"})
    [warning] = (await prove(task)).warnings
    assert warning.endswith(
        'along= lets more of toy_log change than the reference does; write Along("the log", operation="new").'
    )


async def test_an_along_of_what_never_changes_is_told() -> None:
    task = a_task(along={"toy_log": LOGGED, "people": Along("who moves", operation="changed")})
    [warning] = (await prove(task)).warnings
    assert warning.endswith("nothing of people changes in the reference; delete it from along=.")


async def test_columns_and_the_row_of_a_fact_are_named() -> None:
    task = environment().task(
        slug="close-it", surface="api", route="POST /api/boxes/{id}/close", writes={Box},
        along={"toy_boxes": Along("weighed by the way", columns=("weight", "due"), operation="changed")},
        actors={"desk": "mira"}, instruction="Close {old.label}.",
    )  # fmt: skip
    task.subject(Box, "closed", lambda row, facts: row.id == facts.old.id, changed=("closed_at",))

    @task.reference
    async def honest(desk: Actor, facts: Facts) -> None:
        await desk.post(f"/api/boxes/{facts.old.id}/close", json={"weight": 5})

    @task.variant
    async def without_weighing(desk: Actor, facts: Facts) -> None:
        await desk.post(f"/api/boxes/{facts.old.id}/close")

    [warning] = (await prove(task)).warnings
    assert warning.endswith(
        "along= lets more of toy_boxes change than any of 2 honest plays does; write "
        'Along("weighed by the way", operation="changed", columns=("weight",), '
        "where=lambda row, facts: row.id == facts.old.id)."
    )


# facts


@dataclass(frozen=True)
class Cluttered:
    """Facts, one of which nobody reads."""

    mira: Person
    label: str
    dust: str


def test_a_fact_that_nobody_reads_is_noted() -> None:
    def seed_more(w: Seed) -> Cluttered:
        facts = seed(w)
        return Cluttered(facts.mira, facts.label, "dust")

    env = Environment(name="Toy", product="toy", facts=Cluttered, seed=seed_more, slug="toy")
    env.task(
        slug="t", surface="api", route="POST /api/boxes", writes={Box}, actors={"desk": "mira"},
        instruction="Put {label} there.",
    )  # fmt: skip
    [flaw] = [flaw for flaw in lint_environment(env) if flaw.level == "note"]
    assert flaw.sentence.startswith(HERE)
    assert flaw.sentence.endswith("no text, guard or play reads the fact 'dust'; take it out.")
