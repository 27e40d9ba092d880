"""Probes: the reference's end state with one fact broken, to see which guards notice and are needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from fakes.core.journal import Change, encode
from fakes.core.requests import LoggedRequest, RequestRecord, acting
from fakes.core.service import Service
from fakes.core.store import Row, SqlValue
from fakes.core.world import World, open_world
from harness.broken import broken, other_answers
from harness.evidence import Evidence, OpenEvidence
from harness.grade import Grade, judge
from harness.task import Task

LIMIT = 1200
ROWS_PER_TABLE = 3
Apply = Callable[[World], None]
T = TypeVar("T")


@dataclass(frozen=True)
class Probe:
    """One broken fact: what it is called and how it is broken; `answer` replaces the answer.

    For a column of a row, `fact` names it ("cd_notices.state") and `how` what became of it.
    """

    name: str
    apply: Apply | None = None
    answer: Any = None
    fact: str = ""
    how: str = ""


def probe(task: Task, evidence: Evidence, services: Mapping[str, Service]) -> Iterator[tuple[Probe, Grade]]:
    """Tries the probes on a reference's evidence, each on a copy of its end."""
    with OpenEvidence(evidence, services) as (before, after):
        planned = list(plan(task, evidence, after))[:LIMIT]
        for planned_probe in planned:
            yield planned_probe, _try(task, evidence, before, planned_probe, services)


def _try(
    task: Task, evidence: Evidence, before: World, probe: Probe, services: Mapping[str, Service]
) -> Grade:
    broken = open_world("probe", services, image=evidence.after)
    try:
        if probe.apply is not None:
            probe.apply(broken)
        else:
            evidence = replace(evidence, answer=probe.answer)
        return judge(task, evidence, before, broken)
    finally:
        broken.con.close()


def plan(task: Task, evidence: Evidence, after: World) -> Iterator[Probe]:
    """Every probe there is for this end: of rows written, owned, come along and pointed at."""
    changes = after.diff(since=evidence.baseline)
    owned = frozenset().union(*(guard.owns for guard in task.guards.values()))
    yield from _answers(evidence.answer)
    for tables in (
        task.written_tables,
        owned - task.written_tables,
        task.along.keys() - task.written_tables - owned,
    ):
        for table in sorted(tables):
            for change in _some([c for c in changes if c.table == table and c.after is not None]):
                yield from _row_probes(_Target(task, evidence, after, change))
    changed = {(c.table, c.key) for c in changes}
    for table in sorted(owned):
        for row in after.all(after.rows[table], "LIMIT 1"):
            if (table, row.key()) not in changed:
                yield from _standing_row_probes(_Target(task, evidence, after, _still(row)))
    pointed_at: dict[str, list[Row]] = {}
    for row in _pointed_at(task, changes, after):
        if (row.__table__.name, row.key()) not in changed:
            pointed_at.setdefault(row.__table__.name, []).append(row)
    for rows in pointed_at.values():
        for row in _some(rows):
            yield from _standing_row_probes(_Target(task, evidence, after, _still(row)))
    yield Probe("every read forgotten", _forget_reads(evidence.first_request))


def _some(found: Sequence[T]) -> list[T]:
    """The first, the middle and the last."""
    chosen = {0, len(found) // 2, len(found) - 1} if found else set()
    return [found[n] for n in sorted(chosen)][:ROWS_PER_TABLE]


def _still(row: Row) -> Change:
    """A row that nobody has touched, as a change that is none."""
    return Change(row.__table__.name, row.key(), row.values(), row.values(), ())


def _pointed_at(task: Task, changes: Sequence[Change], after: World) -> Iterator[Row]:
    """Rows of other tables that a written row names in a column such as claim_id."""
    by_prefix: dict[tuple[str, SqlValue], None] = {}
    for change in changes:
        if change.table in task.written_tables and change.after is not None:
            named = (
                (n, v) for n, v in change.after.items() if n.endswith("_id") and isinstance(v, str) and v
            )
            by_prefix |= dict.fromkeys(named)
    tables = [row for row in after.rows.values() if row.__table__.judged and len(row.__table__.key) == 1]
    seen: set[tuple[str, SqlValue]] = set()
    for _, value in by_prefix:
        for row_type in tables:
            found = after.get(row_type, value)
            if found is not None and (row_type.__table__.name, value) not in seen:
                seen.add((row_type.__table__.name, value))
                yield found


# one row


@dataclass(frozen=True)
class _Target:
    """A row to be broken, and how the world looks around it."""

    task: Task
    evidence: Evidence
    world: World
    change: Change

    @property
    def table(self) -> str:
        return self.change.table

    @property
    def row(self) -> type[Row]:
        return self.world.rows[self.table]

    @property
    def values(self) -> dict[str, SqlValue]:
        return dict(self.change.after or {})

    @property
    def label(self) -> str:
        return f"{self.table} {', '.join(map(str, self.change.key))}"

    def writing(self, write: Callable[[World], None]) -> Apply:
        """A write that looks as if the row's own writer had made it."""
        record = self._record()

        def apply(world: World) -> None:
            with acting(replace(record)) as sent, world.tx():
                write(world)
            world.finish(sent)

        return apply

    def _record(self) -> RequestRecord:
        number = next((n for n in reversed(self.change.requests) if n is not None), None)
        logged = self.world.log.rows("WHERE id = ?", (number,)) if number is not None else []
        if logged:
            kept: dict[str, Any] = {n: getattr(logged[0], n) for n in LoggedRequest.__table__.columns}
            return RequestRecord(**{**kept, "id": 0})
        seat = next(iter(self.evidence.actors.values()))
        in_browser = self.task.surface == "browser"
        return RequestRecord(
            lease=seat.lease,
            kind="agent",
            person=seat.person,
            surface=self.task.surface,
            route=self.task.route,
            status=200,
            mode="cors" if in_browser else None,
        )


def _row_probes(target: _Target) -> Iterator[Probe]:
    yield from _columns(target)
    yield from _whole_row(target)
    if target.change.before is not None:
        before = dict(target.change.before)
        yield Probe(f"{target.label} put back as it was", target.writing(lambda w: _set(w, target, before)))
    yield from _writers(target)


def _standing_row_probes(target: _Target) -> Iterator[Probe]:
    yield from _whole_row(target)
    yield from _columns(target)


def _columns(target: _Target) -> Iterator[Probe]:
    table = target.row.__table__
    for name, kind in zip(table.columns, table.kinds, strict=True):
        if name in table.key:
            continue
        for label, value in _other_values(target, name, kind):

            def write(world: World, name: str = name, value: SqlValue = value) -> None:
                _set(world, target, {name: value})

            fact = f"{target.table}.{name}"
            yield Probe(f"{target.label}: {name} {label}", target.writing(write), fact=fact, how=label)


def _other_values(target: _Target, name: str, kind: type) -> list[tuple[str, SqlValue]]:
    value = target.values[name]
    found = [
        (label, other) for label, other in broken(name, kind, value, target.world.today()) if other != value
    ]
    sql = f"SELECT {name} FROM {target.table} WHERE {name} IS NOT ? LIMIT 1"
    neighbour = [] if name.endswith("_json") else target.world.select(sql, (value,))
    return found + [("of another row", held) for (held,) in neighbour if held is not None]


def _set(world: World, target: _Target, values: Mapping[str, SqlValue]) -> None:
    key = target.row.__table__.key
    sets = ", ".join(f"{name} = ?" for name in values)
    where = " AND ".join(f"{name} = ?" for name in key)
    world.open_txs[-1].execute(
        f"UPDATE {target.table} SET {sets} WHERE {where}", (*values.values(), *target.change.key)
    )


def _whole_row(target: _Target) -> Iterator[Probe]:
    row = target.row.read([target.values[name] for name in target.row.__table__.columns])

    def double(world: World) -> None:
        world.open_txs[-1].insert(type(row).read(list({**target.values, **_new_key(target)}.values())))

    yield Probe(f"{target.label} twice", target.writing(double))
    yield Probe(f"{target.label} removed", target.writing(lambda world: world.open_txs[-1].delete(row)))


def _new_key(target: _Target) -> dict[str, SqlValue]:
    name = target.row.__table__.key[-1]
    value = target.values[name]
    if isinstance(value, int):
        return {name: int(target.world.select(f"SELECT max({name}) FROM {target.table}")[0][0]) + 1}
    return {name: value + b"x" if isinstance(value, bytes) else f"{value}x"}


# who wrote it

_WRITERS: Mapping[str, Mapping[str, SqlValue]] = {
    "written by nobody's lease": {"lease": None, "kind": None},
    "written with another credential": {"credential": "session:another"},
    "written by another person": {"person": "somebody.else@elsewhere.example"},
    "written by another route": {"route": "POST /elsewhere"},
}


def _writers(target: _Target) -> Iterator[Probe]:
    number = next((n for n in reversed(target.change.requests) if n is not None), None)
    if number is None:
        return
    other = {"surface": "browser" if target.task.surface == "api" else "api", "mode": None}
    for said, traits in {**_WRITERS, "written by another surface": other}.items():

        def apply(world: World, traits: Mapping[str, SqlValue] = traits) -> None:
            _rewrite(world, target, number, traits)

        yield Probe(f"{target.label} {said}", apply)


def _rewrite(world: World, target: _Target, number: int, traits: Mapping[str, SqlValue]) -> None:
    """Lets the row's journal entries name a copy of their request that differs in some traits."""
    table = world.tables["requests"]
    logged = dict(
        zip(table.columns, world.select("SELECT * FROM requests WHERE id = ?", (number,))[0], strict=True)
    )
    new = world.log.newest + 1
    values = {**logged, **traits, "id": new}
    key = encode(list(target.change.key))
    with world.kernel_write():
        world.con.execute(
            f"INSERT INTO requests VALUES ({', '.join('?' * len(values))})", tuple(values.values())
        )
        world.con.execute(
            "UPDATE journal SET request = ? WHERE tbl = ? AND key = ? AND seq > ?",
            (new, target.table, key, target.evidence.baseline),
        )


_IS_READ = (
    "(method = 'GET' OR surface = 'mcp' AND NOT EXISTS "
    "(SELECT 1 FROM journal WHERE journal.request = requests.id))"
)


def _forget_reads(first_request: int) -> Apply:
    def apply(world: World) -> None:
        with world.kernel_write():
            world.con.execute(f"DELETE FROM requests WHERE id > ? AND {_IS_READ}", (first_request,))

    return apply


# the answer


def _answers(answer: Any) -> Iterator[Probe]:
    if answer is None:
        return
    yield Probe("no answer", answer=None)
    for name, value in answer.items() if isinstance(answer, dict) else ():
        for label, other in other_answers(value):
            yield Probe(f"answer: {name} {label}", answer={**answer, name: other})
