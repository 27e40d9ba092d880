from __future__ import annotations

import httpx
import pytest

from fakes.core.world import World
from fakes.gmail import store
from fakes.gmail.schema import Draft, Message, MessageLabel, Snooze
from tests.fakes.gmail.town import Cast, raw
from tests.fakes.gmail.web.forms import act, post


@pytest.fixture
def received(world: World, cast: Cast) -> Message:
    """A mail of Tom's in Mira's inbox, which she has answered."""
    store.send(world, cast.tom, raw(To=cast.mira.email, Subject="Lunch"))
    found = world.one(Message, "WHERE owner = ?", (cast.mira.id,))
    assert found is not None
    answer = raw("Yes", To=cast.tom.email, Subject="Re: Lunch", In_Reply_To=found.rfc822_id)
    store.send(world, cast.mira, answer, found.thread_id)
    return found


def _labels(world: World, owner: str) -> dict[str, list[str]]:
    """All labels of a mailbox, by message."""
    found: dict[str, list[str]] = {}
    for row in world.all(MessageLabel, "WHERE owner = ? ORDER BY message_id, label", (owner,)):
        found.setdefault(row.message_id, []).append(row.label)
    return found


@pytest.mark.parametrize(
    ("deed", "put", "taken"),
    [
        ("archive", "", "INBOX"),
        ("trash", "TRASH", "INBOX"),
        ("spam", "SPAM", "INBOX"),
        ("read", "", "UNREAD"),
        ("important", "IMPORTANT", ""),
        ("mute", "MUTED", "INBOX"),
    ],
)
async def test_each_deed_can_be_taken_back(
    mira: httpx.AsyncClient, world: World, cast: Cast, received: Message, deed: str, put: str, taken: str
) -> None:
    before = _labels(world, cast.mira.id)
    told = await act(mira, deed, threads=received.thread_id)
    after = _labels(world, cast.mira.id)[received.id]
    assert put in ["", *after] and taken not in after
    await act(mira, "undo", span=told["undo"])
    assert _labels(world, cast.mira.id) == before


async def test_a_star_and_unread_go_to_the_newest_that_came(
    mira: httpx.AsyncClient, world: World, cast: Cast, received: Message
) -> None:
    await act(mira, "read", threads=received.thread_id)
    await act(mira, "star", threads=received.thread_id)
    await act(mira, "unread", threads=received.thread_id)
    labels = _labels(world, cast.mira.id)
    sent = next(found for found in labels.values() if "SENT" in found)
    assert "UNREAD" in labels[received.id] and "STARRED" not in labels[received.id]
    assert "STARRED" in sent and "UNREAD" not in sent
    await act(mira, "unstar", threads=received.thread_id)
    assert "STARRED" not in str(_labels(world, cast.mira.id))


async def test_a_single_message_can_be_meant(
    mira: httpx.AsyncClient, world: World, cast: Cast, received: Message
) -> None:
    told = await act(mira, "trash", messages=received.id, back=f"/t/{received.thread_id}")
    assert told["n"] == "1"
    trashed = [i for i, labels in _labels(world, cast.mira.id).items() if "TRASH" in labels]
    assert trashed == [received.id]


async def test_a_snooze_is_by_the_persons_wall_clock_and_undone_whole(
    mira: httpx.AsyncClient, world: World, cast: Cast, received: Message
) -> None:
    before = _labels(world, cast.mira.id)
    told = await act(mira, "snooze", threads=received.thread_id, until=["", "2025-10-22T08:00"])
    snooze = world.get(Snooze, cast.mira.id, received.thread_id)
    assert snooze is not None and snooze.until_at - world.now() == int(22.5 * 3_600_000)
    page = (await mira.get(f"/?did=snooze&n=1&about={told['about']}&undo={told['undo']}")).text
    assert "Conversation snoozed until Wed 22 Oct 2025, 08:00." in page
    assert "Until Wed 22 Oct 2025, 08:00" in (await mira.get("/snoozed")).text
    await act(mira, "undo", span=told["undo"])
    assert world.get(Snooze, cast.mira.id, received.thread_id) is None
    assert _labels(world, cast.mira.id) == before


async def test_a_time_that_is_past_is_refused_in_words(mira: httpx.AsyncClient, received: Message) -> None:
    for until in ("2025-10-21T08:00", "soon", ""):
        assert await act(mira, "snooze", threads=received.thread_id, until=until) == {"did": "past"}
    assert "That time is past." in (await mira.get("/?did=past")).text


async def test_labels_are_put_on_taken_off_and_made(
    mira: httpx.AsyncClient, world: World, cast: Cast, received: Message
) -> None:
    old = store.create_label(world, cast.mira.id, "Old")
    store.relabel(world, cast.mira.id, [received.id], add=[old.id])
    told = await act(mira, "label", threads=received.thread_id, unlabel=old.id, new="Food/Noon")
    made = store.label_named(world, cast.mira.id, "Food/Noon")
    assert made is not None and told["did"] == "label"
    assert old.id not in _labels(world, cast.mira.id)[received.id]
    assert made.id in _labels(world, cast.mira.id)[received.id]
    assert await act(mira, "label", threads=received.thread_id, new="inbox") == {"did": "no-label"}


async def test_moving_takes_out_of_the_inbox_and_the_label_it_was_in(
    mira: httpx.AsyncClient, world: World, cast: Cast, received: Message
) -> None:
    a, b = (store.create_label(world, cast.mira.id, name) for name in "AB")
    await act(mira, "move", threads=received.thread_id, label=a.id)
    assert _labels(world, cast.mira.id)[received.id] == ["CATEGORY_PERSONAL", a.id, "UNREAD"]
    await act(mira, "move", threads=received.thread_id, label=b.id, **{"from": a.id})
    assert b.id in (labels := _labels(world, cast.mira.id)[received.id]) and a.id not in labels
    await act(mira, "move", threads=received.thread_id, label="CATEGORY_SOCIAL")
    await act(mira, "move", threads=received.thread_id, label="INBOX")
    assert "Lunch" in (await mira.get("/?tab=social")).text.partition("<main")[2]


async def test_only_trash_and_spam_are_deleted_for_ever(
    mira: httpx.AsyncClient, world: World, cast: Cast, received: Message
) -> None:
    await act(mira, "delete", threads=received.thread_id)
    assert world.count(Message, "WHERE owner = ?", (cast.mira.id,)) == 2
    await act(mira, "trash", threads=received.thread_id)
    assert (await act(mira, "empty", label="TRASH", back="/trash"))["did"] == "empty"
    assert world.count(Message, "WHERE owner = ?", (cast.mira.id,)) == 0
    assert "The trash is empty." in (await mira.get("/trash")).text


async def test_all_that_match_are_reached_whatever_the_page_shows(
    mira: httpx.AsyncClient, world: World, cast: Cast
) -> None:
    with world.tx():
        for n in range(60):
            store.send(world, cast.tom, raw(To=cast.mira.email, Subject=f"Report {n}"))
        store.send(world, cast.tom, raw(To=cast.mira.email, Subject="Lunch"))
    told = await act(mira, "archive", all="1", list="/search?q=subject:report")
    assert told["n"] == "60"
    assert "1–1 of 1" in (await mira.get("/")).text


async def test_drafts_are_discarded(mira: httpx.AsyncClient, world: World, cast: Cast) -> None:
    draft = store.create_draft(world, cast.mira, raw(To=cast.tom.email, Subject="Hm"))
    page = (await mira.get("/drafts")).text
    assert f"/compose?draft={draft.id}" in page and "To: Tom Reyes" in page
    message = store.message_in(world, cast.mira.id, draft.message_id)
    assert message is not None
    await act(mira, "discard", threads=message.thread_id, back="/drafts")
    assert world.count(Draft) == 0


async def test_what_is_not_hers_is_not_found(
    mira: httpx.AsyncClient, world: World, cast: Cast, received: Message
) -> None:
    theirs = world.one(Message, "WHERE owner = ?", (cast.tom.id,))
    assert theirs is not None
    before = _labels(world, cast.tom.id)
    for fields in ({"threads": theirs.thread_id}, {"messages": theirs.id}, {"threads": "nope"}):
        assert (await post(mira, "/act", do="trash", **fields)).status_code == 404
    label = {"threads": received.thread_id, "label": "Label_9"}
    assert (await post(mira, "/act", do="label", **label)).status_code == 404
    assert (await post(mira, "/act", do="undo", span="0-999")).status_code == 303
    assert _labels(world, cast.tom.id) == before
    assert (await post(mira, "/act", do="explode", threads=received.thread_id)).status_code == 400
    assert await act(mira, "archive") == {"did": "nothing"}


async def test_undo_does_not_unsend(mira: httpx.AsyncClient, world: World, cast: Cast) -> None:
    store.create_draft(world, cast.mira, raw(To=cast.tom.email, Subject="Hm"))
    draft = world.one(Draft)
    assert draft is not None
    store.schedule(world, cast.mira, draft, world.now() + 60_000)
    before = _labels(world, cast.mira.id)
    await act(mira, "undo", span="0-99")
    assert _labels(world, cast.mira.id) == before


async def test_a_form_of_somebody_elses_is_refused(mira: httpx.AsyncClient, received: Message) -> None:
    answer = await mira.post("/act", data={"do": "trash", "threads": received.thread_id, "csrf": "x"})
    assert answer.status_code == 403
