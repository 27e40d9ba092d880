"""Lists: order, pages, search, and what a page costs in a big mailbox."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from fakes.core.seeding import Base
from fakes.core.world import World, open_world
from fakes.gmail import store
from fakes.gmail.rules.places import place_of
from fakes.gmail.rules.search import Query, parse
from fakes.gmail.schema import SearchZone
from fakes.gmail.store.words import owner_word
from tests.fakes.gmail.town import MORNING, SERVICES, Cast, raw
from tests.steps import steps

SMALL, BIG = 500, 20_000
LIMIT = 50


def _send(world: World, cast: Cast, *subjects: str, text: str = "x") -> list[str]:
    return [store.send(world, cast.mira, raw(text, To=cast.tom.email, Subject=s)).id for s in subjects]


def _found(world: World, cast: Cast, text: str = "") -> list[str]:
    query = parse(text, cast.mira.email)
    return [message_id for message_id, _ in store.list_messages(world, cast.mira.id, query, limit=LIMIT).refs]


def test_newest_first_whatever_the_order_of_writing(lone_world: World, cast: Cast) -> None:
    [late] = _send(lone_world, cast, "late")
    with lone_world.at_time(MORNING - 86_400_000):
        [early] = _send(lone_world, cast, "early")
    assert _found(lone_world, cast) == [late, early]


def test_pages_follow_each_other_to_the_end(lone_world: World, cast: Cast) -> None:
    sent = _send(lone_world, cast, *"abcde")
    first = store.list_messages(lone_world, cast.mira.id, Query(), limit=2)
    second = store.list_messages(lone_world, cast.mira.id, Query(), limit=2, before=first.next)
    third = store.list_messages(lone_world, cast.mira.id, Query(), limit=2, before=second.next)
    assert [i for page in (first, second, third) for i, _ in page.refs] == sent[::-1]
    assert third.next is None
    assert first.estimate == second.estimate == third.estimate == 5


def test_mail_that_comes_in_between_moves_no_page(lone_world: World, cast: Cast) -> None:
    sent = _send(lone_world, cast, *"abc")
    first = store.list_messages(lone_world, cast.mira.id, Query(), limit=2)
    _send(lone_world, cast, "new")
    second = store.list_messages(lone_world, cast.mira.id, Query(), limit=2, before=first.next)
    assert [message_id for message_id, _ in second.refs] == [sent[0]]


def test_searches_find_whole_words_in_their_column(lone_world: World, cast: Cast) -> None:
    [lunch] = _send(lone_world, cast, "Lunch at the café", text="Bring the budget")
    [budget] = _send(lone_world, cast, "Budget", text="for lunch")
    assert _found(lone_world, cast, "budget lunch") == [budget, lunch]
    assert _found(lone_world, cast, "subject:lunch") == [lunch]
    assert _found(lone_world, cast, '"the cafe"') == [lunch]
    assert _found(lone_world, cast, "lun") == []
    assert _found(lone_world, cast, "from:me to:tom@harborlight.example in:sent") == [budget, lunch]
    assert _found(lone_world, cast, "from:tom") == _found(lone_world, cast, "is:unread") == []
    assert _found(lone_world, cast, "is:read budget") == [budget, lunch]


def test_searches_stay_in_the_mailbox(lone_world: World, cast: Cast) -> None:
    store.send(lone_world, cast.tom, raw("secret", To=cast.lena.email))
    assert _found(lone_world, cast, "secret") == []
    assert _found(lone_world, cast, owner_word(cast.mira.id)) == []


def test_spam_and_trash_are_out_of_sight(lone_world: World, cast: Cast) -> None:
    shown, trashed = _send(lone_world, cast, "shown", "trashed")
    with lone_world.tx() as tx:
        tx.execute("UPDATE gmail_message_labels SET label = 'TRASH' WHERE message_id = ?", (trashed,))
    assert _found(lone_world, cast) == [shown]
    assert _found(lone_world, cast, "in:trash") == [trashed]
    assert _found(lone_world, cast, "in:anywhere") == [trashed, shown]


def test_conversations_are_listed_once_by_their_newest_message(lone_world: World, cast: Cast) -> None:
    first = store.send(lone_world, cast.tom, raw(To=cast.mira.email, Subject="A"))
    store.send(lone_world, cast.tom, raw(To=cast.mira.email, Subject="B"))
    store.send(lone_world, cast.lena, raw(To=cast.mira.email, Subject="Re: A", In_Reply_To=first.rfc822_id))
    refs = store.folder(lone_world, cast.mira.id, "INBOX").refs
    rows = store.lines(lone_world, cast.mira.id, refs)
    assert [(row.message.subject, row.count, row.unread) for row in rows] == [
        ("Re: A", 2, True),
        ("B", 1, True),
    ]
    assert tuple(sender.name for sender in rows[0].senders) == ("Tom Reyes", "Lena Fischer")


def test_conversations_come_in_pages(lone_world: World, cast: Cast) -> None:
    _send(lone_world, cast, *"abc")
    first = store.folder(lone_world, cast.mira.id, "SENT", limit=2)
    second = store.folder(lone_world, cast.mira.id, "SENT", limit=2, before=first.next)
    rows = store.lines(lone_world, cast.mira.id, (*first.refs, *second.refs))
    assert [row.message.subject for row in rows] == ["c", "b", "a"]
    assert second.next is None


def test_threads_come_once_over_all_pages(lone_world: World, cast: Cast) -> None:
    first = store.send(lone_world, cast.mira, raw(To=cast.tom.email, Subject="A"))
    others = [store.send(lone_world, cast.mira, raw(To=cast.tom.email, Subject=s)) for s in "BCD"]
    answer = raw(To=cast.tom.email, Subject="Re: A", In_Reply_To=first.rfc822_id)
    store.send(lone_world, cast.mira, answer, first.thread_id)
    told: list[str] = []
    before = None
    for _ in range(4):
        page = store.list_threads(lone_world, cast.mira.id, Query(), limit=1, before=before)
        told += [thread_id for thread_id, _ in page.refs]
        before = page.next
    assert told == [first.thread_id, *(message.thread_id for message in reversed(others))]
    assert before is None


def test_a_thread_is_found_by_its_newest_message_that_fits(lone_world: World, cast: Cast) -> None:
    first = store.send(lone_world, cast.mira, raw("lunch", To=cast.tom.email, Subject="A"))
    answer = raw("no", To=cast.tom.email, Subject="Re: A", In_Reply_To=first.rfc822_id)
    store.send(lone_world, cast.mira, answer, first.thread_id)
    found = store.list_threads(lone_world, cast.mira.id, parse("lunch"), limit=5)
    assert found.refs == [(first.thread_id, first.id)]


def test_drafts_are_listed_but_what_is_scheduled_is_none(lone_world: World, cast: Cast) -> None:
    world, mira = lone_world, cast.mira
    made = [store.create_draft(world, mira, raw(To=cast.tom.email, Subject=s)) for s in "abc"]
    store.schedule(world, mira, made[1], world.now() + 1000)
    found = store.list_drafts(world, mira.id, Query(), limit=5)
    assert found.refs == [(draft.id, draft.message_id) for draft in (made[2], made[0])]
    assert _found(world, cast, "in:scheduled") == [made[1].message_id]


def test_labels_are_found_by_name(lone_world: World, cast: Cast) -> None:
    [sent] = _send(lone_world, cast, "a")
    label = store.create_label(lone_world, cast.mira.id, "Work/Old stuff")
    store.relabel(lone_world, cast.mira.id, [sent], add=[label.id])
    for text in ("label:work-old-stuff", 'label:"work/old stuff"', "in:Work-Old-stuff", "has:userlabels"):
        assert _found(lone_world, cast, text) == [sent], text
    assert _found(lone_world, cast, "label:work") == _found(lone_world, cast, "has:nouserlabels") == []


def test_dates_are_midnights_of_the_worlds_search_zone(lone_world: World, cast: Cast) -> None:
    at = 1_744_853_400_000  # 2025-04-17T01:30Z, the evening before in California
    with lone_world.at_time(at):
        [sent] = _send(lone_world, cast, "a")
    assert _found(lone_world, cast, "after:1744786800 before:1744873200") == [sent]
    assert _found(lone_world, cast, "after:2025/04/16 before:2025/04/17") == [sent]
    with lone_world.tx() as tx:
        tx.insert(SearchZone(id=1, zone="UTC"))
    assert _found(lone_world, cast, "after:2025/04/16 before:2025/04/17") == []
    assert _found(lone_world, cast, "after:2025/04/17 before:2025/04/18") == [sent]


# cost


@pytest.fixture(scope="module")
def mailboxes(base: Base) -> Iterator[tuple[World, World]]:
    """Worlds in which Mira has 500 and 20,000 messages, every hundredth unread, three to a thread."""
    worlds = tuple(open_world("main", SERVICES, image=base.image) for _ in range(2))
    for world, count in zip(worlds, (SMALL, BIG), strict=True):
        _fill(world, base.facts.mira.id, count)
    yield worlds[0], worlds[1]
    for world in worlds:
        world.close()


def _fill(world: World, owner: str, count: int) -> None:
    numbers = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ? - 1)"
    key, thread = "printf('%016x', i)", "printf('%016x', i / 3 * 3)"
    label = f"{key}, ?, ?, {thread}, i * 1000 * 2097152 + i FROM n"
    with world.tx() as tx:
        tx.execute(
            f"{numbers} INSERT INTO gmail_messages SELECT {key}, i, ?, {thread}, 's', '<' || i || '@x>',"
            " i * 1000, i * 1000 * 2097152 + i, 'a@x.example', 'A', 'b@x.example', 'S', '', 1, '', '' FROM n",
            (count, owner),
        )
        tx.execute(f"{numbers} INSERT INTO gmail_message_labels SELECT {label}", (count, "INBOX", owner))
        unread = f"{numbers} INSERT INTO gmail_message_labels SELECT {label} WHERE i % 100 = 0"
        tx.execute(unread, (count, "UNREAD", owner))


@pytest.mark.parametrize(
    "query", [Query(), Query().narrowed(["INBOX"]), Query(anywhere=True)], ids=["all", "label", "any"]
)
@pytest.mark.parametrize("before", [None, [place_of(300_000, 300), 101]], ids=["first", "deep"])
def test_a_page_costs_the_same_in_a_big_mailbox(
    mailboxes: tuple[World, World], cast: Cast, query: Query, before: list[int] | None
) -> None:
    small, big = (
        steps(w, lambda w=w: store.list_messages(w, cast.mira.id, query, limit=LIMIT, before=before))  # type: ignore[misc]
        for w in mailboxes
    )
    assert big <= small * 1.1
    assert big < 3000


def test_a_page_of_conversations_costs_the_same_in_a_big_mailbox(
    mailboxes: tuple[World, World], cast: Cast
) -> None:
    small, big = (
        steps(w, lambda w=w: store.folder(w, cast.mira.id, "INBOX"))  # type: ignore[misc]
        for w in mailboxes
    )
    assert big <= small * 1.1


def test_the_rarer_label_leads(mailboxes: tuple[World, World], cast: Cast) -> None:
    big = mailboxes[1]
    query = Query().narrowed(["INBOX", "UNREAD"])
    assert steps(big, lambda: store.list_messages(big, cast.mira.id, query, limit=LIMIT)) < 20_000
