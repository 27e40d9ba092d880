"""What the indexes find is what the plain reading of the search language finds."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fakes.core.seeding import Base
from fakes.core.world import World, open_world
from fakes.gmail import store
from fakes.gmail.rules import mime
from fakes.gmail.rules.matching import Seen, matches
from fakes.gmail.rules.search import parse
from fakes.gmail.rules.search.texts import texts_of
from fakes.gmail.schema import Message
from tests.fakes.gmail.town import MORNING, SERVICES, Cast, raw

DAY = 86_400_000
WORDS = ("lunch", "budget", "café", "INV-22", "dock")
OPERATORS = (
    "from:tom", "from:me", "to:lena@harborlight.example", "cc:lena", "subject:budget", "is:unread", "is:read",
    "in:inbox", "in:sent", "in:trash", "is:starred", "label:work-bills", "has:attachment", "has:userlabels",
    "filename:pdf", "newer_than:20d", "older_than:1m", "before:2025/10/10", "larger:400", "smaller:400",
    "category:primary", "has:nouserlabels", "label:nowhere", "in:anywhere", "subject:(lunch OR dock)",
    "lunch AROUND 2 dock", "rfc822msgid:<fixed@x.example>",
)  # fmt: skip
_leaf = st.sampled_from((*WORDS, '"lunch budget"', *OPERATORS))
QUERIES = st.recursive(
    _leaf,
    lambda inner: st.one_of(
        st.builds("-({})".format, inner),
        st.builds("({} {})".format, inner, inner),
        st.builds("({} OR {})".format, inner, inner),
        st.builds("{{{} {}}}".format, inner, inner),
        st.builds("{} {}".format, inner, inner),
    ),
    max_leaves=6,
)
ATTACHED = b"""From: tom@harborlight.example\r
To: mira@harborlight.example\r
Subject: Paper\r
Content-Type: multipart/mixed; boundary="b"\r
\r
--b\r
\r
The lunch, then the budget of dock 2.\r
--b\r
Content-Type: application/pdf; name="dock.pdf"\r
\r
x\r
--b--\r
"""


@pytest.fixture(scope="module")
def filled(base: Base) -> Iterator[World]:
    """Mira's mailbox with forty mails that differ in what searches ask for."""
    world = open_world("main", SERVICES, image=base.image)
    _fill(world, base.facts)
    yield world
    world.close()


def _fill(world: World, cast: Cast) -> None:
    mira, tom, lena = cast.mira, cast.tom, cast.lena
    number = count()
    for back in (70, 33, 31, 21, 12, 3):
        for sender, to in ((tom, mira), (mira, lena), (lena, mira)):
            n = next(number)
            text = " ".join((WORDS * 2)[n % 5 : n % 5 + 1 + n % 4])
            headers = {"Cc": lena.email} if n % 3 == 0 and sender is not lena else {}
            with world.at_time(MORNING - back * DAY + n):
                store.send(world, sender, raw(text, To=to.email, Subject=WORDS[(n * 3) % 5], **headers))
    store.send(world, tom, ATTACHED)
    store.send(world, tom, raw("x" * 300, To=mira.email, Message_ID="<fixed@x.example>"))
    label = store.create_label(world, mira.id, "Work/Bills")
    ids = [message.id for message in world.all(Message, "WHERE owner = ? ORDER BY seq", (mira.id,))]
    store.relabel(world, mira.id, ids[::4], add=[label.id])
    store.relabel(world, mira.id, ids[::3], add=["STARRED"], remove=["UNREAD"])
    store.trash(world, mira.id, ids[1::6])


def _seen(world: World, message: Message) -> Seen:
    labels = store.labels_of(world, [message.id])[message.id]
    own = [label.name for label in store.own_labels(world, message.owner) if label.id in labels]
    letter = mime.read(store.source_of(world, message).raw, lenient=True)
    return Seen(
        texts_of(letter, message.delivered_to), frozenset(labels), tuple(own), message.received_at,
        message.size, message.rfc822_id, world.now(),
    )  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(text=QUERIES)
def test_the_indexes_find_what_the_plain_reading_finds(filled: World, base: Base, text: str) -> None:
    mira = base.facts.mira
    query = parse(text, mira.email)
    messages = filled.all(Message, "WHERE owner = ? ORDER BY place DESC", (mira.id,))
    wanted = [message.id for message in messages if matches(query, _seen_once(filled, message))]
    found = store.list_messages(filled, mira.id, query, limit=100)
    assert [message_id for message_id, _ in found.refs] == wanted
    threads = dict.fromkeys(message.thread_id for message in messages if message.id in wanted)
    assert [ref[0] for ref in store.list_threads(filled, mira.id, query, limit=100).refs] == list(threads)


_known: dict[str, Seen] = {}


def _seen_once(world: World, message: Message) -> Seen:
    if message.id not in _known:
        _known[message.id] = _seen(world, message)
    return _known[message.id]


@pytest.mark.parametrize("text", ["lunch", "lunch OR dock", "is:starred", "-lunch", "in:inbox budget", ""])
def test_pages_of_a_search_join_to_the_whole(filled: World, base: Base, text: str) -> None:
    mira = base.facts.mira
    query = parse(text, mira.email)
    whole = store.list_messages(filled, mira.id, query, limit=100).refs
    paged, before = [], None
    while True:
        page = store.list_messages(filled, mira.id, query, limit=3, before=before)
        paged += page.refs
        before = page.next
        if before is None:
            break
    assert paged == whole
