"""Drafts: a mail being written. A draft keeps its id; its message is another one with each change.

Measured: github.com/taylorwilsdon/google_workspace_mcp/pull/920.
"""

from __future__ import annotations

import string
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fakes.gmail.errors import NotFound
from fakes.gmail.rules.labels import DRAFT
from fakes.gmail.rules.mime import Letter
from fakes.gmail.rules.threads import bare_subject
from fakes.gmail.schema import Draft, Message, Sending
from fakes.gmail.store.filing import file_copy, keep_source, take_out
from fakes.gmail.store.mailbox import message_in, messages_in, source_of
from fakes.gmail.store.outgoing import check_sendable, completed, read_draft, thread_to_join
from fakes.gmail.store.post import send_letter

if TYPE_CHECKING:
    from fakes.core.journal import Tx
    from fakes.core.people import Person
    from fakes.core.world import World


def draft_in(world: World, owner: str, draft_id: str) -> Draft | None:
    """The draft with this id, if it lies in this mailbox."""
    draft = world.get(Draft, draft_id)
    return draft if draft is not None and draft.owner == owner else None


def draft_of_message(world: World, owner: str, message_id: str) -> Draft | None:
    """The draft whose message this is."""
    return world.one(Draft, "WHERE owner = ? AND message_id = ?", (owner, message_id))


def create_draft(world: World, person: Person, raw: bytes, thread_id: str | None = None) -> Draft:
    """Keeps a mail that is being written; it may lack recipients, or anything else.

    It joins the thread named on the conditions under which a sent mail would. Raises TooLarge,
    HeadersTooLong, InvalidHeader, TooManyParts, InvalidThreadId, NotFound.
    """
    letter = read_draft(raw)
    thread = thread_to_join(world, person, letter, thread_id) if thread_id else None
    with world.tx() as tx:
        message = _keep(tx, world, person, letter, thread)
        n = tx.seq("gmail_draft")
        draft_id = world.ids.text("gmail_draft", n, prefix="r-", length=19, alphabet=string.digits)
        return tx.insert(
            Draft(id=draft_id, seq=n, owner=person.id, message_id=message.id, updated_at=world.now())
        )


def update_draft(
    world: World, person: Person, draft: Draft, raw: bytes, thread_id: str | None = None
) -> Draft:
    """Puts another mail in a draft's place; it stays in its thread while its subject does.

    Raises as `create_draft` does.
    """
    letter = read_draft(raw)
    thread = thread_to_join(world, person, letter, thread_id) if thread_id else None
    old = message_in(world, person.id, draft.message_id)
    with world.tx() as tx:
        if thread is None and old is not None and bare_subject(old.subject) == bare_subject(letter.subject):
            thread = old.thread_id
        message = _keep(tx, world, person, letter, thread)
        if old is not None:
            _discard(tx, world, old)
        return tx.update(draft, message_id=message.id, updated_at=world.now())


def discard_draft(world: World, draft: Draft) -> None:
    """Removes a draft for good."""
    with world.tx() as tx:
        message = message_in(world, draft.owner, draft.message_id)
        if message is not None:
            _discard(tx, world, message)
        forget(tx, draft)


def send_draft(world: World, person: Person, draft: Draft) -> Message:
    """Sends a draft; it is gone then, and what is returned is another message.

    Raises what `send` raises, and NotFound for a draft without its message.
    """
    message = message_in(world, person.id, draft.message_id)
    if message is None:
        raise NotFound()
    letter = check_sendable(source_of(world, message).raw)
    others = world.count(Message, "WHERE owner = ? AND thread_id = ?", (person.id, message.thread_id)) > 1
    with world.tx() as tx:
        _discard(tx, world, message)
        forget(tx, draft)
        return send_letter(tx, world, person, letter, message.thread_id if others else None)


def drop_drafts(tx: Tx, world: World, owner: str, message_ids: Sequence[str]) -> None:
    """Removes what belonged to draft messages that were removed themselves."""
    for message_id in message_ids:
        draft = draft_of_message(world, owner, message_id)
        if draft is not None:
            forget(tx, draft)


def forget(tx: Tx, draft: Draft) -> None:
    """Removes a draft's row, and its plan to be sent."""
    tx.execute("DELETE FROM gmail_sendings WHERE draft_id = ?", (draft.id,))
    tx.delete(draft)


def sending_of(world: World, draft: Draft) -> Sending | None:
    """When the draft goes out by itself, if it does."""
    return world.get(Sending, draft.id)


def _keep(tx: Tx, world: World, person: Person, letter: Letter, thread: str | None) -> Message:
    letter = completed(tx, world, letter, person)
    return file_copy(tx, world, person.id, letter, keep_source(tx, letter), [DRAFT], thread)


def _discard(tx: Tx, world: World, message: Message) -> None:
    """Removes a draft's message with its bytes: nobody else has them."""
    source = source_of(world, message)
    take_out(tx, world, message.owner, [message])
    tx.delete(source)


def delete(world: World, owner: str, message_ids: Sequence[str]) -> list[Message]:
    """Removes messages for good, drafts with what belongs to them; returns those that were there."""
    messages = messages_in(world, owner, message_ids)
    if messages:
        with world.tx() as tx:
            take_out(tx, world, owner, messages)
            drop_drafts(tx, world, owner, [message.id for message in messages])
    return messages
