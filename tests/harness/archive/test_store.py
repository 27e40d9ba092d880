"""The archive's file: what is written is there whole, whoever writes, and however far he came."""

from __future__ import annotations

import asyncio
import os
import re
import stat
import subprocess
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import apsw
import pytest

from harness.archive import store
from harness.archive.records import Outcome, Plan, Records, Rollout
from harness.archive.schema import SCHEMA
from harness.archive.store import Archive, ArchiveError, read
from harness.driver import Driver
from harness.evidence import Usage
from harness.grade import Verdict
from tests.harness.archive.made import CONSOLE, RECORD, fill

PLAYED = Driver(play="reference")
PLANS = [Plan("toy/put-a-box", seed, number) for number in (1, 2) for seed in (1, 4)]
REFUSED = (Verdict("one-box", "passed"), Verdict("weighed", "refused", "it weighs nothing"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "archive.db"


@pytest.fixture
async def archive(path: Path) -> AsyncIterator[Archive]:
    async with Archive.open(path) as opened:
        yield opened


async def ended(archive: Archive, rollout: int, outcome: Outcome) -> Rollout:
    """A rollout that was begun and came out so."""
    await archive.begin(rollout)
    await archive.finish(rollout, outcome)
    return next(each for each in (await archive.records()).rollouts if each.id == rollout)


def altered(path: Path, sql: str) -> None:
    """Writes past the archive."""
    con = apsw.Connection(str(path))
    con.execute(sql)
    con.close()


async def test_an_archive_is_its_owners_alone(archive: Archive, path: Path) -> None:
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


async def test_a_run_is_planned_with_all_its_rollouts(archive: Archive) -> None:
    run = await archive.plan(PLANS, driver=PLAYED, targets=["toy"], options={"keep": "all"}, isolation="none")
    records = await archive.records()
    assert records.runs == [run] and run.id == "1-reference" and run.driver == PLAYED
    assert [(each.seed, each.number) for each in records.rollouts] == [(1, 1), (4, 1), (1, 2), (4, 2)]
    assert {each.state for each in records.rollouts} == {"planned"} and not records.rollouts[0].over


async def test_the_same_rollout_is_not_planned_twice_and_a_plan_that_fails_leaves_nothing(
    archive: Archive,
) -> None:
    with pytest.raises(ArchiveError, match="UNIQUE constraint failed"):
        await archive.plan([PLANS[0], PLANS[0]], driver=PLAYED)
    assert await archive.records() == Records([], [])


async def test_runs_are_numbered_on_and_named_by_label_or_driver(archive: Archive) -> None:
    drivers = [PLAYED, Driver(agent="../my agents/a.py:agent"), Driver(model="big/model-4"), Driver(play="…")]
    runs = [(await archive.plan(PLANS, driver=driver)).id for driver in drivers]
    assert runs == ["1-reference", "2-a.py-agent", "3-model-4", "4-run"]
    assert (await archive.plan(PLANS, driver=PLAYED, label="Tuesday, again")).id == "5-Tuesday-again"


async def test_an_outcome_is_kept_with_its_verdicts(archive: Archive) -> None:
    await archive.plan(PLANS, driver=PLAYED)
    usage = Usage(steps=3, tokens_in=0, cost_usd=0.25)
    outcome = Outcome(
        "failed", "r1", 1.5, "", "runs/1/x.zip", "api", confined=True, usage=usage, verdicts=REFUSED
    )
    kept = await ended(archive, 1, outcome)
    assert (kept.state, kept.bundle, kept.rail, kept.confined) == ("failed", "runs/1/x.zip", "api", True)
    assert kept.usage == usage and kept.verdicts == REFUSED and kept.took_s == 1.5 and kept.over
    assert kept.scored == kept.gradings[0] and kept.revision == "r1" and kept.begun_ms is not None


async def test_a_run_ends_with_the_last_of_its_rollouts(archive: Archive) -> None:
    await archive.plan(PLANS[:2], driver=PLAYED)
    await ended(archive, 1, Outcome("passed"))
    assert (await archive.records()).runs[0].ended_ms is None
    await ended(archive, 2, Outcome("error", error="its process died"))
    assert (await archive.records()).runs[0].ended_ms is not None


async def test_none_is_recorded_twice(archive: Archive) -> None:
    await archive.plan(PLANS, driver=PLAYED)
    await ended(archive, 1, Outcome("passed"))
    for again in (
        archive.begin(1),
        archive.finish(1, Outcome("failed")),
        archive.finish(2, Outcome("failed")),
    ):
        with pytest.raises(ArchiveError, match="can't (begin|end)"):
            await again
    assert [each.state for each in (await archive.records()).rollouts][:2] == ["passed", "planned"]


async def test_what_was_under_way_is_planned_again(archive: Archive) -> None:
    run = await archive.plan(PLANS, driver=PLAYED)
    await ended(archive, 1, Outcome("passed"))
    await archive.begin(2)
    await archive.give_back(run.id)
    assert [each.state for each in (await archive.records()).rollouts] == ["passed"] + ["planned"] * 3


async def test_a_score_stays_when_graders_change(archive: Archive) -> None:
    await archive.plan(PLANS, driver=PLAYED)
    await ended(archive, 1, Outcome("failed", "r1", verdicts=REFUSED))
    await archive.add_grading(1, "r2", "passed", [replace(each, state="passed") for each in REFUSED])
    [kept, *_] = (await archive.records()).rollouts
    assert (kept.state, kept.revision, kept.passed, kept.verdicts) == ("failed", "r1", False, REFUSED)
    assert [(each.revision, each.state) for each in kept.gradings] == [("r1", "failed"), ("r2", "passed")]


async def test_a_grader_error_is_no_score_and_the_first_verdict_after_it_is(archive: Archive) -> None:
    await archive.plan(PLANS, driver=PLAYED)
    broken = (Verdict("weighed", "error", "KeyError: 'weight'"),)
    assert (await ended(archive, 1, Outcome("grader error", "r1", verdicts=broken))).verdicts == broken
    for revision, state in (("r2", "failed"), ("r3", "passed")):
        await archive.add_grading(1, revision, state, REFUSED)  # type: ignore[arg-type]
    [kept, *_] = (await archive.records()).rollouts
    assert (kept.state, kept.revision, kept.verdicts) == ("failed", "r2", REFUSED)


async def test_only_what_is_over_is_classified(archive: Archive) -> None:
    await archive.plan(PLANS, driver=PLAYED)
    await ended(archive, 1, Outcome("failed"))
    made = await archive.classify(1, "contract gap", "It does not say which.", "weighed")
    assert (await archive.records()).rollouts[0].classifications == (made,)
    with pytest.raises(ArchiveError, match="Rollout 2 is not over: it is planned."):
        await archive.classify(2, "capability")
    with pytest.raises(ArchiveError, match="There is no rollout 99."):
        await archive.classify(99, "capability")


async def test_what_is_read_without_an_event_loop_is_the_same(path: Path) -> None:
    assert read(path) == Records()
    await fill(path)
    async with Archive.open(path) as archive:
        records = await archive.records()
    assert read(path) == records and len(records.runs) == 4
    assert {each.state for each in records.of_task(CONSOLE)} == {"passed", "void", "failed"}
    assert [each.state for each in records.of_run("4-petite")] == ["passed", "planned", "planned"]
    assert len(records.of_task(RECORD)) == 12


async def test_what_the_readme_asks_with_sql_is_answered(path: Path) -> None:
    await fill(path)
    text = (Path(store.__file__).parent / "README.md").read_text()
    con = apsw.Connection(str(path))
    by_task, by_guard, moved = (
        list(con.execute(sql)) for sql in re.findall(r"```sql\n(.*?)```", text, re.DOTALL)
    )
    con.close()
    assert (RECORD, 4, 1) in by_task and by_guard[0] == ("right-claimant", 4, 10)
    assert moved == [("2-petite", RECORD, 2, "failed", "passed")]


async def test_an_archive_of_a_newer_version_is_refused(path: Path) -> None:
    async with Archive.open(path):
        pass
    altered(path, f"PRAGMA user_version = {SCHEMA + 1}")
    with pytest.raises(ArchiveError, match="made by a newer paracosm: its tables have version 2"):
        read(path)
    with pytest.raises(ArchiveError, match="Use that paracosm, or another --data folder"):
        async with Archive.open(path):
            pass


async def test_what_is_no_archive_is_told(path: Path) -> None:
    path.parent.mkdir()
    path.write_text("far too short a story to be a database" * 9)
    with pytest.raises(ArchiveError, match="can't be used: file is not a database"):
        read(path)
    with pytest.raises(ArchiveError, match="can't be used: file is not a database"):
        async with Archive.open(path):
            pass
    with pytest.raises(ArchiveError, match="can't be written: Not a directory"):
        async with Archive.open(path / "below" / "archive.db"):
            pass


async def test_what_is_interrupted_leaves_no_transaction_open(archive: Archive) -> None:
    for ticks in range(12):
        planning = asyncio.create_task(archive.plan(PLANS, driver=PLAYED))
        for _ in range(ticks):
            await asyncio.sleep(0)
        planning.cancel()
        await asyncio.gather(planning, return_exceptions=True)
    run = await archive.plan(PLANS, driver=PLAYED)
    records = await archive.records()
    assert len(records.of_run(run.id)) == len(PLANS)
    assert all(len(records.of_run(each.id)) == len(PLANS) for each in records.runs)


PLANNING = """
import asyncio, sys
from pathlib import Path
from harness.archive.records import Plan
from harness.archive.store import Archive
from harness.driver import Driver

async def main():
    for _ in range(8):
        async with Archive.open(Path(sys.argv[1])) as archive:
            await archive.plan([Plan("toy/put-a-box")], driver=Driver(play="null"))

asyncio.run(main())
"""


def test_two_processes_use_one_archive(path: Path) -> None:
    command = [sys.executable, "-c", PLANNING, str(path)]
    both = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    assert [process.communicate()[1] for process in both] == ["", ""]
    assert [run.id for run in read(path).runs] == [f"{number}-null" for number in range(1, 17)]


async def test_whatever_an_agent_says_is_kept_as_far_as_it_can_be(archive: Archive) -> None:
    await archive.plan(PLANS[:2], driver=Driver(model="\udcff"))
    said = [Verdict("g", "error", "\udfff")]
    half = await ended(archive, 1, Outcome("failed", error="a\ud800b", verdicts=said))
    assert (half.error, half.verdicts[0].message) == ("a?b", "?")
    assert (await archive.classify(1, "capability", "\udcff")).kind == "capability"
    long = await ended(archive, 2, Outcome("error", error="x" * 1_000_000))
    assert long.error == "x" * store.MOST_LETTERS + "… (1,000,000 letters)"


async def test_a_database_of_something_else_is_left_alone(path: Path) -> None:
    path.parent.mkdir()
    altered(path, "CREATE TABLE songs (name TEXT)")
    with pytest.raises(ArchiveError, match="is a database of something else"):
        async with Archive.open(path):
            pass
    with pytest.raises(ArchiveError, match="is a database of something else"):
        read(path)


async def test_a_row_that_is_none_of_ours_is_told(archive: Archive, path: Path) -> None:
    await archive.plan(PLANS, driver=PLAYED)
    altered(path, "UPDATE runs SET driver = '{\"who\": 1}'")
    with pytest.raises(ArchiveError, match="a row of it can't be read"):
        read(path)
    with pytest.raises(ArchiveError, match="a row of it can't be read"):
        await archive.records()


async def test_a_folder_that_can_not_be_written_is_read_with_its_log(
    archive: Archive, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await archive.plan(PLANS, driver=PLAYED)
    assert path.with_name("archive.db-wal").stat().st_size
    monkeypatch.setattr(os, "access", lambda place, mode: False)
    assert len(read(path).rollouts) == len(PLANS)
