"""users.history.list, as clients that keep a copy of a mailbox use it."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from fakes.core.world import World
from fakes.gmail import store
from fakes.gmail.api import history
from tests.fakes.gmail.api.asking import received, refused, told
from tests.fakes.gmail.town import MORNING, Cast, raw

DAY = 86_400_000


async def _history(api: httpx.AsyncClient, start: int | str, **params: Any) -> dict[str, Any]:
    return told(await api.get("history", params={"startHistoryId": start, **params}))


async def test_nothing_new_is_the_current_number_alone(
    api: httpx.AsyncClient, world: World, cast: Cast
) -> None:
    assert await _history(api, 1) == {"historyId": "1"}
    received(world, cast)
    assert await _history(api, 2) == {"historyId": "2"}


async def test_each_change_is_a_record(api: httpx.AsyncClient, world: World, cast: Cast) -> None:
    message = received(world, cast)
    store.relabel(world, cast.mira.id, [message.id], add=["STARRED"], remove=["UNREAD"])
    store.delete(world, cast.mira.id, [message.id])
    brief = {"id": message.id, "threadId": message.thread_id}
    came = ["CATEGORY_PERSONAL", "INBOX", "UNREAD"]
    went = ["CATEGORY_PERSONAL", "INBOX", "STARRED"]
    assert (await _history(api, 1))["history"] == [
        {"id": "2", "messages": [brief], "messagesAdded": [{"message": {**brief, "labelIds": came}}]},
        {"id": "3", "messages": [brief], "labelsAdded": [{"message": brief, "labelIds": ["STARRED"]}]},
        {"id": "4", "messages": [brief], "labelsRemoved": [{"message": brief, "labelIds": ["UNREAD"]}]},
        {"id": "5", "messages": [brief], "messagesDeleted": [{"message": {**brief, "labelIds": went}}]},
    ]


async def test_a_message_that_is_there_tells_its_labels(
    api: httpx.AsyncClient, world: World, cast: Cast
) -> None:
    message = received(world, cast)
    store.archive(world, cast.mira.id, [message.id])
    [record] = (await _history(api, 2))["history"]
    [change] = record["labelsRemoved"]
    assert change["message"]["labelIds"] == ["CATEGORY_PERSONAL", "UNREAD"]


async def test_a_copy_is_kept_up_by_history_alone(api: httpx.AsyncClient, world: World, cast: Cast) -> None:
    first, second = received(world, cast), received(world, cast)
    since = told(await api.get("profile"))["historyId"]
    copy = {first.id: set(store.labels_of(world, [first.id])[first.id]),
            second.id: set(store.labels_of(world, [second.id])[second.id])}  # fmt: skip
    store.trash(world, cast.mira.id, [first.id])
    store.delete(world, cast.mira.id, [second.id])
    third = received(world, cast)
    store.mark_read(world, cast.mira.id, [third.id])
    for record in (await _history(api, since))["history"]:
        for change in record.get("messagesAdded", []):
            copy[change["message"]["id"]] = set(change["message"]["labelIds"])
        for change in record.get("messagesDeleted", []):
            del copy[change["message"]["id"]]
        for change in record.get("labelsAdded", []):
            copy[change["message"]["id"]] |= set(change["labelIds"])
        for change in record.get("labelsRemoved", []):
            copy[change["message"]["id"]] -= set(change["labelIds"])
    now = store.labels_of(world, [first.id, third.id])
    assert {key: sorted(labels) for key, labels in copy.items()} == now


async def test_kinds_and_a_label_narrow_it(api: httpx.AsyncClient, world: World, cast: Cast) -> None:
    one, two = received(world, cast), received(world, cast)
    store.relabel(world, cast.mira.id, [one.id], add=["STARRED"])
    store.archive(world, cast.mira.id, [two.id])
    kinds = {
        kind: [record["id"] for record in (await _history(api, 1, historyTypes=kind)).get("history", [])]
        for kind in history.KINDS
    }
    assert kinds == {
        "messageAdded": ["2", "3"], "messageDeleted": [], "labelAdded": ["4"], "labelRemoved": ["5"],
    }  # fmt: skip
    both = await _history(api, 1, historyTypes=["labelAdded", "labelRemoved"])
    assert [record["id"] for record in both["history"]] == ["4", "5"]
    starred = await _history(api, 1, labelId="STARRED")
    assert [record["id"] for record in starred["history"]] == ["2", "4"]
    inbox = await _history(api, 1, labelId="INBOX")
    assert [record["id"] for record in inbox["history"]] == ["2", "3", "4", "5"]


async def test_pages_follow_each_other(
    api: httpx.AsyncClient, world: World, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(5):
        received(world, cast)
    first = await _history(api, 1, maxResults=2)
    received(world, cast)
    second = await _history(api, 1, maxResults=2, pageToken=first["nextPageToken"])
    third = await _history(api, 1, maxResults=2, pageToken=second["nextPageToken"])
    found = [record["id"] for page in (first, second, third) for record in page["history"]]
    assert found == ["2", "3", "4", "5", "6", "7"]
    assert "nextPageToken" not in third
    assert (first["historyId"], third["historyId"]) == ("6", "7")
    assert (history.DEFAULT_PAGE, history.LARGEST_PAGE) == (100, 500)
    monkeypatch.setattr(history, "DEFAULT_PAGE", 1)
    monkeypatch.setattr(history, "LARGEST_PAGE", 4)
    assert len((await _history(api, 1))["history"]) == 1
    assert len((await _history(api, 1, maxResults=9999))["history"]) == 4
    wrong = {"startHistoryId": 2, "pageToken": first["nextPageToken"]}
    assert refused(await api.get("history", params=wrong)) == "Invalid pageToken"


async def test_what_is_too_old_is_gone(api: httpx.AsyncClient, world: World, cast: Cast) -> None:
    for days in (30, 20):
        with world.at_time(MORNING - days * DAY):
            received(world, cast)
    assert len((await _history(api, 1))["history"]) == 2
    world.advance(MORNING + 1)
    answer = await api.get("history", params={"startHistoryId": 1})
    assert refused(answer, 404) == "Requested entity was not found."
    error = answer.json()["error"]
    assert (error["status"], error["errors"][0]["reason"]) == ("NOT_FOUND", "notFound")
    assert [record["id"] for record in (await _history(api, 2))["history"]] == ["3"]
    world.advance(MORNING + 20 * DAY)
    refused(await api.get("history", params={"startHistoryId": 2}), 404)
    assert await _history(api, 3) == {"historyId": "3"}


@pytest.mark.parametrize(
    ("params", "status", "sentence"),
    [
        ({}, 400, "Missing/invalid parameter: startHistoryId"),
        ({"startHistoryId": "0"}, 400, "Missing/invalid parameter: startHistoryId"),
        ({"startHistoryId": ""}, 400, "Invalid value at 'start_history_id' (TYPE_UINT64), \"\""),
        ({"startHistoryId": "abc"}, 400, "Invalid value at 'start_history_id' (TYPE_UINT64), \"abc\""),
        ({"startHistoryId": "-1"}, 400, "Invalid value at 'start_history_id' (TYPE_UINT64), \"-1\""),
        ({"startHistoryId": str(1 << 64)}, 400, "Invalid value at 'start_history_id' (TYPE_UINT64)"),
        ({"startHistoryId": str((1 << 64) - 1)}, 404, "Requested entity was not found."),
        ({"startHistoryId": "3"}, 404, "Requested entity was not found."),
        ({"startHistoryId": "1", "historyTypes": "messageadded"}, 400, "Invalid value at 'history_types'"),
        ({"startHistoryId": "1", "labelId": "NOPE"}, 400, "Invalid label: NOPE"),
        ({"startHistoryId": "1", "labelId": "SNOOZED"}, 400, "Invalid label: SNOOZED"),
        ({"startHistoryId": "1", "labelId": "Label_1"}, 400, "labelId not found"),
        ({"startHistoryId": "1", "maxResults": "-1"}, 400, "Invalid value at 'max_results' (TYPE_UINT32)"),
        ({"startHistoryId": "1", "pageToken": "x"}, 400, "Invalid pageToken"),
    ],
)
async def test_wrong_parameters_are_refused(
    api: httpx.AsyncClient, world: World, cast: Cast, params: dict[str, str], status: int, sentence: str
) -> None:
    received(world, cast)
    assert refused(await api.get("history", params=params), status).startswith(sentence)


async def test_marks_of_the_mailbox_itself_are_not_told(
    api: httpx.AsyncClient, world: World, cast: Cast
) -> None:
    message = received(world, cast)
    store.snooze(world, cast.mira.id, message.thread_id, world.now() + 1000)
    told_of = str((await _history(api, 1))["history"])
    assert "INBOX" in told_of
    assert "SNOOZED" not in told_of


async def test_anothers_changes_are_not_told(api: httpx.AsyncClient, world: World, cast: Cast) -> None:
    store.send(world, cast.tom, raw(To=cast.lena.email))
    assert await _history(api, 1) == {"historyId": "1"}
