"""What must be true of a world's files after a crash: told in sentences, none when all of it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import apsw
import orjson

from fakes.core.journal import decode
from fakes.core.outbox import Delivery, Outgoing
from fakes.core.requests import READS
from fakes.core.world import World, open_world

Log = list[tuple[str, str, int | None]]
Groups = list[tuple[str, str, int]]


@dataclass(frozen=True)
class Standing:
    """What a world holds at a moment: its state's hash, its logged writes, how many rows each journaled."""

    hash: str
    log: Log
    groups: Groups

    @classmethod
    def of(cls, world: World) -> Standing:
        """As it is now."""
        logged = world.select("SELECT id, method, path, status FROM requests ORDER BY id")
        counts = dict(
            world.select("SELECT request, count(*) FROM journal GROUP BY request ORDER BY min(seq)")
        )
        named = {id: (method, path) for id, method, path, _ in logged}
        return cls(
            world.state_hash(),
            [(method, path, status) for _, method, path, status in logged if method not in READS],
            [(*named.get(request, ("nobody", "")), count) for request, count in counts.items()],
        )

    @classmethod
    def read(cls, told: dict[str, Any]) -> Standing:
        """As it was told in JSON."""
        return cls(told["hash"], [tuple(e) for e in told["log"]], [tuple(e) for e in told["groups"]])


def after_crash(
    world: World, before: Standing, after: Standing, between: list[Standing], cut: bool
) -> Iterator[str]:
    """What is wrong with a world whose step was cut (or, not `cut`, was answered before the crash).

    It stands as before the step or as after it; with `between`, such as pieces of work that fell due one by
    one, also there. An answered step is done for good.
    """
    found = Standing.of(world)
    allowed = [before, *between, after] if cut else [after]
    standing = next((s for s in allowed if s.hash == found.hash), None)
    if standing is None:
        yield "its state is neither the one before the step nor the one after it"
    else:
        yield from _log_disagrees(found, standing, cut)
    yield from sound(world)


def _log_disagrees(found: Standing, standing: Standing, cut: bool) -> Iterator[str]:
    """The log may lack the status of the request that was cut, and nothing else."""
    if found.groups != standing.groups:
        yield f"requests journaled {found.groups[-3:]}, not {standing.groups[-3:]}"
    expected = list(standing.log)
    if cut and expected and found.log and found.log[-1] == (*expected[-1][:2], None):
        expected[-1] = found.log[-1]
    if found.log != expected:
        yield f"the log ends with {found.log[-2:]}, not {expected[-2:]}"


def sound(world: World) -> Iterator[str]:
    """What is wrong with a world by itself: its file, its journal, its outbox."""
    for (said,) in world.select("PRAGMA integrity_check"):
        if said != "ok":
            yield f"the file is broken: {said}"
    for table in _indexes_of_words(world):
        try:
            with world.kernel_write():
                world.con.execute(f"INSERT INTO {table} ({table}) VALUES ('integrity-check')")
        except apsw.Error as error:
            yield f"the index {table} is broken: {error}"
    yield from _unjournaled(world)
    sent = {row.id for row in world.all(Outgoing) if row.kind == "webhook"}
    waiting = {row.id for row in world.all(Delivery)}
    if sent != waiting:
        yield f"outgoing rows {sorted(sent ^ waiting)} and deliveries do not belong together"


def _indexes_of_words(world: World) -> list[str]:
    found = world.select("SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL TABLE%fts5%'")
    return [name for (name,) in found]


def _unjournaled(world: World) -> Iterator[str]:
    """Tables that are not what the journal makes of the pristine ones."""
    pristine = open_world(world.name, world.services, image=world.pristine)
    tables = [table for table in world.tables.values() if table.journaled]
    rows = {t.name: {_key(t.key_of(r)): r for r in _rows(pristine, t.name)} for t in tables}
    pristine.close()
    for table, key, after in world.select("SELECT tbl, key, after FROM journal ORDER BY seq"):
        at = _key(orjson.loads(key))
        if after is None:
            rows[table].pop(at, None)
        else:
            rows[table][at] = tuple((decode(after) or {}).values())
    for table in tables:
        if {_key(table.key_of(row)): row for row in _rows(world, table.name)} != rows[table.name]:
            yield f"{table.name} is not what the journal makes of the pristine table"


def _rows(world: World, table: str) -> list[tuple[Any, ...]]:
    return world.select(f"SELECT * FROM {table}")


def _key(parts: Any) -> tuple[Any, ...]:
    return tuple(orjson.dumps(part, default=repr) for part in parts)
