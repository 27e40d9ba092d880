"""Generated cheats of facts, people and stamps: refused where guards hold, escaped where they do not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from fakes.core.seeding import Seed
from fakes.core.service import Account, Service
from fakes.core.world import World
from harness.environment import Environment
from harness.evidence import End
from harness.exchanged import exchanged
from harness.guards import TaskError
from harness.proof import Generated, TaskProof
from harness.qualify import attempts_on, prove_environment
from harness.rails import Actor
from harness.task import Task
from tests.harness import toy
from tests.harness.toy import SERVICES, Box, Entry, Facts
from tests.harness.toy_tasks import LOGGED, environment, post, put_a_box


def with_accounts(*emails: str) -> dict[str, Service]:
    def accounts(world: World) -> list[Account]:
        return [Account(email) for email in emails]

    return {"toy": replace(SERVICES["toy"], accounts=accounts)}


async def prove(task: Task, services: dict[str, Service] = SERVICES) -> TaskProof:
    return (await prove_environment(task.env, [task], services=services)).tasks[0]


def of_kind(proof: TaskProof, kind: str) -> list[Generated]:
    return [generated for generated in proof.generated if generated.kind == kind]


def loose_task(**changes: Any) -> Task:
    """A task whose guards look at the label alone."""
    given: dict[str, Any] = {
        "slug": "loose", "surface": "api", "route": "POST /api/boxes", "writes": {Box},
        "along": {"toy_log": LOGGED}, "actors": {"desk": "mira"}, "instruction": "Put {label} there.",
    }  # fmt: skip
    task = environment().task(**{**given, **changes})
    task.subject(Box, "one-box", lambda row, facts: row.label == facts.label)

    @task.reference
    async def honest(desk: Actor, facts: Facts) -> None:
        await post(desk, facts)

    return task


# neighbours


async def test_a_fact_taken_for_its_neighbour_is_refused() -> None:
    task = put_a_box(environment())
    task.neighbours["due"] = "old.due"
    proof = await prove(task)
    [found] = of_kind(proof, "neighbour")
    assert (found.name, found.outcome) == ("old.due taken for due", "refused")
    assert found.refused == {"due-that-day"}
    assert proof.problems == proof.warnings == []


async def test_a_neighbour_that_no_guard_tells_apart_escapes() -> None:
    proof = await prove(loose_task(neighbours={"due": "old.due"}))
    assert [found.outcome for found in of_kind(proof, "neighbour")] == ["escaped"]
    assert proof.problems == [
        "toy/loose: ESCAPED: old.due taken for due, and the task passes; a guard must notice."
    ]


async def test_a_neighbour_that_the_reference_never_reads_is_told() -> None:
    proof = await prove(loose_task(neighbours={"mira.name": "mira.zone"}))
    assert [found.outcome for found in of_kind(proof, "neighbour")] == ["harmless"]
    [warning] = proof.warnings
    assert warning.startswith("tests/harness/test_generated.py:")
    assert warning.endswith(
        "neighbours= exchanges 'mira.name' and 'mira.zone', and the reference does what it did; name a fact "
        "that it reads."
    )


async def test_a_neighbour_on_which_the_reference_breaks_is_told() -> None:
    task = environment().task(
        slug="looks-up", surface="api", route="POST /api/boxes", writes={Box}, along={"toy_log": LOGGED},
        actors={"desk": "mira"}, instruction="Put {label} there.", neighbours={"label": "old.label"},
    )  # fmt: skip
    task.subject(Box, "one-box", lambda row, facts: row.label == facts.label)

    @task.reference
    async def honest(desk: Actor, facts: Facts) -> None:
        await desk.post("/api/boxes", json={"label": {"Lamps": "Lamps"}[facts.label]})

    proof = await prove(task)
    assert [found.outcome for found in of_kind(proof, "neighbour")] == ["refused"]
    [warning] = proof.warnings
    assert "with 'old.label' for 'label' the reference breaks (KeyError)" in warning


async def test_a_guard_that_raises_has_refused_nothing() -> None:
    task = environment().task(
        slug="raises", surface="api", route="POST /api/boxes", writes={Box}, along={"toy_log": LOGGED},
        actors={"desk": "mira"}, instruction="Put {label} there.", neighbours={"label": "old.label"},
    )  # fmt: skip
    task.subject(Box, "one-box", lambda row, facts: True)

    @task.guard
    def known(box: Box) -> None:
        """Its label is one of those there are."""
        assert {"Lamps": True}[box.label]

    @task.reference
    async def honest(desk: Actor, facts: Facts) -> None:
        await post(desk, facts)

    problems = (await prove(task)).problems
    assert any("old.label taken for label makes guard known raise KeyError" in said for said in problems)


@pytest.mark.parametrize(
    ("neighbours", "sentence"),
    [
        ({"due": "do"}, "The neighbours= of loose names 'do'; the facts have due, label, mira, old"),
        ({"dew": "due"}, "The neighbours= of loose names 'dew'"),
        ({"due": "due"}, "loose names 'due' its own neighbour"),
    ],
)
def test_neighbours_are_facts(neighbours: dict[str, str], sentence: str) -> None:
    with pytest.raises(TaskError, match=sentence):
        loose_task(neighbours=neighbours)


async def test_neighbours_are_looked_up_when_they_are_used() -> None:
    proof = await prove(loose_task(neighbours={"old.colour": "label"}))
    assert proof.unplayed
    [problem] = proof.problems
    assert "can't be proved: neighbours= of loose names 'old.colour', and 'Box' object has no" in problem


async def test_facts_are_exchanged_however_deep_they_lie() -> None:
    async with attempts_on(environment(), services=SERVICES) as attempts:
        facts = attempts.base.facts
    task = loose_task(inputs={"label.txt": "label"})
    mixed = exchanged(task, facts, "due", "old.due")
    assert (mixed.due, mixed.old.due) == (facts.old.due, facts.due)
    assert (mixed.label, mixed.old.label) == (facts.label, facts.old.label)
    with pytest.raises(TaskError, match="pairs 'due', a date, with 'old', a Box; name two facts of one kind"):
        exchanged(task, facts, "due", "old")
    with pytest.raises(TaskError, match="pairs 'label', a str, with 'due', a date"):
        exchanged(task, facts, "label", "due")


# someone else


async def test_the_work_of_someone_else_is_refused() -> None:
    proof = await prove(put_a_box(environment()), with_accounts("mira@toy.example", "tom@toy.example"))
    [found] = of_kind(proof, "someone else")
    assert (found.name, found.outcome) == ("tom@toy.example in the place of desk", "refused")
    assert found.refused == {"by-the-named-surface"}
    assert proof.problems == []


async def test_without_the_surface_guard_someone_else_escapes(escape: Callable[[], None]) -> None:
    escape()
    proof = await prove(put_a_box(environment()), with_accounts("tom@toy.example"))
    assert [found.outcome for found in of_kind(proof, "someone else")] == ["escaped"]
    assert proof.problems == [
        "toy/put-a-box: ESCAPED: tom@toy.example in the place of desk, and the task passes; a guard must "
        "notice."
    ]


async def test_someone_who_gets_nowhere_sends_what_the_reference_sent() -> None:
    task = environment().task(
        slug="hers", surface="api", route="POST /api/boxes", writes={Box}, along={"toy_log": LOGGED},
        actors={"desk": "mira"}, instruction="Put {label} there.",
    )  # fmt: skip
    task.subject(Box, "one-box", lambda row, facts: row.label == facts.label)

    @task.reference
    async def honest(desk: Actor, facts: Facts) -> None:
        if desk.person != facts.mira:
            raise LookupError("no mail holds a link")
        await post(desk, facts)

    [found] = of_kind(await prove(task, with_accounts("tom@toy.example")), "someone else")
    assert found.refused == {"by-the-named-surface"}
    assert found.error.endswith("LookupError: no mail holds a link")


async def test_a_colleague_stands_in_before_a_stranger() -> None:
    def seed(w: Seed) -> Facts:
        w.person("noor@elsewhere.example", "Noor Haddad")
        return toy.seed(w)

    task = put_a_box(Environment(name="Toy", product="toy", facts=Facts, seed=seed, slug="toy"))
    known = ("mira@toy.example", "gone@toy.example", "noor@elsewhere.example", "tom@toy.example")
    for emails, who in ((known, "tom@toy.example"), (known[:3], "noor@elsewhere.example")):
        [found] = of_kind(await prove(task, with_accounts(*emails)), "someone else")
        assert found.name == f"{who} in the place of desk"


async def test_where_nobody_else_has_an_account_the_proof_says_so() -> None:
    proof = await prove(put_a_box(environment()), with_accounts("mira@toy.example"))
    assert of_kind(proof, "someone else") == []
    assert proof.not_applying["someone else"] == "nobody but its actors has an account at toy"
    said = "no generated cheat by someone else, since nobody but its actors has an account at toy."
    assert f"toy/put-a-box: {said}" in proof.notes


# stamps


def weigh_and_close(*, weighed: bool) -> Task:
    """A task with a stamp, closed_at, and a deed, the weight; a guard looks at the deed, or none does."""
    task = environment().task(
        slug="weigh-and-close", surface="api", route="POST /api/boxes/{id}/close", writes={Box},
        actors={"desk": "mira"}, instruction="Weigh {old.label}, which is five, and close it.",
    )  # fmt: skip
    task.subject(Box, "closed", lambda row, facts: row.id == facts.old.id, changed=("closed_at", "weight"))

    @task.guard
    def closed_now(box: Box, end: End) -> None:
        """It is closed."""
        assert isinstance(box.closed_at, int) and (box.weight == 5 or not weighed)

    @task.reference
    async def honest(desk: Actor, facts: Facts) -> None:
        await desk.post(f"/api/boxes/{facts.old.id}/close", json={"weight": 5})

    return task


async def test_a_stamp_without_its_deed_is_refused() -> None:
    proof = await prove(weigh_and_close(weighed=True))
    [found] = of_kind(proof, "stamp")
    assert found.name == "toy_boxes stamped closed_at, the rest of POST /api/boxes/{id}/close left out"
    assert found.outcome == "refused" and found.refused == {"closed-now"}
    assert proof.problems == []


async def test_a_stamp_that_passes_without_its_deed_escapes() -> None:
    proof = await prove(weigh_and_close(weighed=False))
    assert [found.outcome for found in of_kind(proof, "stamp")] == ["escaped"]
    [problem] = proof.problems
    assert problem.startswith("toy/weigh-and-close: ESCAPED: toy_boxes stamped closed_at, the rest of POST")


async def test_where_the_stamp_is_the_deed_there_is_nothing_to_forge() -> None:
    proof = await prove(put_a_box(environment()))
    assert of_kind(proof, "stamp") == []
    assert proof.not_applying["stamp"].startswith("beside what says that something happened")


async def test_stamps_are_forged_at_their_moment_and_alone() -> None:
    task = environment().task(
        slug="put-and-close", surface="api", route="POST /api/boxes", writes={Box},
        actors={"desk": "mira"}, instruction="Put {label} there, weigh it, close it.",
    )  # fmt: skip
    task.subject(Box, "one-box", lambda row, facts: row.label == facts.label)

    @task.guard
    def weighed(box: Box) -> None:
        """It weighs five."""
        assert box.weight == 5

    @task.guard(owns={Entry})
    def logged(end: End) -> None:
        """The log has a line for it."""
        assert len(end.new(Entry)) == 1, "it has none"

    @task.reference
    async def honest(desk: Actor, facts: Facts) -> None:
        box_id = await post(desk, facts)
        await desk.post(f"/api/boxes/{box_id}/close", json={"weight": 5})

    proof = await prove(task)
    assert [(found.name, set(found.refused)) for found in of_kind(proof, "stamp")] == [
        ("toy_boxes stamped closed_at, the rest of POST /api/boxes/{id}/close left out", {"weighed"}),
        ("toy_boxes given 1 new row, and nothing else done", {"logged"}),
    ]
    assert proof.problems == []
