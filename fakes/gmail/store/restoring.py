"""Bringing back a draft that was discarded: its rows stand in the journal, as they were."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fakes.core.journal import decode, encode
from fakes.gmail.errors import NotFound
from fakes.gmail.rules import mime
from fakes.gmail.rules.labels import DRAFT
from fakes.gmail.schema import Draft, Message
from fakes.gmail.store.drafts import draft_in
from fakes.gmail.store.filing import file_copy, keep_source
from fakes.gmail.store.mailbox import thread_in

if TYPE_CHECKING:
    from fakes.core.people import Person
    from fakes.core.world import World

_REMOVED = "SELECT before FROM journal WHERE tbl = ? AND key = ? AND after IS NULL ORDER BY seq DESC LIMIT 1"


def restore_draft(world: World, person: Person, draft_id: str) -> Draft:
    """Undoes a discard: the draft is there again, under its id. One that is there already stays as it is.

    Raises NotFound for what was no draft of this person, or was sent.
    """
    present = draft_in(world, person.id, draft_id)
    if present is not None:
        return present
    draft = _removed(world, "gmail_drafts", draft_id)
    message = _removed(world, "gmail_messages", draft["message_id"])
    if draft["owner"] != person.id or _was_sent(world, person.id, message["rfc822_id"]):
        raise NotFound()
    letter = mime.read(_removed(world, "gmail_sources", message["source_id"])["raw"], lenient=True)
    thread = message["thread_id"] if thread_in(world, person.id, message["thread_id"]) else None
    with world.tx() as tx:
        again = file_copy(tx, world, person.id, letter, keep_source(tx, letter), [DRAFT], thread)
        row = Draft(**{**draft, "message_id": again.id, "updated_at": world.now()})
        return tx.insert(row)


def _removed(world: World, table: str, key: str) -> dict[str, Any]:
    """The values of a row when it was removed. Raises NotFound."""
    rows = world.select(_REMOVED, (table, encode([key])))
    found = decode(rows[0][0]) if rows else None
    if found is None:
        raise NotFound()
    return found


def _was_sent(world: World, owner: str, rfc822_id: str) -> bool:
    tail = "INDEXED BY gmail_messages_2 WHERE owner = ? AND rfc822_id = ?"
    return bool(world.all(Message, tail, (owner, rfc822_id)))
