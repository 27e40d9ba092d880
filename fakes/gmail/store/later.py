"""What a mailbox does later, by the run clock: sends that can be undone or are scheduled, snoozes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fakes.core import agenda
from fakes.core.people import Person
from fakes.gmail.errors import GoogleError, InvalidTime
from fakes.gmail.rules.labels import DRAFT, INBOX, OUT_OF_SIGHT, SCHEDULED, SNOOZED, UNREAD
from fakes.gmail.rules.places import place_of
from fakes.gmail.schema import Draft, Message, Sending, Snooze
from fakes.gmail.store import drafts, outgoing
from fakes.gmail.store.labelling import mark
from fakes.gmail.store.mailbox import labels_of, message_in, source_of, thread_in
from fakes.gmail.store.settings import settings_of

if TYPE_CHECKING:
    from fakes.core.journal import Tx
    from fakes.core.world import World

SERVICE = "gmail"
SEND, WAKE = "send", "wake"


def hand_in(world: World, person: Person, draft: Draft) -> Message | Sending:
    """What the Send button does: sends at once, or after the seconds in which the person may undo it.

    They pass on a running clock alone: where time stands still, what is sent is sent. Raises as `send`.
    """
    seconds = settings_of(world, person.id).undo_seconds
    if world.clock.mode != "running" or not seconds:
        return drafts.send_draft(world, person, draft)
    check_sendable(world, person, draft)
    return _plan(world, draft, "undo", world.now() + seconds * 1000)


def schedule(world: World, person: Person, draft: Draft, due_at: int) -> Sending:
    """Has a draft go out at `due_at` (UTC ms). Raises InvalidTime, and what `send` raises."""
    if due_at <= world.now():
        raise InvalidTime()
    check_sendable(world, person, draft)
    return _plan(world, draft, "scheduled", due_at)


def take_back(world: World, sending: Sending) -> None:
    """Undoes a send, or cancels a scheduled one: it is a draft again."""
    with world.tx() as tx:
        _unplan(tx, world, sending)
        draft = world.get(Draft, sending.draft_id)
        if draft is not None:
            mark(tx, world, sending.owner, [draft.message_id], add=[DRAFT], remove=[SCHEDULED])


def check_sendable(world: World, person: Person, draft: Draft) -> None:
    """Raises what sending the draft now would raise."""
    message = message_in(world, person.id, draft.message_id)
    if message is not None:
        outgoing.check_sendable(source_of(world, message).raw)


def _plan(world: World, draft: Draft, kind: str, due_at: int) -> Sending:
    with world.tx() as tx:
        before = world.get(Sending, draft.id)
        if before is not None:
            _unplan(tx, world, before)
        mark(tx, world, draft.owner, [draft.message_id], add=[SCHEDULED], remove=[DRAFT])
        agenda.schedule(
            tx, service=SERVICE, kind=SEND, ref=draft.id, due_at=due_at, payload={"draft": draft.id}
        )
        return tx.insert(
            Sending(
                draft_id=draft.id, owner=draft.owner, kind=kind, asked_at=world.now(), due_at=due_at
            )
        )  # fmt: skip


def _unplan(tx: Tx, world: World, sending: Sending) -> None:
    agenda.cancel(tx, world, service=SERVICE, kind=SEND, ref=sending.draft_id)
    tx.delete(sending)


def send_due(world: World, payload: dict[str, Any]) -> None:
    """Sends a draft whose time has come. One that can't be sent, or was thrown away, is a draft again."""
    draft = world.get(Draft, payload["draft"])
    person = world.get(Person, draft.owner) if draft else None
    sending = world.get(Sending, payload["draft"])
    if draft is None or person is None or sending is None:
        return
    message = message_in(world, person.id, draft.message_id)
    if message is not None and _is_out_of_sight(world, message):
        return take_back(world, sending)
    try:
        drafts.send_draft(world, person, draft)
    except GoogleError:
        take_back(world, sending)


def snooze(world: World, owner: str, thread_id: str, until_at: int) -> Snooze:
    """Takes a conversation out of the inbox until `until_at` (UTC ms). Raises InvalidTime."""
    if until_at <= world.now():
        raise InvalidTime()
    with world.tx() as tx:
        before = world.get(Snooze, owner, thread_id)
        if before is not None:
            forget_snooze(tx, world, before)
        ids = [message.id for message in thread_in(world, owner, thread_id)]
        mark(tx, world, owner, ids, add=[SNOOZED], remove=[INBOX])
        payload = {"owner": owner, "thread": thread_id}
        ref = f"{owner}/{thread_id}"
        agenda.schedule(tx, service=SERVICE, kind=WAKE, ref=ref, due_at=until_at, payload=payload)
        return tx.insert(Snooze(owner=owner, thread_id=thread_id, snoozed_at=world.now(), until_at=until_at))


def unsnooze(world: World, found: Snooze, *, due: bool = False) -> None:
    """Brings a conversation back to the inbox: to its own place, or if it was `due` to the top, unread.

    What was moved to trash or spam meanwhile stays there.
    """
    with world.tx() as tx:
        forget_snooze(tx, world, found)
        messages = thread_in(world, found.owner, found.thread_id)
        ids = [message.id for message in messages]
        mark(tx, world, found.owner, ids, remove=[SNOOZED])
        newest = [message for message in messages if not _is_out_of_sight(world, message)][-1:]
        place = place_of(world.now(), newest[0].seq) if due and newest else None
        mark(tx, world, found.owner, [each.id for each in newest], add=[INBOX], place=place)
        if due:
            mark(tx, world, found.owner, [each.id for each in newest], add=[UNREAD])


def _is_out_of_sight(world: World, message: Message) -> bool:
    return any(label in OUT_OF_SIGHT for label in labels_of(world, [message.id])[message.id])


def forget_snooze(tx: Tx, world: World, found: Snooze) -> None:
    """Drops the plan to bring a conversation back; its labels stay as they are."""
    agenda.cancel(tx, world, service=SERVICE, kind=WAKE, ref=f"{found.owner}/{found.thread_id}")
    tx.delete(found)


def wake_due(world: World, payload: dict[str, Any]) -> None:
    """A snoozed conversation's time has come."""
    found = world.get(Snooze, payload["owner"], payload["thread"])
    if found is not None:
        unsnooze(world, found, due=True)


DUE = {SEND: send_due, WAKE: wake_due}
