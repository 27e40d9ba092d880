from __future__ import annotations

from dataclasses import asdict
from typing import Any

import pytest

from fakes.core.world import World
from fakes.gmail import store
from fakes.gmail.schema import Filter
from fakes.gmail.store import Wanted, refiltering
from tests.fakes.gmail.town import Cast, raw


def _filter(cast: Cast, **columns: Any) -> Filter:
    return Filter(owner=cast.mira.id, id="f", seq=1, **asdict(Wanted(**columns)))


def _mail(world: World, cast: Cast, subject: str) -> str:
    store.send(world, cast.tom, raw("About it", To=cast.mira.email, Subject=subject))
    sql = "SELECT id FROM gmail_messages WHERE owner = ? ORDER BY seq DESC LIMIT 1"
    return str(world.select(sql, (cast.mira.id,))[0][0])


def _labels(world: World, message_id: str) -> list[str]:
    return store.labels_of(world, [message_id])[message_id]


def test_a_filter_is_done_to_what_it_would_have_taken(lone_world: World, cast: Cast) -> None:
    old, other = _mail(lone_world, cast, "Invoice 7"), _mail(lone_world, cast, "Lunch")
    row = _filter(cast, sender="tom", subject="invoice", add_labels="STARRED", remove_labels="INBOX UNREAD")
    assert store.caught(lone_world, cast.mira, row, limit=10).estimate == 1
    assert store.apply_to_mail(lone_world, cast.mira, row) == 1
    assert _labels(lone_world, old) == ["CATEGORY_PERSONAL", "STARRED"]
    assert _labels(lone_world, other) == ["CATEGORY_PERSONAL", "INBOX", "UNREAD"]


def test_a_category_replaces_the_one_before_and_the_trash_the_inbox(lone_world: World, cast: Cast) -> None:
    old = _mail(lone_world, cast, "Invoice 7")
    store.apply_to_mail(lone_world, cast.mira, _filter(cast, query="invoice", add_labels="CATEGORY_UPDATES"))
    assert _labels(lone_world, old) == ["CATEGORY_UPDATES", "INBOX", "UNREAD"]
    store.apply_to_mail(lone_world, cast.mira, _filter(cast, query="invoice", add_labels="TRASH"))
    assert _labels(lone_world, old) == ["CATEGORY_UPDATES", "TRASH", "UNREAD"]


def test_drafts_spam_and_trash_stay_as_they_are(lone_world: World, cast: Cast) -> None:
    spam, trash = _mail(lone_world, cast, "Invoice 7"), _mail(lone_world, cast, "Invoice 8")
    store.report_spam(lone_world, cast.mira.id, [spam])
    store.trash(lone_world, cast.mira.id, [trash])
    store.create_draft(lone_world, cast.mira, raw("Soon", To=cast.tom.email, Subject="Invoice 9"))
    before = lone_world.journal.head()
    row = _filter(cast, subject="invoice", add_labels="STARRED")
    assert store.apply_to_mail(lone_world, cast.mira, row) == 0
    assert lone_world.journal.head() == before


def test_it_reaches_beyond_one_stretch_of_the_list(
    lone_world: World, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(refiltering, "_AT_ONCE", 2)
    mails = [_mail(lone_world, cast, f"Invoice {number}") for number in range(5)]
    row = _filter(cast, subject="invoice", negated_query="3", add_labels="STARRED")
    assert store.apply_to_mail(lone_world, cast.mira, row) == 4
    assert [n for n, each in enumerate(mails) if "STARRED" in _labels(lone_world, each)] == [0, 1, 2, 4]
