"""A bench counts crashes to their end, and draws the same chance each time."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.code.bench import Bench, Died, open_bench
from harness.code.declaring import CodeEnvironment


@pytest.fixture
def bench(tally: CodeEnvironment, tmp_path: Path) -> Bench:
    """A bench on which nothing is run."""
    return Bench(tally, "T1", tmp_path)


def test_every_crash_is_played_until_one_does_not_strike(bench: Bench) -> None:
    played: list[str] = []

    def play(fault: str) -> bool:
        played.append(fault)
        return fault in ("commit:1", "commit:2", "write:1")

    assert bench.every_crash(play) == 3 == bench.crash_points
    assert played == ["commit:1", "commit:2", "commit:3", "write:1", "write:2"]


def test_a_refusal_says_at_which_crash(bench: Bench) -> None:
    def play(fault: str) -> bool:
        assert fault != "commit:2", "lost"
        return True

    with pytest.raises(AssertionError, match="with a crash at commit:2, lost"):
        bench.every_crash(play)


@pytest.mark.parametrize(("strikes", "says"), [(False, "no commit goes through"), (True, "there is no end")])
def test_none_and_endless_crashes_are_refused(bench: Bench, strikes: bool, says: str) -> None:
    with pytest.raises(AssertionError, match=says):
        bench.every_crash(lambda fault: strikes, limit=5)


def test_chance_is_the_invariants_own(tally: CodeEnvironment, tmp_path: Path) -> None:
    drawn = [Bench(tally, name, tmp_path).rng.random() for name in ("T1", "T1", "T2")]
    assert drawn[0] == drawn[1] != drawn[2]


def test_each_crash_of_a_real_process_is_found(tally: CodeEnvironment, solution: Path) -> None:
    with open_bench(tally, solution, "T2") as bench:

        def play(fault: str) -> bool:
            with bench.life("tally.db", fault=fault) as life:
                try:
                    life.ask(["a", 1])
                except Died as died:
                    return died.by_fault
            return False

        assert bench.every_crash(play) == 3  # one commit, two writes
