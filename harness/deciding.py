"""Which row a refusal is about: the one that the refusing guard read last of what the attempt changed."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

from fakes.core.service import Service
from fakes.core.store import Params, Row, SqlValue, to_sql
from fakes.core.world import World
from harness.evidence import End, Evidence, OpenEvidence
from harness.grade import Grade, parse_answer
from harness.guards import BY_THE_NAMED_SURFACE, NOTHING_ELSE_CHANGED, Guard, Subject
from harness.reads import arguments, quietly
from harness.standing import extra_changes, foreign_changes
from harness.task import Task

R = TypeVar("R", bound=Row)
Key = tuple[SqlValue, ...]


@dataclass(frozen=True)
class Place:
    """A row by table and key."""

    table: str
    key: Key


def deciding_row(
    task: Task, evidence: Evidence, graded: Grade, guard: str, services: Mapping[str, Service]
) -> Place | None:
    """The row that `guard` refused this attempt for; None where it refuses for what is not there.

    Rows that the attempt changed come first: of those the one that the guard read last, or else was handed
    last; where a subject was not found, one of its table. Failing them, the last one that it read at all.
    """
    with OpenEvidence(evidence, services) as (before, after):
        end = _TracedEnd(before, after, evidence, parse_answer(task, evidence.answer)[0])
        changed = [Place(change.table, change.key) for change in end.changes if end.judged(change.table)]
        if guard == NOTHING_ELSE_CHANGED:
            wrong = extra_changes(task, end, evidence.facts, graded.refused)
            return _first([Place(change.table, change.key) for change in wrong])
        if guard == BY_THE_NAMED_SURFACE:
            return _first([Place(change.table, change.key) for change, _ in foreign_changes(task, end)])
        if guard not in task.guards:
            return None
        refusing = task.guards[guard]
        seen = _watched(task, refusing, end, evidence.facts)
        mine = [p for p in changed if not isinstance(refusing, Subject) or p.table == refusing.table]
        return _chosen(seen, changed) or _first(mine) or _first(seen.read[::-1])


def _first(places: Sequence[Place]) -> Place | None:
    return places[0] if places else None


@dataclass
class _Seen:
    """The rows that were read a column of, and those that were handed out, oldest first."""

    read: list[Place] = field(default_factory=list)
    handed: list[Place] = field(default_factory=list)


def _chosen(seen: _Seen, changed: Sequence[Place]) -> Place | None:
    known = set(changed)
    return next((place for place in (*seen.read[::-1], *seen.handed[::-1]) if place in known), None)


def _watched(task: Task, guard: Guard, end: _TracedEnd, facts: Any) -> _Seen:
    """What a guard looks at until it refuses."""
    if isinstance(guard, Subject):
        found = quietly(lambda: guard.find(end, facts)) or []
        return _Seen(handed=[_place(row) for row in found])
    given = arguments(task, end, facts)
    end.seen = _Seen()
    quietly(lambda: guard.check(**{name: given[name] for name in guard.params}))
    return end.seen


class _TracedEnd(End):
    """An end whose rows tell what is read of them."""

    def __init__(self, before: World, after: World, evidence: Evidence, answer: Any) -> None:
        super().__init__(before, after, evidence, answer)
        self.seen = _Seen()
        self._kinds: dict[type[Row], type[Row]] = {}

    def _kind(self, row: type[R]) -> type[R]:
        if row not in self._kinds:
            self._kinds[row] = _telling(row, lambda place: self.seen.read.append(place))
        return cast("type[R]", self._kinds[row])

    def _hand(self, rows: list[R]) -> list[R]:
        self.seen.handed += map(_place, rows)
        return rows

    def new(self, row: type[R]) -> list[R]:
        return self._hand(super().new(self._kind(row)))

    def gone(self, row: type[R]) -> list[R]:
        return self._hand(super().gone(self._kind(row)))

    def changed(self, row: type[R]) -> list[tuple[R, R]]:
        pairs = super().changed(self._kind(row))
        self._hand([after for _, after in pairs])
        return pairs

    def all(self, row: type[R], tail: str = "", params: Params = ()) -> list[R]:
        return self._hand(super().all(self._kind(row), tail, params))

    def was(self, row: type[R], tail: str = "", params: Params = ()) -> list[R]:
        return self._hand(super().was(self._kind(row), tail, params))


def _place(row: Row) -> Place:
    values = _values(row)
    return Place(row.__table__.name, tuple(to_sql(values[name]) for name in row.__table__.key))


def _values(row: Row) -> dict[str, Any]:
    """Its columns, without telling."""
    found: dict[str, Any] = object.__getattribute__(row, "__dict__")
    return found


def _telling(row: type[Row], tell: Callable[[Place], None]) -> type[Row]:
    """A row class whose rows tell when a column of theirs is read, and pass for `row` all the same."""
    telling = frozenset({*row.__table__.columns, "key", "values"})

    def read(self: Row, name: str) -> Any:
        if name == "__class__":
            return row
        if name in telling:
            tell(_place(self))
        return object.__getattribute__(self, name)

    def same(self: Row, other: object) -> Any:
        if not isinstance(other, row):
            return NotImplemented
        for each in (other, self):
            if type(each) is made:
                tell(_place(each))
        return _values(self) == _values(other)

    body = {"__getattribute__": read, "__eq__": same, "__hash__": row.__hash__}
    traits = {"table": row.__table__.name, "key": row.__table__.key}
    made: Any = types.new_class(row.__name__, (row,), traits, lambda names: names.update(body))
    made.__table__ = row.__table__
    return cast("type[Row]", made)
