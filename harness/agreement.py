"""Whether evidence agrees with itself: the journal since the baseline leads from the world before to the one
after, and both come from the pristine state that the bundle names.

Digests only show that a file is as it was written; this shows that no world was edited past its journal.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator
from itertools import islice
from typing import Any

import apsw
import orjson

from fakes.core.journal import decode
from fakes.core.store import Table
from fakes.core.world import World
from harness.evidence import Evidence, EvidenceError

SHOWN = 3
Key = tuple[Any, ...]
State = tuple[Any, ...] | None


def disagreement(evidence: Evidence, before: World, after: World) -> str:
    """What does not fit together, in a sentence; nothing when all of it does. Raises EvidenceError."""
    try:
        found = list(islice(_differences(evidence, before, after), SHOWN + 1))
    except (apsw.Error, LookupError, ValueError, TypeError, AttributeError) as error:
        raise EvidenceError(f"A world of this evidence can't be read: {error}.") from None
    more = " and more" if len(found) > SHOWN else ""
    said = "the worlds and the journal of this bundle do not agree"
    return f"{said}: {', '.join(found[:SHOWN])}{more}" if found else ""


def _differences(evidence: Evidence, before: World, after: World) -> Iterator[str]:
    if {before.pristine_hash, after.pristine_hash} != {evidence.pristine_hash}:
        yield "the pristine hash"
    if before.journal.head() != evidence.baseline:
        yield "the baseline"
    journaled = _replayed(evidence, after)
    for table in after.tables.values():
        if table.journaled:
            yield from _in_table(table, before, after, journaled.get(table.name, {}))


def _replayed(evidence: Evidence, after: World) -> dict[str, dict[Key, list[State]]]:
    """By table and key, the states that the journal takes rows through: before, after, before, after, …"""
    found: dict[str, dict[Key, list[State]]] = {}
    sql = "SELECT tbl, key, before, after FROM journal WHERE seq > ? ORDER BY seq"
    for table, key, *states in after.select(sql, (evidence.baseline,)):
        through = found.setdefault(table, {}).setdefault(_key(key), [])
        through += [None if state is None else tuple((decode(state) or {}).values()) for state in states]
    return found


def _key(text: str) -> Key:
    parts = orjson.loads(text)
    return tuple(base64.b64decode(part["$bytes"]) if isinstance(part, dict) else part for part in parts)


def _in_table(table: Table, before: World, after: World, journaled: dict[Key, list[State]]) -> Iterator[str]:
    """The rows of a table that are not what the journal makes of them."""
    sql = f"SELECT {', '.join(table.columns)} FROM {table.name}"
    was, now = before.select(sql), after.select(sql)
    if was == now and not journaled:
        return
    old, new = ({table.key_of(row): row for row in rows} for rows in (was, now))
    for key in sorted({key for key, _ in old.items() ^ new.items()} | journaled.keys(), key=repr):
        states = [old.get(key), *journaled.get(key, []), new.get(key)]
        if states[::2] != states[1::2]:  # each change begins where the one before it ended
            yield f"{table.name} {', '.join(map(str, key))}"
