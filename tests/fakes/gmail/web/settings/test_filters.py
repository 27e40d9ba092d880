from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import httpx

from fakes.core.world import World
from fakes.gmail import store
from fakes.gmail.schema import Filter, ForwardingAddress, MessageLabel
from fakes.gmail.store import Wanted
from tests.fakes.gmail.town import Cast, raw
from tests.fakes.gmail.web.forms import post


def _mail(world: World, cast: Cast, *subjects: str) -> None:
    for subject in subjects:
        store.send(world, cast.tom, raw(f"About {subject}", To=cast.mira.email, Subject=subject))


def _labelled(world: World, cast: Cast, label: str) -> int:
    return world.count(MessageLabel, "WHERE owner = ? AND label = ?", (cast.mira.id, label))


def _only(world: World, cast: Cast) -> Filter:
    [row] = store.filters_of(world, cast.mira.id)
    return row


async def test_the_form_shows_what_it_would_take_before_it_is_made(
    mira: httpx.AsyncClient, world: World, cast: Cast
) -> None:
    _mail(world, cast, "Nightly run 1", "Nightly run 2", "Lunch")
    page = (await mira.get("/settings/filters/new?from=tom&subject=nightly&step=look")).text
    assert "2 conversations match" in page and "Nightly run 2" in page and "Lunch" not in page
    page = (await mira.get("/settings/filters/new?from=tom&subject=nightly&step=actions")).text
    assert "from:(tom) subject:(nightly)" in page
    assert "Also apply filter to 2 matching conversations" in page


async def test_a_filter_is_made_with_a_new_label_and_applied_to_old_mail(
    mira: httpx.AsyncClient, world: World, cast: Cast
) -> None:
    _mail(world, cast, "Nightly run 1", "Nightly run 2", "Lunch")
    fields = {"from": "tom", "subject": "nightly", "archive": "1", "read": "1", "also": "1"}
    answer = await post(mira, "/settings/filters", label="new", new_label="Ops/Checks", **fields)
    assert answer.status_code == 303
    told = parse_qs(urlsplit(answer.headers["location"]).query)
    assert told == {"notice": ["filter-made"], "applied": ["2"]}
    row, [label] = _only(world, cast), store.own_labels(world, cast.mira.id)
    assert (row.sender, row.subject, row.add_labels) == ("tom", "nightly", label.id)
    assert row.remove_labels.split() == ["INBOX", "UNREAD"]
    assert (_labelled(world, cast, label.id), _labelled(world, cast, "INBOX")) == (2, 1)
    page = (await mira.get(answer.headers["location"])).text
    assert "The filter is made. It was applied to 2 conversations." in page
    assert "from:(tom) subject:(nightly)" in page
    assert "Skip the inbox, mark it as read, apply the label Ops/Checks" in page
    _mail(world, cast, "Nightly run 3")
    assert (_labelled(world, cast, label.id), _labelled(world, cast, "INBOX")) == (3, 1)


async def test_without_the_tick_old_mail_stays(mira: httpx.AsyncClient, world: World, cast: Cast) -> None:
    _mail(world, cast, "Nightly run 1")
    await post(mira, "/settings/filters", subject="nightly", trash="1")
    assert _only(world, cast).add_labels == "TRASH" and _labelled(world, cast, "INBOX") == 1


async def test_all_criteria_and_actions_are_kept(mira: httpx.AsyncClient, world: World, cast: Cast) -> None:
    label = store.create_label(world, cast.mira.id, "Big")
    store.add_forwarding_address(world, cast.mira, cast.tom.email)
    criteria = {"to": "mira", "q": "report", "not": "draft", "size": "3", "unit": "KB", "compare": "smaller"}
    done = {"star": "1", "not_spam": "1", "importance": "always", "category": "CATEGORY_UPDATES"}
    await post(
        mira, "/settings/filters", has="attachment", chats="none", label=label.id, forward=cast.tom.email,
        **criteria, **done,
    )  # fmt: skip
    assert Wanted.of(_only(world, cast)) == Wanted(
        recipient="mira", query="report", negated_query="draft", has_attachment=True, exclude_chats=True,
        size=3072, size_comparison="smaller", add_labels=f"STARRED {label.id} CATEGORY_UPDATES IMPORTANT",
        remove_labels="SPAM", forward=cast.tom.email,
    )  # fmt: skip
    assert "smaller:3K" in (await mira.get("/settings/filters")).text


async def test_what_is_wrong_is_told_beside_its_field_and_changes_nothing(
    mira: httpx.AsyncClient, world: World, cast: Cast
) -> None:
    wrong = (
        ({"archive": "1"}, "at least one of these"),
        ({"from": "tom"}, "at least one thing that is done"),
        ({"from": "tom", "size": "much", "archive": "1"}, "as a whole number"),
        ({"from": "tom", "label": "Label_9"}, "no such label"),
        ({"from": "tom", "label": "new"}, "Give the new label a name"),
        ({"from": "tom", "label": "new", "new_label": "Inbox"}, "a label's name"),
        ({"from": "tom", "forward": "x@other.example"}, "not confirmed yet"),
        ({"from": "x" * 2001, "archive": "1"}, "2,000 letters"),
    )
    before = world.journal.head()
    for fields, sentence in wrong:
        answer = await post(mira, "/settings/filters", **fields)
        assert answer.status_code == 400 and sentence in answer.text.replace("&#39;", "'"), fields
    assert not store.filters_of(world, cast.mira.id) and not store.own_labels(world, cast.mira.id)
    assert world.journal.head() == before


async def test_a_label_that_was_made_for_a_filter_is_not_left_when_the_filter_is_refused(
    mira: httpx.AsyncClient, world: World, cast: Cast
) -> None:
    world_row = ForwardingAddress(owner=cast.mira.id, email="x@other.example", seq=1, verification="pending")
    with world.tx() as tx:
        tx.insert(world_row)
    fields = {"from": "tom", "label": "new", "new_label": "Ops", "forward": "x@other.example"}
    answer = await post(mira, "/settings/filters", **fields)
    assert answer.status_code == 400 and 'value="Ops"' in answer.text
    assert not store.own_labels(world, cast.mira.id)


async def test_a_filter_is_changed_in_place_and_keeps_what_only_the_api_can_say(
    mira: httpx.AsyncClient, world: World, cast: Cast
) -> None:
    one, two = (store.create_label(world, cast.mira.id, name).id for name in ("One", "Two"))
    row = store.create_filter(
        world, cast.mira.id, Wanted(sender="tom", size=2048, size_comparison="larger",
                                    add_labels=f"{one} {two}", remove_labels="STARRED"),
    )  # fmt: skip
    page = (await mira.get(f"/settings/filters/{row.id}")).text
    assert 'name="from" value="tom"' in page and 'name="size" value="2"' in page
    page = (await mira.get(f"/settings/filters/{row.id}?from=tom&to=lena&step=actions")).text
    assert "put on Two" in page and "take off Starred" in page and f'value="{one}" selected' in page
    fields = {"from": "tom", "to": "lena", "label": one, "more_add": two, "read": "1"}
    fields["more_remove"] = "STARRED"
    assert (await post(mira, f"/settings/filters/{row.id}", **fields)).status_code == 303
    changed = _only(world, cast)
    assert (changed.id, changed.seq, changed.recipient, changed.size) == (row.id, row.seq, "lena", None)
    assert (changed.add_labels, changed.remove_labels) == (f"{one} {two}", "UNREAD STARRED")


async def test_the_same_filter_twice_is_refused(mira: httpx.AsyncClient, world: World, cast: Cast) -> None:
    for status in (303, 400):
        answer = await post(mira, "/settings/filters", archive="1", **{"from": "tom"})
        assert answer.status_code == status
    assert "such a filter already" in answer.text
    other = store.create_filter(world, cast.mira.id, Wanted(sender="lena", remove_labels="INBOX"))
    answer = await post(mira, f"/settings/filters/{other.id}", archive="1", **{"from": "tom"})
    assert answer.status_code == 400
    answer = await post(mira, f"/settings/filters/{other.id}", archive="1", **{"from": "lena"})
    assert answer.status_code == 303


async def test_several_filters_are_deleted_at_once(mira: httpx.AsyncClient, world: World, cast: Cast) -> None:
    rows = [
        store.create_filter(world, cast.mira.id, Wanted(sender=name, remove_labels="INBOX"))
        for name in ("tom", "lena", "ana")
    ]
    answer = await post(mira, "/settings/filters/delete", filters=[rows[0].id, rows[1].id])
    assert "Deleted 2 filters." in (await mira.get(answer.headers["location"])).text
    await post(mira, f"/settings/filters/delete?filters={rows[2].id}")
    assert not store.filters_of(world, cast.mira.id)


async def test_filters_of_others_are_not_found(mira: httpx.AsyncClient, world: World, cast: Cast) -> None:
    row = store.create_filter(world, cast.tom.id, Wanted(sender="mira", remove_labels="INBOX"))
    assert (await mira.get(f"/settings/filters/{row.id}")).status_code == 404
    for path in (f"/settings/filters/{row.id}", f"/settings/filters/delete?filters={row.id}"):
        assert (await post(mira, path, archive="1", **{"from": "x"})).status_code == 404
    assert (await mira.post("/settings/filters", data={"from": "tom", "archive": "1"})).status_code == 403
    assert store.filters_of(world, cast.tom.id) == [row]


async def test_links_of_searches_and_messages_fill_the_form(
    mira: httpx.AsyncClient, world: World, cast: Cast
) -> None:
    _mail(world, cast, "Invoice 7")
    listed = (await mira.get("/search?q=from:tom+invoice+in:inbox")).text
    link = listed.partition("/settings/filters/new?")[2].partition('"')[0].replace("&amp;", "&")
    page = (await mira.get(f"/settings/filters/new?{link}")).text
    assert 'name="from" value="tom"' in page and 'name="q" value="invoice"' in page
    assert "Where the search looked" in page and "1 conversation matches" in page
