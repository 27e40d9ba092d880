from __future__ import annotations

from fakes.core.world import World
from fakes.gmail import store
from fakes.gmail.schema import Message
from tests.fakes.gmail.town import Cast, raw


def _received(world: World, cast: Cast) -> Message:
    store.send(world, cast.tom, raw(To=cast.mira.email))
    [message] = world.all(Message, "WHERE owner = ?", (cast.mira.id,))
    return message


def test_a_mailbox_without_mail_is_empty(lone_world: World, cast: Cast) -> None:
    mailbox = store.mailbox_of(lone_world, cast.mira.id)
    assert (mailbox.messages_total, mailbox.threads_total, mailbox.history_id) == (0, 0, 1)


def test_reading_takes_unread_away_and_counts_as_history(lone_world: World, cast: Cast) -> None:
    message = _received(lone_world, cast)
    assert store.unread_counts(lone_world, cast.mira.id)["INBOX"] == 1
    assert store.mark_read(lone_world, cast.mira.id, [message.id]) == 1
    assert store.labels_of(lone_world, [message.id]) == {message.id: ["CATEGORY_PERSONAL", "INBOX"]}
    assert store.unread_counts(lone_world, cast.mira.id).get("INBOX", 0) == 0
    assert store.history_ids_of(lone_world, [message.id]) == {message.id: 3}


def test_reading_twice_writes_once(lone_world: World, cast: Cast) -> None:
    message = _received(lone_world, cast)
    store.mark_read(lone_world, cast.mira.id, [message.id])
    head = lone_world.journal.head()
    assert store.mark_read(lone_world, cast.mira.id, [message.id]) == 0
    assert lone_world.journal.head() == head


def test_nobody_reads_anothers_mail(lone_world: World, cast: Cast) -> None:
    message = _received(lone_world, cast)
    assert store.message_in(lone_world, cast.tom.id, message.id) is None
    assert store.thread_in(lone_world, cast.tom.id, message.thread_id) == []
    assert store.mark_read(lone_world, cast.tom.id, [message.id]) == 0


def test_a_message_never_changes(lone_world: World, cast: Cast) -> None:
    message = _received(lone_world, cast)
    store.mark_read(lone_world, cast.mira.id, [message.id])
    changed = {change.table for change in lone_world.diff() if change.before is not None}
    assert "gmail_messages" not in changed
