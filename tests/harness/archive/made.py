"""An archive with a few runs in it, for tests of whatever reads one.

Two models and a stand-in, on two tasks of the claims desk and one of the console: passed, refused by one
guard or another, in error, timed out, without a browser, void, with a grader error that was graded again,
with a task that was changed since, and a run that was stopped.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from harness.archive.places import archive_in, bundle_name
from harness.archive.records import Outcome, Plan, State
from harness.archive.store import Archive
from harness.driver import Driver
from harness.evidence import Usage
from harness.grade import Verdict

RECORD = "claims_desk/record-the-determination"
ATTACH = "claims_desk/find-and-attach"
CONSOLE = "claims_console/raise-the-cap"
GUARDS: Mapping[str, Sequence[str]] = {
    RECORD: ("one-notice-per-document", "right-claimant", "printed-deadline-kept", "nothing-else-changed"),
    ATTACH: ("attached-once", "right-document", "nothing-else-changed"),
    CONSOLE: ("cap-raised", "nothing-else-changed"),
}
USAGE = Usage(steps=12, tokens_in=8000, tokens_out=900, cost_usd=0.05)


def verdicts(task: str, *refused: str, errs: str = "") -> tuple[Verdict, ...]:
    """What the guards of a task say; `refused` refuse, `errs` could not say."""
    said = {guard: ("refused", f"{guard} does not hold") for guard in refused}
    said |= {errs: ("error", "KeyError: 'due'")} if errs else {}
    return tuple(Verdict(guard, *said.get(guard, ("passed", ""))) for guard in GUARDS[task])  # type: ignore[arg-type]


def outcome(task: str, state: State, *refused: str, errs: str = "") -> Outcome:
    """What comes of a rollout that ends so."""
    error = {"error": "agent.py:7: RuntimeError: out of ideas", "time-out": "not done after 60 seconds"}
    said = verdicts(task, *refused, errs=errs)
    return Outcome(
        state, "r1", 31.5, error.get(state, ""), None, "api", usage=USAGE, verdicts=said,
    )  # fmt: skip


async def run(
    archive: Archive, driver: Driver, ends: Sequence[tuple[str, Sequence[Outcome]]], *, stops: int = 0
) -> str:
    """A run in which each task ends so, once an outcome; of the last task `stops` rollouts stay planned."""
    plans = [Plan(task, 1, n + 1) for task, outcomes in ends for n in range(len(outcomes))]
    last = ends[-1][0], len(ends[-1][1])
    plans += [Plan(last[0], 1, last[1] + 1 + n) for n in range(stops)]
    targets = [task for task, _ in ends]
    made = await archive.plan(plans, driver=driver, targets=targets, versions={"paracosm": "0.1.0"})
    planned = iter((await archive.records()).of_run(made.id))
    for _task, outcomes in ends:
        for each in outcomes:
            rollout = next(planned)
            await archive.begin(rollout.id)
            kept = bundle_name(made.id, rollout.task, rollout.seed, rollout.number)
            graded = each.verdicts is not None
            await archive.finish(rollout.id, replace(each, bundle=kept if graded else None))
    return made.id


async def fill(path: Path) -> None:
    """Fills an archive with four runs: `1-grand`, `2-petite`, `3-stand-in-honest` and `4-petite`."""
    lost = Outcome("error", "", 4.0, "the agent's process died with signal 9")
    missing = Outcome("not-run", "r1", 0.1, "no Chromium found", verdicts=verdicts(ATTACH, *GUARDS[ATTACH]))
    async with Archive.open(path) as archive:
        grand = Driver(rail="model", model="grand", max_turns=50)
        petite = Driver(rail="model", model="petite", max_turns=50)
        await run(
            archive, grand, [
                (RECORD, [outcome(RECORD, "passed")] * 3 + [outcome(RECORD, "failed", "right-claimant")]),
                (ATTACH, [outcome(ATTACH, "passed")] * 2 + [outcome(ATTACH, "time-out", "attached-once")]),
                (CONSOLE, [outcome(CONSOLE, "passed"), outcome(CONSOLE, "grader error", errs="cap-raised")]),
            ],
        )  # fmt: skip
        second = await run(
            archive, petite, [
                (RECORD, [outcome(RECORD, "passed")] + [outcome(RECORD, "failed", "right-claimant")] * 3),
                (ATTACH, [outcome(ATTACH, "failed", "attached-once", "right-document"), missing, lost]),
                (CONSOLE, [outcome(CONSOLE, "void"), outcome(CONSOLE, "failed", "cap-raised")]),
            ],
        )  # fmt: skip
        await run(archive, Driver(recipe="stand-in-honest"), [(RECORD, [outcome(RECORD, "passed")])])
        await run(archive, petite, [(RECORD, [outcome(RECORD, "passed")])], stops=2)
        records = await archive.records()
        [broken] = [each for each in records.rollouts if each.state == "grader error"]
        await archive.add_grading(broken.id, "r2", "passed", verdicts(CONSOLE))
        failed = next(each for each in records.of_run(second) if each.state == "failed")
        await archive.add_grading(failed.id, "r2", "passed", verdicts(RECORD))
        await archive.classify(failed.id, "contract gap", "Two claimants share a name.", "right-claimant")


def filled(data: Path) -> Path:
    """As `fill`, for tests that have no event loop: the archive of a data folder."""
    path = archive_in(data)
    asyncio.run(fill(path))
    return path
