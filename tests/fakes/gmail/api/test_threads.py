"""Threads, read and changed with all their messages."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from fakes.core.world import World
from fakes.gmail import store
from fakes.gmail.schema import Message
from tests.fakes.gmail.api.asking import received, refused, told
from tests.fakes.gmail.town import Cast, raw


@pytest.fixture
def thread(world: World, cast: Cast) -> list[Message]:
    """Two mails of Tom's and Mira's answer between them, oldest first."""
    first = received(world, cast, "One", Subject="Budget", Message_ID="<1@x>")
    headers = {"Subject": "Re: Budget", "In_Reply_To": "<1@x>"}
    store.send(world, cast.mira, raw("Two", To=cast.tom.email, **headers), first.thread_id)
    received(world, cast, "Three", **headers)
    found = store.thread_in(world, cast.mira.id, first.thread_id)
    assert len(found) == 3
    return found


async def test_an_empty_list_has_no_threads(api: httpx.AsyncClient) -> None:
    assert told(await api.get("threads")) == {"resultSizeEstimate": 0}


async def test_threads_are_listed_newest_first_each_once(
    api: httpx.AsyncClient, world: World, cast: Cast, thread: list[Message]
) -> None:
    other = received(world, cast, "Four", Subject="Lunch")
    page = told(await api.get("threads"))
    history = {entry["id"]: entry.pop("historyId") for entry in page["threads"]}
    assert page["threads"] == [
        {"id": other.thread_id, "snippet": "Four"}, {"id": thread[0].thread_id, "snippet": "Three"},
    ]  # fmt: skip
    assert page["resultSizeEstimate"] == 2
    for thread_id, history_id in history.items():
        assert told(await api.get(f"threads/{thread_id}"))["historyId"] == history_id
    store.relabel(world, cast.mira.id, [thread[0].id], add=["STARRED"])
    assert [entry["id"] for entry in told(await api.get("threads"))["threads"]] == list(history)


async def test_a_thread_is_found_by_any_of_its_messages_and_told_by_the_newest(
    api: httpx.AsyncClient, world: World, cast: Cast, thread: list[Message]
) -> None:
    received(world, cast, "Four", Subject="Lunch")
    for params in ({"q": "one"}, {"labelIds": "SENT"}, {"q": "in:sent two"}, {"q": "from:me"}):
        [found] = told(await api.get("threads", params=params))["threads"]
        assert (found["id"], found["snippet"]) == (thread[0].id, "Three")
    assert told(await api.get("threads", params={"labelIds": "STARRED"})) == {"resultSizeEstimate": 0}


async def test_pages_of_threads_follow_each_other(
    api: httpx.AsyncClient, world: World, cast: Cast, thread: list[Message]
) -> None:
    sent = [received(world, cast, Subject=subject).thread_id for subject in "abc"]
    first = told(await api.get("threads", params={"maxResults": 3}))
    token = first["nextPageToken"]
    second = told(await api.get("threads", params={"maxResults": 3, "pageToken": token}))
    found = [entry["id"] for page in (first, second) for entry in page["threads"]]
    assert found == [*sent[::-1], thread[0].thread_id]
    assert "nextPageToken" not in second
    for path, params in (("threads", {"q": "x"}), ("messages", {}), ("threads", {"labelIds": "INBOX"})):
        answer = await api.get(path, params={**params, "pageToken": token})
        assert refused(answer) == "Invalid pageToken"


async def test_trash_is_listed_when_asked_for(
    api: httpx.AsyncClient, world: World, cast: Cast, thread: list[Message]
) -> None:
    await api.post(f"threads/{thread[0].id}/trash")
    assert told(await api.get("threads")) == {"resultSizeEstimate": 0}
    for params in ({"includeSpamTrash": "true"}, {"labelIds": "TRASH"}, {"q": "in:trash"}):
        assert len(told(await api.get("threads", params=params))["threads"]) == 1


async def test_a_thread_is_told_oldest_first(api: httpx.AsyncClient, thread: list[Message]) -> None:
    got = told(await api.get(f"threads/{thread[0].id}"))
    assert [message["id"] for message in got["messages"]] == [message.id for message in thread]
    assert [message["snippet"] for message in got["messages"]] == ["One", "Two", "Three"]
    assert got["historyId"] == max((m["historyId"] for m in got["messages"]), key=int)
    assert got.keys() == {"id", "historyId", "messages"}
    assert got["messages"][0]["payload"]["body"]["data"]


async def test_its_messages_are_told_as_those_alone(api: httpx.AsyncClient, thread: list[Message]) -> None:
    for format in ("full", "metadata", "minimal"):
        params: dict[str, Any] = {"format": format, "metadataHeaders": ["subject", "X-None"]}
        got = told(await api.get(f"threads/{thread[0].id}", params=params))["messages"]
        alone = [told(await api.get(f"messages/{message.id}", params=params)) for message in thread]
        assert got == alone


@pytest.mark.parametrize("format", ["raw", "pretty", ""])
async def test_threads_come_in_three_formats(
    api: httpx.AsyncClient, thread: list[Message], format: str
) -> None:
    answer = await api.get(f"threads/{thread[0].id}", params={"format": format})
    assert refused(answer).startswith("Invalid value at 'format'")


async def test_a_change_is_made_to_all_its_messages(
    api: httpx.AsyncClient, world: World, thread: list[Message]
) -> None:
    change = {"addLabelIds": ["STARRED"], "removeLabelIds": ["INBOX", "UNREAD"]}
    got = told(await api.post(f"threads/{thread[0].id}/modify", json=change))
    received_labels = ["CATEGORY_PERSONAL", "STARRED"]
    assert got["id"] == thread[0].id
    assert [m["labelIds"] for m in got["messages"]] == [
        received_labels, ["SENT", "STARRED"], received_labels,
    ]  # fmt: skip


async def test_trash_untrash_and_delete_take_all_its_messages(
    api: httpx.AsyncClient, world: World, cast: Cast, thread: list[Message]
) -> None:
    url = f"threads/{thread[0].id}"
    trashed = told(await api.post(f"{url}/trash"))
    assert all("TRASH" in m["labelIds"] and "INBOX" not in m["labelIds"] for m in trashed["messages"])
    assert not any("TRASH" in m["labelIds"] for m in told(await api.post(f"{url}/untrash"))["messages"])
    assert (await api.delete(url)).status_code == 204
    refused(await api.get(url), 404)
    assert store.mailbox_of(world, cast.mira.id).threads_total == 0


async def test_the_other_mailbox_keeps_its_own(
    api: httpx.AsyncClient, world: World, cast: Cast, thread: list[Message]
) -> None:
    theirs = world.all(Message, "WHERE owner = ? ORDER BY seq", (cast.tom.id,))
    await api.delete(f"threads/{thread[0].id}")
    assert world.all(Message, "WHERE owner = ? ORDER BY seq", (cast.tom.id,)) == theirs


@pytest.mark.parametrize("path", ["GET ", "DELETE ", "POST /modify", "POST /trash", "POST /untrash"])
async def test_only_threads_of_ones_own_are_found(
    api: httpx.AsyncClient, world: World, cast: Cast, thread: list[Message], path: str
) -> None:
    theirs = store.send(world, cast.tom, raw(To=cast.lena.email))
    journal, (verb, tail) = world.journal.head(), path.split(" ")
    body = {"addLabelIds": ["STARRED"]} if tail == "/modify" else None
    for thread_id, status in ((theirs.thread_id, 404), (thread[2].id, 404), ("x!", 400)):
        refused(await api.request(verb, f"threads/{thread_id}{tail}", json=body), status)
    assert world.journal.head() == journal


async def test_a_wrong_change_of_a_thread_changes_nothing(
    api: httpx.AsyncClient, world: World, thread: list[Message]
) -> None:
    journal, url = world.journal.head(), f"threads/{thread[0].id}/modify"
    for change, sentence in (
        ({"addLabelIds": ["STARRED", "SENT"]}, "Invalid label: SENT"),
        ({"addLabelIds": ["STARRED"] * 101}, "Number of label ids cannot exceed 100"),
        ({}, "No label add or removes specified"),
    ):
        assert refused(await api.post(url, json=change)) == sentence
    assert world.journal.head() == journal
