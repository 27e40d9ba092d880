"""What falls due: work that a service planned for an instant of the run clock."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from fakes.core.requests import RequestRecord, acting
from fakes.core.store import Row

if TYPE_CHECKING:
    from fakes.core.journal import Tx
    from fakes.core.world import World


class Planned(
    Row, table="agenda", key="id", indexes=("fired_at, due_at, id", "service, kind, ref"), judged=False
):
    """A piece of planned work. `error` says why its handler failed; it is not tried again."""

    id: int
    service: str
    kind: str
    ref: str
    due_at: int
    payload_json: str
    fired_at: int | None
    error: str | None

    @property
    def payload(self) -> dict[str, Any]:
        """What the planner handed over."""
        loaded: dict[str, Any] = orjson.loads(self.payload_json)
        return loaded


def schedule(
    tx: Tx, *, service: str, kind: str, ref: str, due_at: int, payload: dict[str, Any] | None = None
) -> Planned:
    """Plans `kind` for `due_at`; the service's manifest names the handler of each kind in `due`."""
    planned = Planned(
        id=tx.seq("agenda"), service=service, kind=kind, ref=ref, due_at=due_at,
        payload_json=orjson.dumps(payload or {}).decode(), fired_at=None, error=None,
    )  # fmt: skip
    return tx.insert(planned)


def cancel(tx: Tx, world: World, *, service: str, kind: str, ref: str) -> int:
    """Drops what was planned for `ref` and has not fired; returns how many."""
    tail = "WHERE service = ? AND kind = ? AND ref = ? AND fired_at IS NULL"
    planned = world.all(Planned, tail, (service, kind, ref))
    for row in planned:
        tx.delete(row)
    return len(planned)


def next_due(world: World, until: int | None = None) -> Planned | None:
    """The earliest unfired work due by `until` (None: ever)."""
    bound, params = ("", ()) if until is None else (" AND due_at <= ?", (until,))
    return world.one(Planned, f"WHERE fired_at IS NULL{bound} ORDER BY due_at, id", params)


def fire(world: World, planned: Planned) -> None:
    """Runs one piece of work as a request of its own. A handler that raises leaves nothing but its error."""
    record = RequestRecord(
        kind="clock", service=planned.service, method="DUE", path=f"{planned.kind}/{planned.ref}", status=200,
        route=f"DUE {planned.kind}",
    )  # fmt: skip
    with acting(record), world.tx() as tx:
        tx.update(planned, fired_at=world.now())
        try:
            with world.tx():
                world.due(planned.service)[planned.kind](world, planned.payload)
        except Exception as error:  # it belongs to the work, not to whoever moved the clock
            record.status = 500
            tx.update(planned, error=f"{type(error).__name__}: {error}")
    world.log.finish(record)
