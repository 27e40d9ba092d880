"""Grading: what each guard says of an attempt's evidence.

Offline, from rows alone, and the same each time.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pydantic

from fakes.core.service import Service
from fakes.core.world import World
from harness.agreement import disagreement
from harness.evidence import End, Ended, Evidence, OpenEvidence
from harness.frames import place_of
from harness.guards import ANSWER_AS_ASKED, BY_THE_NAMED_SURFACE, NOTHING_ELSE_CHANGED, Guard, Subject
from harness.limits import GUARD_SECONDS, limited
from harness.standing import by_the_named_surface, nothing_else_changed
from harness.task import Task

State = Literal["passed", "refused", "not judged", "error"]


@dataclass(frozen=True)
class Verdict:
    """What one guard says, and why. `error` is a fault of the guard, not of the attempt."""

    guard: str
    state: State
    message: str = ""


@dataclass(frozen=True)
class Grade:
    """The verdicts on one attempt. It passed if every guard did and the attempt came to its end."""

    verdicts: tuple[Verdict, ...]
    ended: Ended = "finished"
    void: str = ""

    @property
    def refused(self) -> frozenset[str]:
        """The guards that refuse."""
        return frozenset(v.guard for v in self.verdicts if v.state == "refused")

    @property
    def errors(self) -> tuple[Verdict, ...]:
        """The guards that could not say."""
        return tuple(v for v in self.verdicts if v.state == "error")

    @property
    def all_passed(self) -> bool:
        """Whether every guard passed, however the attempt ended."""
        return not self.void and all(v.state == "passed" for v in self.verdicts)

    @property
    def passed(self) -> bool:
        """Whether the task is done."""
        return self.all_passed and self.ended == "finished"

    @property
    def state(self) -> str:
        """passed, failed, void, grader error, or how the attempt ended short of its end."""
        if self.errors:
            return "grader error"
        if self.void:
            return "void"
        return self.ended if self.ended != "finished" else "passed" if self.passed else "failed"


def grade(evidence: Evidence, task: Task, services: Mapping[str, Service]) -> Grade:
    """The grade of an attempt, from its evidence alone; void where that does not agree with itself.

    Raises EvidenceError for worlds that can't be read.
    """
    with OpenEvidence(evidence, services) as (before, after):
        void = disagreement(evidence, before, after)
        if void:
            names = (*task.guards, *task.standing)
            return Grade(tuple(Verdict(name, "not judged") for name in names), evidence.ended, void)
        return judge(task, evidence, before, after)


def judge(task: Task, evidence: Evidence, before: World, after: World) -> Grade:
    """As `grade`, on worlds that are open already and taken as they are; they can't be written afterwards."""
    answer, complaint = parse_answer(task, evidence.answer)
    end = End(before, after, evidence, answer)
    given: dict[str, Any] = {"end": end, "facts": evidence.facts}
    verdicts = list(_subjects(task, end, given))
    if answer is not None:
        given["answer"] = answer
    verdicts += [_say(guard, given) for guard in task.guards.values() if not isinstance(guard, Subject)]
    order = list(task.guards)
    verdicts.sort(key=lambda verdict: order.index(verdict.guard))
    refused = {v.guard for v in verdicts if v.state == "refused"}
    standing: dict[str, Callable[[], None]] = {
        NOTHING_ELSE_CHANGED: lambda: nothing_else_changed(task, end, evidence.facts, refused),
        BY_THE_NAMED_SURFACE: lambda: by_the_named_surface(task, end),
        ANSWER_AS_ASKED: lambda: _no_complaint(complaint),
    }
    verdicts += [_verdict(name, standing[name]) for name in task.standing]
    return Grade(tuple(verdicts), evidence.ended, _void(task, given))


def _subjects(task: Task, end: End, given: dict[str, Any]) -> Iterator[Verdict]:
    """The verdicts of the subjects' own guards; adds what they found to `given`."""
    for argument, subject in task.subjects_by_argument.items():
        rows: list[Any] = []

        def look(subject: Subject = subject, rows: list[Any] = rows) -> None:
            rows += subject.find(end, given["facts"])
            subject.found(rows)

        verdict = _verdict(subject.name, look, subject.where)
        if verdict.state == "passed":
            given[argument] = rows if subject.many else rows[0]
        yield verdict


def _say(guard: Guard, given: Mapping[str, Any]) -> Verdict:
    missing = [name for name in guard.params if name not in given]
    if missing:
        return Verdict(guard.name, "not judged", f"there is no {' and no '.join(missing)} to speak of")
    asked = {name: given[name] for name in guard.params}
    return _verdict(guard.name, lambda: guard.check(**asked), guard.check)


def _verdict(name: str, check: Callable[[], None], own: Callable[..., Any] | None = None) -> Verdict:
    try:
        with limited(GUARD_SECONDS):
            check()
    except AssertionError as refusal:
        return Verdict(name, "refused", str(refusal).split("\nassert ")[0])
    except (Exception, SystemExit) as error:  # whatever a guard raises beside is its fault, and never a 0
        code = getattr(own, "__code__", None)
        place = place_of(error, [Path(code.co_filename)]) if code else ""
        said = f"{type(error).__name__}: {error}" + (f" ({place})" if place else "")
        return Verdict(name, "error", said)
    return Verdict(name, "passed")


def _void(task: Task, given: Mapping[str, Any]) -> str:
    for hold in task.holds:
        verdict = _verdict(hold.name, lambda hold=hold: hold.check(**{n: given[n] for n in hold.params}))  # type: ignore[misc]
        if verdict.state != "passed":
            return f"{hold.name}: {verdict.message or hold.sentence}"
    return ""


def parse_answer(task: Task, raw: Any) -> tuple[Any, str]:
    """The typed answer, or None and what is wrong with it. Text is read as JSON; nothing is ever run."""
    if task.answer is None:
        return None, ""
    if raw is None:
        return None, "no answer was given"
    try:
        if isinstance(raw, (str, bytes)):
            raw = json.loads(raw)
        return task.answer.model_validate(raw), ""
    except pydantic.ValidationError as error:
        return None, "; ".join(
            f"{'.'.join(map(str, e['loc'])) or 'answer'}: {e['msg']}" for e in error.errors()
        )
    except (ValueError, RecursionError):
        return None, "the answer is no JSON"


def _no_complaint(complaint: str) -> None:
    assert not complaint, complaint
