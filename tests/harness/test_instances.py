"""Instances: which world seeds make them, attempts on many of them, and proofs besides."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from fakes.core.seeding import Seed, build_base
from fakes.core.world import Genesis
from harness import app, instances, proved
from harness.app import BASE_DATE, FIXED_SECRET, ZONE, BrokenScenario, morning_of
from harness.archive.store import read
from harness.cli import run
from harness.discovery import load_environment
from harness.environment import Environment
from harness.instances import DRY, FIRST, Instances, Mark, mark, seeds, split_of
from tests.harness import crates, toy
from tests.harness.toy import SERVICES, Facts
from tests.harness.toy_tasks import environment, put_a_box

INSTANCES = 6  # three labels on two days


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    yield crates.make(tmp_path_factory.mktemp("crates"), second="pass")
    load_environment.cache_clear()
    for name in [name for name in sys.modules if name.startswith("scenarios.crates")]:
        del sys.modules[name]


@pytest.fixture
def place(written: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the environment `crates`, which draws, and its site."""
    everything = {**app.discover_services(), **SERVICES}
    monkeypatch.setattr(app, "discover_services", lambda: everything)
    monkeypatch.chdir(written)
    monkeypatch.delenv("PARACOSM_DATA", raising=False)
    monkeypatch.setattr(instances, "DRY", 30)
    return written


@pytest.fixture
def env(place: Path) -> Environment:
    return load_environment("crates")


def facts_of(env: Environment, number: int) -> Facts:
    genesis = Genesis(number, FIXED_SECRET, morning_of(BASE_DATE), ZONE, env.slug)
    facts: Facts = build_base(SERVICES, genesis, env.seed).facts
    return facts


def drawn(env: Environment, numbers: list[int]) -> list[tuple[str, str]]:
    """What the seed drew for some world seeds."""
    return [(facts.label, str(facts.due)) for facts in (facts_of(env, number) for number in numbers)]


# seeds


def test_a_split_is_half_of_all_numbers_and_the_first_is_for_training() -> None:
    tests = [number for number in range(1, 2001) if split_of(number) == "test"]
    assert 900 < len(tests) < 1100 and split_of(FIRST) == "train"


def test_instances_are_distinct_and_no_split_has_one_of_the_other(env: Environment) -> None:
    train, test = (seeds(env, split, 100) for split in ("train", "test"))
    both = drawn(env, [*train, *test])
    assert len(set(both)) == len(both) == INSTANCES
    assert {split_of(number) for number in train} == {"train"} and {split_of(n) for n in test} == {"test"}
    assert seeds(env, None, 100) == sorted([*train, *test])


def test_fewer_are_the_first_of_more(env: Environment) -> None:
    assert seeds(env, "train", 2) == seeds(env, "train", 3)[:2] and len(seeds(env, "train", 2)) == 2


def test_marks_tell_facts_apart_as_the_worlds_of_those_seeds_do(env: Environment) -> None:
    numbers = list(range(1, 15))
    marks = [mark(env, number).digest for number in numbers]
    facts = drawn(env, numbers)
    assert len(set(facts)) > 3
    assert [marks.index(each) for each in marks] == [facts.index(each) for each in facts]
    ids = {facts_of(env, number).old.id for number in numbers}
    assert ids == {"box_old"}


def test_a_seed_that_draws_nothing_makes_one_instance() -> None:
    env = environment()
    assert seeds(env, "train", 5, services=SERVICES) == seeds(env, "test", 5, services=SERVICES) == [FIRST]


def test_a_world_that_one_draw_breaks_is_an_instance_and_a_first_one_that_breaks_is_told() -> None:
    env = environment()

    def sometimes(w: Seed) -> Facts:
        if w.rng.random() > 0.5 or fails_always:
            raise ValueError("an unlucky draw")
        return toy.seed(w)

    env.seed, fails_always = sometimes, False
    assert mark(env, FIRST, SERVICES).draws
    found = seeds(env, None, 4, services=SERVICES)
    assert len(found) == 4 and {mark(env, n, SERVICES).digest[:5] for n in found} >= {"can't"}
    fails_always = True
    with pytest.raises(BrokenScenario, match="ValueError: an unlucky draw"):
        seeds(env, None, 4, services=SERVICES)


def test_after_enough_seeds_that_bring_nothing_new_there_are_no_more() -> None:
    found = Instances("train", 5)
    found.take([Mark("same", draws=True)] * (DRY + 50))
    assert found.complete and found.seeds == [FIRST] and found.seen == DRY + 1
    assert found.shortfall(environment()) == (
        f"toy has 1 distinct instance of train, not 5: after seed 1 come {DRY} in a row with facts that "
        "were there before."
    )
    with pytest.raises(ValueError, match="no such number of instances as 0"):
        Instances("train", 0)


# attempts


def test_a_run_on_instances_keeps_a_bundle_and_a_row_of_each(
    place: Path, env: Environment, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["run", "crates/put-a-box", "--play", "reference", "--data", str(tmp_path), "-j", "1"]
    assert run([*asked, "--instances", "2"]) == 0
    assert capsys.readouterr().out.splitlines()[-2:] == ["run 1-reference", "passed 2/2"]
    made = read(tmp_path / "archive.db").rollouts
    assert [(each.seed, each.state) for each in made] == [(n, "passed") for n in seeds(env, "train", 2)]
    for each in made:
        assert each.bundle is not None and run(["grade", str(tmp_path / each.bundle)]) == 0

    assert run([*asked, "--instances", "1", "--keep", "failures"]) == 0
    assert [path.name for path in (tmp_path / "runs" / "2-reference").iterdir()] == ["lock"]


def test_errors_and_time_outs_stay_in_the_denominator(
    place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("agents.py").write_text(AGENT)
    asked = [
        "run",
        "crates/put-a-box",
        "--agent",
        "agents.py:agent",
        "--instances",
        "100",
        "--timeout",
        "3",
    ]
    asked += ["--split", "train", "-j", "1", "--data", str(tmp_path), "--keep", "none"]
    assert run(asked) == 1
    said = capsys.readouterr().out.splitlines()
    states = [each.state for each in read(tmp_path / "archive.db").rollouts]
    assert len(states) == 4 and {"passed", "error", "time-out"} == set(states)
    assert said[-1].startswith(
        f"passed {states.count('passed')}/4 · errors {states.count('error')} · time-outs "
    )
    assert any("has 4 distinct instances of train, not 100" in line for line in said)
    assert any(line.startswith("✗ crates/put-a-box s") and "RuntimeError: no vases" in line for line in said)


AGENT = """
import asyncio

async def agent(task_text, desk):
    label = task_text.removeprefix("Put ").split(" on ")[0]
    due = task_text.split("due ")[1].rstrip(".")
    if (label, due) == ("Vases", "2025-10-25"):
        raise RuntimeError("no vases")
    if label == "Vases":
        await asyncio.sleep(30)
    await desk.post("/api/boxes", json={"label": label, "due": due, "weight": 1})
"""


def test_one_instance_is_picked_by_its_seed(
    place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["run", "crates/put-a-box", "--play", "reference", "--seed", "6", "--data", str(tmp_path)]
    assert run(asked) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[-2].startswith("passed (rail api, ") and said[-2].endswith(", seed 6)")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("--play null --instances 0", "--instances takes a number, 1 or more, not 0."),
        ("--play null --instances 2 --split foo", "There is no split 'foo'; there are train and test."),
        ("--play null --instances 2 --keep some", "--keep takes all, failures or none, not 'some'."),
        ("--play null --instances 2 --seed 3", "--instances finds seeds itself; say --seed or --instances."),
        ("--play null --instances 2 -j 0", "--parallel takes a number, 1 or more, not 0."),
        ("--play null --seed 0", "--seed takes a number, 1 or more, not 0."),
        ("--play null --split train", "--split is about instances; say how many with --instances."),
        ("--play null --rollouts 0", "--rollouts takes a number, 1 or more, not 0."),
        ("--instances 2", "Say who acts: --agent FILE.py:FUNCTION, --play reference, --command"),
        ("--play cheat:none --instances 2", "crates/put-a-box has no cheat 'none'"),
        ("--play null --out no/such", "no/such can't be written: there is no folder no."),
        ("--play null --out x --instances 2", "--out is about one rollout, and these are 2: leave it out."),
        ("--play null --out x --keep none", "--out is a copy of the bundle, so that has to stay"),
    ],
)
def test_what_was_put_wrongly_is_told_in_a_sentence(
    place: Path, arguments: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["run", "crates/put-a-box", *arguments.split()]) == 2
    said = capsys.readouterr().err
    assert sentence in said and said.count("\n") == 1


# proofs, and processes


def test_graders_are_proved_on_instances_besides(
    place: Path, env: Environment, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["prove", "crates/put-a-box", "--instances", "2", "-j", "1", "--order", "3"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[-1].startswith("Graders proved 3/3 · 4/4 guards needed · ")
    assert said[-1].endswith(" · 1 date · 2 instances")
    assert proved.read(env) is None


def test_two_processes_find_what_one_finds(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = []
    for processes in ("1", "2"):
        assert run(["prove", "crates", "--quick", "-j", processes]) == 0
        said = capsys.readouterr().out
        found.append(said[said.index("crates ·") :])
    assert found[0] == found[1]
    assert found[0].splitlines()[-1] == "Graders proved 4/4 · 1 date"


def test_a_process_that_dies_at_a_task_is_a_problem_of_that_task(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    crates.make(tmp_path, second="import os, signal; os.kill(os.getpid(), signal.SIGKILL)")
    everything = {**app.discover_services(), **SERVICES}
    monkeypatch.setattr(app, "discover_services", lambda: everything)
    monkeypatch.chdir(tmp_path)
    try:
        assert run(["prove", "crates", "--quick", "-j", "2"]) == 1
        said = capsys.readouterr().out.splitlines()
    finally:
        load_environment.cache_clear()
    assert "✗ crates/put-another: the process that proved it died with signal 9." in said
    assert said[-1] == "Not proved: 1 problem · Graders proved 3/4 · 1 date"
    assert not (tmp_path / "scenarios/crates/proved.json").exists()


def test_where_nothing_is_drawn_a_sentence_says_that_there_is_one_instance(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    env = environment()
    put_a_box(env)
    monkeypatch.setattr("harness.discovery.environment_names", lambda: ["toy"])
    monkeypatch.setattr("harness.discovery.load_environment", lambda name: env)
    monkeypatch.setattr(app, "discover_services", lambda: SERVICES)
    monkeypatch.chdir(tmp_path)
    sentence = "The seed of toy draws nothing from w.rng, so there is one instance of it."
    asked = ["toy/put-a-box", "--instances", "9", "-j", "1"]
    assert run(["run", *asked, "--play", "reference", "--split", "test"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert sentence in said and said[-1] == "passed 1/1"
    assert run(["prove", *asked, "--quick"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert sentence in said and said[-1] == "Graders proved 3/3 · 1 date"
