"""The desk's log: who did what to which row. It holds no secrets: no link, no code, no answer's text."""

from __future__ import annotations

from collections.abc import Collection

from fakes.core.journal import Tx
from fakes.core.world import World
from sites.claims_desk.schema import Event, Operator
from sites.claims_desk.store.reading import FIRST, Page, marks, newest


def note(
    tx: Tx, world: World, tenant_id: str, actor: str | None, kind: str, subject_id: str | None, summary: str
) -> Event:
    """Adds a line in the transaction of what it tells. `actor` is an address; None is the desk itself."""
    event = Event(
        id=tx.new_id("cd_event", prefix="evt_"), seq=tx.seq("cd_event"), tenant_id=tenant_id, at=world.now(),
        actor=actor, kind=kind, subject_id=subject_id, summary=summary,
    )  # fmt: skip
    return tx.insert(event)


def by(tx: Tx, world: World, me: Operator, kind: str, subject_id: str, summary: str) -> Event:
    """Adds what an operator did."""
    return note(tx, world, me.tenant_id, me.email, kind, subject_id, summary)


def events(world: World, me: Operator, page: Page = FIRST) -> list[Event]:
    """The tenant's log, newest first."""
    return newest(world, Event, me, page)


def about(world: World, me: Operator, subject_ids: Collection[str]) -> list[Event]:
    """What the tenant's log says of these rows, newest first."""
    tail = f"WHERE subject_id IN ({marks(subject_ids)}) AND +tenant_id = ? ORDER BY +seq DESC"
    return world.all(Event, tail, (*subject_ids, me.tenant_id))
