"""Labels on messages, below all surfaces."""

from __future__ import annotations

import pytest

from fakes.core.world import World
from fakes.gmail import store
from fakes.gmail.errors import InvalidLabel, LabelNotFound
from fakes.gmail.schema import Message
from tests.fakes.gmail.town import Cast, raw


@pytest.fixture
def mails(lone_world: World, cast: Cast) -> list[Message]:
    """Two received mails, the older one first."""
    for _ in range(2):
        store.send(lone_world, cast.tom, raw(To=cast.mira.email))
    return lone_world.all(Message, "WHERE owner = ? ORDER BY seq", (cast.mira.id,))


def _labels(world: World, message: Message) -> set[str]:
    return set(store.labels_of(world, [message.id])[message.id])


def test_those_that_were_found_are_returned(lone_world: World, cast: Cast, mails: list[Message]) -> None:
    ids = [mails[1].id, "0", mails[0].id, mails[1].id]
    found = store.relabel(lone_world, cast.mira.id, ids, add=["STARRED"])
    assert found == [mails[1], mails[0]]
    assert store.relabel(lone_world, cast.tom.id, ids, add=["STARRED"]) == []


def test_what_is_so_already_writes_nothing(lone_world: World, cast: Cast, mails: list[Message]) -> None:
    journal, ids = lone_world.journal.head(), [message.id for message in mails]
    store.relabel(lone_world, cast.mira.id, ids, add=["INBOX"], remove=["STARRED"])
    assert lone_world.journal.head() == journal
    store.archive(lone_world, cast.mira.id, [])
    assert lone_world.journal.head() == journal


def test_a_label_named_both_ways_is_put_on(lone_world: World, cast: Cast, mails: list[Message]) -> None:
    store.relabel(lone_world, cast.mira.id, [mails[0].id], add=["STARRED"], remove=["STARRED"])
    assert "STARRED" in _labels(lone_world, mails[0])


@pytest.mark.parametrize(
    ("label", "error"),
    [("SENT", InvalidLabel), ("MUTED", InvalidLabel), ("Bills", InvalidLabel), ("Label_2", LabelNotFound)],
)
def test_one_wrong_label_leaves_all_as_it_was(
    lone_world: World, cast: Cast, mails: list[Message], label: str, error: type[Exception]
) -> None:
    store.create_label(lone_world, cast.mira.id, "Bills")
    journal = lone_world.journal.head()
    with pytest.raises(error):
        store.relabel(lone_world, cast.mira.id, [mails[0].id], add=["STARRED", label])
    with pytest.raises(error):
        store.relabel(lone_world, cast.mira.id, [mails[0].id], add=["STARRED"], remove=[label])
    assert lone_world.journal.head() == journal


def test_each_move_leaves_the_other_places(lone_world: World, cast: Cast, mails: list[Message]) -> None:
    moves = (store.trash, store.report_spam, store.not_spam, store.trash, store.untrash, store.archive)
    places = []
    for move in moves:
        move(lone_world, cast.mira.id, [mails[0].id])
        places.append(_labels(lone_world, mails[0]) & {"INBOX", "SPAM", "TRASH"})
    assert places == [{"TRASH"}, {"SPAM"}, {"INBOX"}, {"TRASH"}, set(), set()]


def test_a_history_id_is_of_the_last_that_happened(
    lone_world: World, cast: Cast, mails: list[Message]
) -> None:
    store.archive(lone_world, cast.mira.id, [mails[0].id])
    ids = [message.id for message in mails]
    assert store.history_ids_of(lone_world, [*ids, "gone"]) == {ids[0]: 4, ids[1]: 3, "gone": 1}
    threads = [message.thread_id for message in mails]
    found = store.thread_history_ids(lone_world, cast.mira.id, [*threads, "gone"])
    assert found == {threads[0]: 4, threads[1]: 3, "gone": 1}
    assert store.newest_in(lone_world, cast.mira.id, [*threads, "gone"]) == dict(
        zip(threads, mails, strict=True)
    )


def test_what_was_thrown_away_meanwhile_does_not_come_back(
    lone_world: World, cast: Cast, mails: list[Message]
) -> None:
    due = lone_world.now() + 60_000
    store.snooze(lone_world, cast.mira.id, mails[0].thread_id, due)
    store.trash(lone_world, cast.mira.id, [mails[0].id])
    draft = store.create_draft(lone_world, cast.mira, raw(To=cast.tom.email))
    store.schedule(lone_world, cast.mira, draft, due)
    store.trash(lone_world, cast.mira.id, [draft.message_id])
    received = lone_world.count(Message, "WHERE owner = ?", (cast.tom.id,))
    lone_world.advance(due)
    assert _labels(lone_world, mails[0]) & {"INBOX", "SNOOZED", "TRASH"} == {"TRASH"}
    assert lone_world.count(Message, "WHERE owner = ?", (cast.tom.id,)) == received
    assert set(store.labels_of(lone_world, [draft.message_id])[draft.message_id]) == {"DRAFT", "TRASH"}
