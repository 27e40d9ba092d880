"""Leaving a mailing list, as the mail itself offers it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fakes.core import outbox
from fakes.gmail.errors import NotFound
from fakes.gmail.rules import mime
from fakes.gmail.rules.lists import Leaving, leaving
from fakes.gmail.schema import Message, Unsubscription
from fakes.gmail.store import post
from fakes.gmail.store.mailbox import source_of

if TYPE_CHECKING:
    from fakes.core.journal import Tx
    from fakes.core.people import Person
    from fakes.core.world import World


def unsubscribe(world: World, person: Person, message: Message) -> Unsubscription:
    """Leaves the list that a message came from: by the mail that it asks for, or by one click at its host,
    which is outside: that goes to the outbox. Who has left it already writes nothing more.

    Raises NotFound for a message that offers neither, and what `send` raises.
    """
    way = leaving(mime.read(source_of(world, message).raw, lenient=True))
    if way is None or way.way == "page":
        raise NotFound()
    before = unsubscription_of(world, person.id, message.sender, way.target)
    if before is not None:
        return before
    with world.tx() as tx:
        _tell(tx, world, person, message, way)
        n = tx.seq("gmail_unsubscription")
        unsubscription_id = tx.new_id("gmail_unsubscription", prefix="uns_")
        return tx.insert(
            Unsubscription(
                id=unsubscription_id, seq=n, owner=person.id, sender=message.sender, message_id=message.id,
                way=way.way, target=way.target, at=world.now(),
            )
        )  # fmt: skip


def unsubscription_of(world: World, owner: str, sender: str, target: str) -> Unsubscription | None:
    """That somebody left this sender's list, by this address or URL."""
    tail = "WHERE owner = ? AND sender = ? AND target = ? ORDER BY seq"
    return world.one(Unsubscription, tail, (owner, sender, target))


def _tell(tx: Tx, world: World, person: Person, message: Message, way: Leaving) -> None:
    if way.way == "mailto":
        post.send(world, person, mime.write([("To", way.target), ("Subject", way.subject)], way.text))
        return
    payload = {"url": way.target, "body": way.text, "message_id": message.rfc822_id, "sender": message.sender}
    outbox.put(
        tx, service="gmail", kind="unsubscribe", receiver=way.target, created_at=world.now(), payload=payload
    )
