"""Proofs on several dates and in any order: the table, what is made of many proofs, and what is kept."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import typer
from typer.testing import CliRunner

from fakes.core.seeding import Seed
from harness import app, discovery, proved, proving
from harness.across import across, merge, told
from harness.adversaries import Attack
from harness.cli.prove import prove
from harness.cli.words import WrongUse
from harness.dates import BASE, DATES, FULL, Setting
from harness.environment import Environment
from harness.proof import CheatOutcome, EnvironmentProof, Generated, TaskProof, last_line
from harness.qualify import prove_environment
from harness.rails import BrowserRail
from harness.task import Task
from tests.harness.toy import SERVICES, Facts, seed
from tests.harness.toy_tasks import environment, put_a_box

LEAP, YEARS_END = DATES[0], DATES[1]


def offsets(place: Setting) -> tuple[timedelta, timedelta]:
    """UTC offsets at the beginning of the day and at that of the next."""
    zone = ZoneInfo(place.zone)
    starts = [datetime.combine(place.day + timedelta(days=n), time(), zone) for n in (0, 1)]
    first, second = (start.utcoffset() for start in starts)
    assert first is not None and second is not None
    return first, second


# the table


def test_six_dates_stand_for_their_kinds_among_eighteen() -> None:
    assert len(set(FULL)) == 18 and len(set(DATES)) == 6 and set(DATES) < set(FULL)
    assert BASE not in FULL and len({place.zone for place in DATES}) == 6


IS_KIND: list[Callable[[Setting], bool]] = [
    lambda place: (place.day.month, place.day.day) == (2, 29),
    lambda place: (place.day.month, place.day.day) == (12, 31),
    lambda place: offsets(place)[0] < offsets(place)[1],
    lambda place: offsets(place)[0] > offsets(place)[1],
    lambda place: (place.day + timedelta(days=1)).day == 1,
    lambda place: abs(place.day - date(2028, 10, 21)) <= timedelta(days=1),
]


@pytest.mark.parametrize("kind", range(6))
def test_each_date_is_of_its_kind_in_all_three_places(kind: int) -> None:
    places = FULL[3 * kind : 3 * kind + 3]
    assert all(IS_KIND[kind](place) for place in places)
    assert DATES[kind] == places[0]


def test_the_six_lie_far_east_far_west_and_half_an_hour_off() -> None:
    hours = {offsets(place)[0] / timedelta(hours=1) for place in DATES}
    assert max(hours) == 14 and min(hours) == -11 and any(hour % 1 for hour in hours)


# order


@pytest.fixture
def env() -> Environment:
    made = environment()
    put_a_box(made)
    return made


async def played(env: Environment, order: int | None) -> tuple[list[str], EnvironmentProof]:
    """What was said of plays and tasks, and what was found."""
    said: list[str] = []
    proof = await prove_environment(
        env,
        services=SERVICES,
        quick=True,
        order=order,
        progress=lambda task, what: said.append(f"{task} {what}"),
    )
    return said, proof


async def test_the_order_of_plays_is_a_seeds_and_no_verdict_depends_on_it(env: Environment) -> None:
    task = env.tasks["put-a-box"]
    task.route = "PUT /api/boxes"
    task.variants["by-null"] = task.cheats["another-day"].play
    declared, plain = await played(env, None)
    shuffled = [await played(env, order) for order in (1, 2, 3, 4)]
    assert {tuple(sorted(said)) for said, _ in shuffled} == {tuple(sorted(declared))}
    assert len({tuple(said) for said, _ in shuffled} - {tuple(declared)}) > 1
    assert len(plain.problems) == 2 and all(proof == plain for _, proof in shuffled)
    assert (await played(env, 3))[0] == shuffled[2][0]


async def test_tasks_are_shuffled_too_and_told_as_declared() -> None:
    env = environment()
    for slug in ("first", "second", "third"):
        put_a_box(env)
        task = env.tasks.pop("put-a-box")
        task.slug = slug
        env.tasks[slug] = task
    found = [await played(env, order) for order in (1, 2, 3)]
    assert len({tuple(dict.fromkeys(each.split()[0] for each in said)) for said, _ in found}) > 1
    for _, proof in found:
        assert [each.task.slug for each in proof.tasks] == ["first", "second", "third"]


# one proof out of many


def proof_of(task: Task, **found: Any) -> TaskProof:
    cheats = [CheatOutcome(name, frozenset(), frozenset(), held=True) for name in task.cheats]
    whole: dict[str, Any] = {"reference_held": True, "variants_held": 1, "cheats": cheats}
    return TaskProof(task, **{**whole, **found})


def test_a_cheat_is_proved_if_it_held_on_every_date_and_counted_once(env: Environment) -> None:
    task = env.tasks["put-a-box"]
    name = next(iter(task.cheats))
    bad = CheatOutcome(name, frozenset(), frozenset({"weighed"}), held=False)
    good = proof_of(task)
    mixed = merge(
        task, {BASE: good, LEAP: proof_of(task, cheats=[bad, *good.cheats[1:]], problems=["It did not."])}
    )
    assert (mixed.proved, mixed.total) == (2, 3) and mixed.cheats[0] == bad
    assert mixed.problems == ["It did not (2024-02-29 Asia/Kolkata)."]
    held = merge(task, {BASE: good, LEAP: good})
    assert held.held and (held.proved, held.total) == (3, 3)


def test_where_a_date_has_no_proof_nothing_held(env: Environment) -> None:
    task = env.tasks["put-a-box"]
    proof = across(env, [task], [BASE, LEAP], {(task, BASE): proof_of(task)})
    assert (proof.tasks[0].proved, proof.tasks[0].total) == (0, 3) and proof.tasks[0].unplayed
    assert proof.settings == {BASE: True, LEAP: False} and not proof.held


def test_a_guard_is_needed_if_it_is_anywhere_and_a_column_unguarded_if_it_is_everywhere(
    env: Environment,
) -> None:
    task = env.tasks["put-a-box"]
    one = proof_of(task, only={"one-box"}, probes=3, loose={"b.x": ["blank"]}, unguarded=["b.y", "b.z"])
    other = proof_of(task, only={"weighed"}, probes=4, loose={"b.x": ["zero"], "b.z": ["zero"]})
    other.unguarded = ["b.y"]
    found = merge(task, {BASE: one, LEAP: other, Setting(seed=7): proof_of(task, quick=True)})
    assert found.needless == ["due-that-day", "logged-once"] and found.probes == 7
    assert found.loose == {"b.x": ["blank", "zero"], "b.z": ["zero"]} and found.unguarded == ["b.y"]


def test_a_generated_cheat_is_counted_once_with_the_worst_of_it(env: Environment) -> None:
    task = env.tasks["put-a-box"]
    refused = [Generated("dropped", "put", "refused"), Generated("twice", "put", "refused")]
    mixed = [Generated("dropped", "put", "refused"), Generated("twice", "put", "escaped")]
    found = merge(task, {BASE: proof_of(task, generated=refused), LEAP: proof_of(task, generated=mixed)})
    assert [each.outcome for each in found.generated] == ["refused", "escaped"]


def test_a_problem_is_told_once_with_the_first_of_its_places() -> None:
    places = {BASE: ["It broke."], LEAP: ["It broke.", "It fell"], Setting(seed=7): ["It fell"]}
    assert told(places) == [
        "It broke (2025-10-21 America/New_York, and 1 more).",
        "It fell (2024-02-29 Asia/Kolkata, and 1 more).",
    ]


def test_the_last_line_counts_dates_and_instances(env: Environment) -> None:
    task = env.tasks["put-a-box"]
    places = [*FULL, Setting(seed=2), Setting(seed=7)]
    proof = across(env, [task], places, {(task, place): proof_of(task, quick=True) for place in places})
    assert last_line([proof]) == "Graders proved 3/3 · 18 dates · 2 instances"
    one = across(env, [task], [BASE], {(task, BASE): proof_of(task, quick=True)})
    assert last_line([one]) == "Graders proved 3/3 · 1 date"


# what is kept


def kept(env: Environment) -> Any:
    return json.loads(proved.path_of(env).read_text())


def keep(env: Environment, **places: bool) -> None:
    """Keeps a proof on some dates, each of which held or not."""
    task = env.tasks["put-a-box"]
    settings = {"base": BASE, "leap": LEAP, "years_end": YEARS_END, "seven": Setting(seed=7)}
    found = {
        (task, settings[name]): proof_of(task, problems=[] if held else ["It broke."])
        for name, held in places.items()
    }
    proved.write(across(env, [task], [settings[name] for name in places], found))


@pytest.fixture
def filed(env: Environment, tmp_path: Path) -> Environment:
    env.file = tmp_path / "environment.py"
    return env


def test_dates_that_were_proved_add_up(filed: Environment) -> None:
    keep(filed, base=True)
    keep(filed, leap=True, years_end=True)
    assert kept(filed)["held"] and kept(filed)["dates"] == {
        str(place): True for place in (LEAP, BASE, YEARS_END)
    }
    found = proved.read(filed)
    assert found is not None and found.fresh and len(found.dates) == 3


def test_a_date_on_which_a_grader_failed_is_kept_until_it_holds_there(filed: Environment) -> None:
    keep(filed, leap=False, years_end=True)
    keep(filed, base=True)
    assert not kept(filed)["held"] and kept(filed)["counts"]["held"] == {"put-a-box": False}
    assert kept(filed)["dates"] == {str(LEAP): False, str(BASE): True, str(YEARS_END): True}
    keep(filed, leap=True)
    assert kept(filed)["held"] and kept(filed)["counts"]["held"] == {"put-a-box": True}


def test_an_instance_is_kept_only_while_it_does_not_hold(filed: Environment) -> None:
    keep(filed, base=True, seven=False)
    assert not kept(filed)["held"] and len(kept(filed)["dates"]) == 2
    keep(filed, base=True, seven=True)
    assert kept(filed)["held"] and list(kept(filed)["dates"]) == [str(BASE)]


def test_of_other_tasks_nothing_is_kept(filed: Environment) -> None:
    keep(filed, leap=False)
    told = kept(filed)
    told["of"]["tasks"] = "0"
    proved.path_of(filed).write_text(json.dumps(told))
    keep(filed, base=True)
    assert kept(filed)["held"] and list(kept(filed)["dates"]) == [str(BASE)]


# the command


async def nobody(env: Environment, *, browser: BrowserRail) -> list[Attack]:
    """No adversaries: they need a browser."""
    return []


@pytest.fixture
def runner(env: Environment, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> CliRunner:
    monkeypatch.setattr(discovery, "environment_names", lambda: ["toy"])
    monkeypatch.setattr("harness.code.discovery.code_environment_names", list)
    monkeypatch.setattr(discovery, "load_environment", lambda name: env)
    monkeypatch.setattr(proving, "load_environment", lambda name: env)
    monkeypatch.setattr(proving, "attack_environment", nobody)
    monkeypatch.setattr(app, "discover_services", lambda: SERVICES)
    monkeypatch.chdir(tmp_path)
    env.file = tmp_path / "environment.py"
    return CliRunner()


def call(runner: CliRunner, *arguments: str) -> tuple[int, list[str]]:
    cli = typer.Typer()
    cli.command()(prove)
    result = runner.invoke(cli, list(arguments))
    if isinstance(result.exception, WrongUse):
        return result.exception.code, str(result.exception).splitlines()
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.output.splitlines()


def test_dates_are_six_and_full_is_eighteen_in_an_order_that_can_be_repeated(
    runner: CliRunner, env: Environment
) -> None:
    code, said = call(runner, "--dates", "-j", "1")
    assert code == 0 and said[-1].startswith("Graders proved 3/3 · 4/4 guards needed · ")
    assert said[-1].endswith(" · 6 dates")
    [order] = [line for line in said if line.startswith("Played in random order; --order ")]
    assert int(order.split()[5]) >= 0
    assert list(kept(env)["dates"]) == sorted(map(str, DATES))
    code, said = call(runner, "--full", "--quick", "-j", "1", "--order", "5")
    assert len([line for line in said if ": held" in line]) == 18
    assert code == 0 and said[-1] == "Graders proved 3/3 · 18 dates"
    assert "Played in random order; --order 5 repeats it." in said
    assert len(kept(env)["dates"]) == 6


def test_a_seed_that_a_leap_day_breaks_is_told_with_that_date(runner: CliRunner, env: Environment) -> None:
    def stumbles(w: Seed) -> Facts:
        w.world.today().replace(year=w.world.today().year + 1)
        return seed(w)

    env.seed, env.file = stumbles, Path(__file__)
    code, said = call(runner, "--dates", "--quick", "-j", "1")
    [problem] = [line for line in said if line.startswith("✗ ")]
    assert code == 1 and "ValueError: day is out of range for month (2024-02-29 Asia/Kolkata)." in problem
    assert said[-1] == "Not proved: 1 problem · Graders proved 0/3 · 6 dates"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--dates", "--full"], "--full plays the six of --dates too; say one of them."),
        (["--dates", "--date", "2024-01-01"], "--dates and --full play dates and zones of their own"),
        (["--full", "--zone", "Asia/Tokyo"], "--dates and --full play dates and zones of their own"),
        (["-j", "0"], "--jobs takes a number, 1 or more, not 0."),
        (["--instances", "-1"], "--instances takes a number, 1 or more, not -1."),
    ],
)
def test_what_does_not_go_together_is_told_in_a_sentence(
    runner: CliRunner, arguments: list[str], sentence: str
) -> None:
    code, [said] = call(runner, *arguments)
    assert code == 2 and sentence in said
