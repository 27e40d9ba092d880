"""What a guard reads: rows, columns, requests, the answer. For finding guards that look at nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from fakes.core.service import Service
from harness.evidence import End, Evidence, OpenEvidence
from harness.grade import parse_answer
from harness.guards import Guard, Subject
from harness.limits import GUARD_SECONDS, limited
from harness.task import Task

_GIVEN = frozenset({"now", "actors"})  # of an end: what is so before anybody has done anything


class _Watched:
    """Stands for a value and tells what is asked of it; passes for one of its class."""

    __slots__ = ("_free", "_tell", "_value")

    def __init__(self, value: Any, tell: Callable[[str], None], free: frozenset[str] = frozenset()) -> None:
        self._value, self._tell, self._free = value, tell, free | {"__class__"}

    def __getattribute__(self, name: str) -> Any:
        own = object.__getattribute__
        if name not in own(self, "_free"):
            own(self, "_tell")(name)
        return getattr(own(self, "_value"), name)

    def __eq__(self, other: object) -> bool:
        return bool(_bare(self) == _bare(other))

    def __hash__(self) -> int:
        return hash(_bare(self))

    def __repr__(self) -> str:
        return repr(_bare(self))


def _bare(watched: Any) -> Any:
    """The value behind it; to want all of it is to read it."""
    if type(watched) is not _Watched:
        return watched
    object.__getattribute__(watched, "_tell")("all of it")
    return object.__getattribute__(watched, "_value")


def unread(task: Task, evidence: Evidence, services: Mapping[str, Service]) -> list[Guard]:
    """The guards that look at nothing of an honest end, whatever they assert: nothing could make them refuse.

    Asking counts, also where nothing is found; subjects look by what they are.
    """
    with OpenEvidence(evidence, services) as (before, after):
        end = End(before, after, evidence, parse_answer(task, evidence.answer)[0])
        guards = [guard for guard in task.guards.values() if not isinstance(guard, Subject)]
        return [guard for guard in guards if not _reads(task, guard, end, evidence.facts)]


def _reads(task: Task, guard: Guard, end: End, facts: Any) -> Sequence[str]:
    heard: list[str] = []
    given = {
        **arguments(task, end, facts, lambda row: _Watched(row, heard.append)),
        "end": _Watched(end, heard.append, _GIVEN),
        "answer": _Watched(end.answer, heard.append),
    }
    quietly(lambda: guard.check(**{name: given[name] for name in guard.params}))
    return heard


def arguments(
    task: Task, end: End, facts: Any, shown: Callable[[Any], Any] = lambda row: row
) -> dict[str, Any]:
    """What guards may ask for, by name. Each row of a subject is `shown`; where none is found, it is None."""
    given: dict[str, Any] = {"end": end, "facts": facts, "answer": end.answer}
    for argument, subject in task.subjects_by_argument.items():
        found = quietly(lambda subject=subject: subject.find(end, facts)) or []  # type: ignore[misc]
        rows = [shown(row) for row in found]
        given[argument] = rows if subject.many else next(iter(rows), None)
    return given


def quietly(call: Callable[[], Any]) -> Any:
    """What a guard's own code returns, or None: what it says is in the grade, here it counts what it read."""
    try:
        with limited(GUARD_SECONDS):
            return call()
    except (Exception, SystemExit):
        return None
