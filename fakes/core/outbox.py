"""What leaves the world: effects for receivers outside it, committed together with their cause."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from fakes.core.store import Row

if TYPE_CHECKING:
    from fakes.core.journal import Tx


class Outgoing(Row, table="outbox", key="id"):
    """Something kept for a receiver outside the world, such as mail to a foreign address."""

    id: int
    service: str
    kind: str
    receiver: str
    created_at: int
    payload_json: str


def put(
    tx: Tx, *, service: str, kind: str, receiver: str, created_at: int, payload: dict[str, Any]
) -> Outgoing:
    """Keeps an effect for `receiver` in the transaction of its cause."""
    body = orjson.dumps(payload).decode()
    row = Outgoing(
        id=tx.seq("outbox"),
        service=service,
        kind=kind,
        receiver=receiver,
        created_at=created_at,
        payload_json=body,
    )
    return tx.insert(row)
