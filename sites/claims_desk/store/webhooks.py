"""Webhooks: programs outside that the desk tells of what happens, in the transaction of what happens.

A delivery is a POST of `{"id", "event", "occurred_at", "data"}` with the headers `Ferry-Delivery` (the id,
the same each time it is sent), `Ferry-Event`, `Ferry-Timestamp` (seconds of the wall clock) and
`Ferry-Signature`: `v1=` and the HMAC-SHA256, in hex, of timestamp, a full stop and the body, keyed by the
webhook's secret. The secret follows from the world's and is shown once, when the webhook is made. What is
about one row arrives in order.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from typing import Any

import orjson

from fakes.core import callbacks, outbox
from fakes.core.callbacks import NotReachable
from fakes.core.journal import Tx
from fakes.core.outbox import DeliveryView, NotSendable, Outgoing, Post, Stamp
from fakes.core.store import Row
from fakes.core.world import World
from sites.claims_desk.errors import BeingSent, Invalid, NotFound, TooManyWebhooks
from sites.claims_desk.schema import Operator, Webhook
from sites.claims_desk.store import SERVICE
from sites.claims_desk.store import events as log
from sites.claims_desk.store.reading import FIRST, Page, newest, own
from sites.claims_desk.wire import instant, shown

KIND = "webhook"
EVENTS = (
    "notice.recorded", "notice.flagged", "questionnaire.sent", "questionnaire.answered", "protest.filed",
    "statement.audited",
)  # fmt: skip
MOST = 20


def webhooks(world: World, me: Operator, page: Page = FIRST) -> list[Webhook]:
    """The tenant's webhooks, newest first."""
    return newest(world, Webhook, me, page)


def webhook(world: World, me: Operator, id: str) -> Webhook:
    """One webhook. Raises NotFound."""
    return own(world, Webhook, me, "webhook", id)


def add_webhook(world: World, me: Operator, url: str, events: Sequence[str]) -> Webhook:
    """Has these events told to a URL from now on. Raises Invalid, TooManyWebhooks."""
    wanted = [event for event in EVENTS if event in events]
    unknown = sorted(set(events) - set(EVENTS))
    if unknown or not wanted:
        said = f"There is no event {unknown[0]!r}." if unknown else "A webhook wants at least one event."
        raise Invalid(f"{said} Choose from {', '.join(EVENTS)}.", "events")
    address = _address(url)
    if world.count(Webhook, "WHERE tenant_id = ?", (me.tenant_id,)) >= MOST:
        raise TooManyWebhooks(f"A desk has at most {MOST} webhooks. Remove one first.")
    with world.tx() as tx:
        made = tx.insert(Webhook(
            id=tx.new_id("cd_webhook", prefix="whk_"), seq=tx.seq("cd_webhook"), tenant_id=me.tenant_id,
            url=address, events=" ".join(wanted), created_at=world.now(), created_by=me.email,
        ))  # fmt: skip
        log.by(tx, world, me, "webhook.added", made.id, f"Webhook to {made.url} added")
    return made


def _address(url: str) -> str:
    address = url.strip()
    try:
        callbacks.receiver(address)
    except NotReachable as refusal:
        raise Invalid(str(refusal), "url") from None
    return address


def secret_of(world: World, webhook: Webhook) -> str:
    """What its deliveries are signed with. It is shown once: when the webhook is made."""
    return world.secrets.token("cd_webhook", webhook.id, prefix="whsec_")


def remove_webhook(world: World, me: Operator, id: str) -> None:
    """Tells it nothing more; what was not sent yet is kept. Raises NotFound."""
    found = webhook(world, me, id)
    with world.tx() as tx:
        tx.delete(found)
        log.by(tx, world, me, "webhook.removed", found.id, f"Webhook to {found.url} removed")


# telling


def tell(tx: Tx, world: World, tenant_id: str, event: str, row: Row, **more: Any) -> None:
    """Puts an event about a row into the outbox for each webhook that wants it; `more` goes with the data."""
    wanting = world.all(Webhook, "WHERE tenant_id = ? ORDER BY seq", (tenant_id,))
    for hook in wanting:
        if event in hook.events.split():
            said = {"event": event, "occurred_at": instant(world.now()), "data": {**shown(row), **more}}
            body = orjson.loads(orjson.dumps(said, option=orjson.OPT_UTC_Z))
            outbox.put(
                tx, service=SERVICE, kind=KIND, receiver=hook.url, topic=f"{hook.id} {row.key()[0]}",
                created_at=world.now(), payload={"webhook_id": hook.id, **body},
            )  # fmt: skip


def to_send(world: World, outgoing: Outgoing, stamp: Stamp) -> Post:
    """The signed request that delivers an event. Raises NotSendable once its webhook is removed."""
    body = outgoing.payload
    hook = world.get(Webhook, body.pop("webhook_id", ""))
    if hook is None:
        raise NotSendable("Its webhook was removed.")
    content = orjson.dumps({"id": stamp.delivery, **body})
    timestamp = str(stamp.wall_ms // 1000)
    headers = {
        "Content-Type": "application/json",
        "Ferry-Delivery": stamp.delivery,
        "Ferry-Event": str(body.get("event", "")),
        "Ferry-Timestamp": timestamp,
        "Ferry-Signature": f"v1={signature(secret_of(world, hook), timestamp, content)}",
    }
    return Post(hook.url, headers, content)


def signature(secret: str, timestamp: str, body: bytes) -> str:
    """HMAC-SHA256 over timestamp, a full stop and the body, in hex."""
    return hmac.new(secret.encode(), timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()


# what became of it


def deliveries(world: World, me: Operator, id: str, page: Page = FIRST) -> list[DeliveryView]:
    """What was put out for a webhook, newest first. Raises NotFound."""
    hook = webhook(world, me, id)
    return outbox.deliveries_to(world, hook.url, f"{hook.id} ", limit=page.limit, before=page.end)


def send_again(world: World, me: Operator, id: str, number: str) -> DeliveryView:
    """Has a delivery of this webhook, by its number as text, sent again with its own id.

    Raises NotFound, BeingSent.
    """
    hook = webhook(world, me, id)
    is_number = number.isascii() and number.isdigit() and len(number) < 17
    found = world.get(Outgoing, int(number)) if is_number else None
    if found is None or found.kind != KIND or not found.topic.startswith(f"{hook.id} "):
        raise NotFound("delivery", number[:40])
    try:
        with world.tx() as tx:
            again = outbox.resend(world, found.id)
            event = found.payload.get("event", "event")
            log.by(tx, world, me, "webhook.resent", hook.id, f"{event} to be sent again to {hook.url}")
    except NotSendable as refusal:
        raise BeingSent(str(refusal)) from None
    return again
