"""Grading a solution: the holds, then each invariant of the instance, in real processes.

A verdict is an invariant's, and what an attempt's world is to other graders, here its workspace is. The same
workspace gives the same verdict, as far as its own code does the same each time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from harness.code.bench import SECONDS, Bench, open_bench, said
from harness.code.declaring import HOOK, TESTS, CodeEnvironment, CodeTask
from harness.code.discovery import load_code_environment
from harness.code.grader import grader_of
from harness.code.holds import STANDING
from harness.code.visible import Visible, try_visible
from harness.evidence import Ended
from harness.frames import told
from harness.grade import Grade, Verdict
from harness.parallel import Crew, Job, Lost, Shop

LIMIT = SECONDS + 120  # after which a process that tries something is ended


@dataclass(frozen=True)
class Trial:
    """What came of one invariant, in how many seconds, after how many crashes."""

    verdict: Verdict
    seconds: float = 0.0
    crash_points: int = 0


@dataclass(frozen=True)
class Holding:
    """What the holds said, each of them, and how the visible tests went."""

    verdicts: tuple[Verdict, ...]
    visible: Visible
    seconds: float = 0.0

    @property
    def broken(self) -> tuple[Verdict, ...]:
        """Those that do not hold."""
        return tuple(verdict for verdict in self.verdicts if verdict.state == "refused")

    @property
    def errors(self) -> tuple[Verdict, ...]:
        """Those that could not say: a fault of the grader."""
        return tuple(verdict for verdict in self.verdicts if verdict.state == "error")

    @property
    def kept(self) -> bool:
        """Whether all hold."""
        return all(verdict.state == "passed" for verdict in self.verdicts)


@dataclass(frozen=True)
class CodeReport:
    """The grade of a solution, and what it rests on."""

    grade: Grade
    holding: Holding
    trials: tuple[Trial, ...]

    @property
    def seconds(self) -> float:
        """How long it took, one after the other."""
        return self.holding.seconds + sum(trial.seconds for trial in self.trials)

    @property
    def crash_points(self) -> int:
        """How many crashes the solution was put through."""
        return sum(trial.crash_points for trial in self.trials)


def try_holds(env: CodeEnvironment, workspace: Path) -> Holding:
    """What every hold says of a solution."""
    began = time.monotonic()
    with open_bench(env, workspace, TESTS) as bench:
        visible = try_visible(bench)
    with open_bench(env, workspace, HOOK) as bench:  # another one, that no test has touched
        checks: dict[str, Callable[[], None]] = {
            **{name: partial(check, bench, visible) for name, check in STANDING.items()},
            **{name: partial(hold.check, bench) for name, hold in grader_of(env).holds.items()},
        }
        verdicts = [_verdict(name, check, bench) for name, check in checks.items()]
    return Holding(tuple(verdicts), visible, time.monotonic() - began)


def try_invariant(env: CodeEnvironment, workspace: Path, name: str) -> Trial:
    """What an invariant says of a solution."""
    began, check = time.monotonic(), grader_of(env).invariants[name].check
    with open_bench(env, workspace, name) as bench:
        verdict = _verdict(name, lambda: check(bench), bench)
    return Trial(verdict, time.monotonic() - began, bench.crash_points)


def _verdict(name: str, check: Callable[[], None], bench: Bench) -> Verdict:
    try:
        check()
        assert not bench.tampered, bench.tampered
    except AssertionError as refusal:
        return Verdict(name, "refused", said(refusal))
    except RecursionError:  # a grader that recurses by itself refuses the reference too, and is not qualified
        return Verdict(name, "refused", "it left values that are nested too deep to be read")
    except (Exception, SystemExit) as error:  # whatever it raises beside is its fault, and never a 0
        if bench.tampered:
            return Verdict(name, "refused", bench.tampered)
        return Verdict(name, "error", told(error, [bench.env.folder / "grader"]))
    return Verdict(name, "passed")


# as jobs


async def _hold(shop: Shop, env: str, workspace: Path) -> Holding:
    shop.say(env, "holds")
    return try_holds(load_code_environment(env), workspace)


async def _try(shop: Shop, env: str, workspace: Path, name: str) -> Trial:
    shop.say(env, name)
    return try_invariant(load_code_environment(env), workspace, name)


def jobs(env: CodeEnvironment, title: str, workspace: Path, invariants: Sequence[str]) -> list[Job]:
    """The holds, then each invariant, as jobs for a crew. They can be done in any order."""
    holds = Job(f"{title} · holds", _hold, (env.slug, workspace), LIMIT, may_break=True)
    return [
        holds,
        *(Job(f"{title} · {name}", _try, (env.slug, workspace, name), LIMIT, True) for name in invariants),
    ]


def holding_of(came: Holding | Lost) -> Holding:
    """What came of the first job; of a process that was lost, a grader error."""
    if isinstance(came, Lost):
        return Holding((Verdict(TESTS, "error", f"the process that looked at holds {came.how}"),), Visible(0))
    return came


def trial_of(name: str, came: Trial | Lost) -> Trial:
    """What came of a job for an invariant; of a process that was lost, a grader error."""
    return came if isinstance(came, Trial) else Trial(Verdict(name, "error", f"its process {came.how}"))


# as a grade


def grade_solution(
    task: CodeTask, workspace: Path, *, ended: Ended = "finished", crew: Crew | None = None
) -> CodeReport:
    """Grades a workspace; spread over a crew's processes, if one is given. Blocks until it is done."""
    if crew is not None:
        return _by_crew(task, workspace, ended, crew)
    holding = try_holds(task.env, workspace)
    asked = task.instance.invariants if holding.kept else ()
    return report(task, holding, {name: try_invariant(task.env, workspace, name) for name in asked}, ended)


def _by_crew(task: CodeTask, workspace: Path, ended: Ended, crew: Crew) -> CodeReport:
    first, *rest = jobs(task.env, task.name, workspace, task.instance.invariants)
    holding = holding_of(crew.run([first])[0])
    came = crew.run(rest) if holding.kept else []
    names = task.instance.invariants
    trials = {name: trial_of(name, each) for name, each in zip(names, came, strict=False)}
    return report(task, holding, trials, ended)


def report(task: CodeTask, holding: Holding, trials: Mapping[str, Trial], ended: Ended) -> CodeReport:
    """Holds and trials as a report. A hold that could not say makes a grader error."""
    void = "; ".join(f"{verdict.guard}: {verdict.message}" for verdict in holding.broken)
    chosen = [trials[name] for name in task.instance.invariants if name in trials and holding.kept]
    verdicts = [trial.verdict for trial in chosen] or [
        Verdict(name, "not judged") for name in task.instance.invariants
    ]
    return CodeReport(Grade((*holding.errors, *verdicts), ended, void), holding, tuple(chosen))
