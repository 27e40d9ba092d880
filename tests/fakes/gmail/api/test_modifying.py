"""messages.modify, trash, untrash, delete and the batches."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from fakes.core.world import World
from fakes.gmail import store
from tests.fakes.gmail.api.asking import received, refused, told
from tests.fakes.gmail.town import Cast, encoded, raw

PERSONAL = "CATEGORY_PERSONAL"
NONE = "0123456789abcdef"


def _labels(world: World, message_id: str) -> list[str]:
    return store.labels_of(world, [message_id])[message_id]


async def test_labels_go_on_and_off(api: httpx.AsyncClient, world: World, cast: Cast) -> None:
    label, message = store.create_label(world, cast.mira.id, "Bills"), received(world, cast)
    change = {"addLabelIds": ["STARRED", label.id], "removeLabelIds": ["UNREAD", "IMPORTANT"]}
    answer = told(await api.post(f"messages/{message.id}/modify", json=change))
    assert answer == {
        "id": message.id, "threadId": message.thread_id, "labelIds": [PERSONAL, "INBOX", label.id, "STARRED"],
    }  # fmt: skip
    assert _labels(world, message.id) == answer["labelIds"]


@pytest.mark.parametrize("label", ["INBOX", "SPAM", "TRASH", "UNREAD", "STARRED", "IMPORTANT", PERSONAL])
async def test_each_of_these_goes_both_ways(
    api: httpx.AsyncClient, world: World, cast: Cast, label: str
) -> None:
    message, ways = received(world, cast), ("removeLabelIds", "addLabelIds", "removeLabelIds")
    found = []
    for way in ways:
        answer = told(await api.post(f"messages/{message.id}/modify", json={way: [label]}))
        found.append(label in answer["labelIds"])
    assert found == [False, True, False]


async def test_a_message_without_labels_tells_none(api: httpx.AsyncClient, world: World, cast: Cast) -> None:
    message = received(world, cast)
    change = {"removeLabelIds": ["INBOX", "UNREAD", PERSONAL]}
    answer = told(await api.post(f"messages/{message.id}/modify", json=change))
    assert answer == {"id": message.id, "threadId": message.thread_id}


async def test_names_may_have_underscores_and_one_text_be_a_list(
    api: httpx.AsyncClient, world: World, cast: Cast
) -> None:
    message = received(world, cast)
    change = {"add_label_ids": "STARRED", "removeLabelIds": None}
    assert "STARRED" in told(await api.post(f"messages/{message.id}/modify", json=change))["labelIds"]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"removeLabelIds": ["INBOX"], "addLabelIds": ["SENT"]}, "Invalid label: SENT"),
        ({"removeLabelIds": ["DRAFT"], "addLabelIds": ["STARRED"]}, "Invalid label: DRAFT"),
        ({"addLabelIds": ["STARRED", "CHAT"]}, "Invalid label: CHAT"),
        ({"addLabelIds": ["STARRED", "SNOOZED"]}, "Invalid label: SNOOZED"),
        ({"addLabelIds": ["STARRED", "starred"]}, "Invalid label: starred"),
        ({"addLabelIds": ["STARRED", ""]}, "Invalid label: "),
        ({"addLabelIds": ["STARRED", "Label_9"]}, "labelId not found"),
        ({"addLabelIds": ["STARRED"], "removeLabelIds": ["STARRED"]},
         "Cannot both add and remove the same label"),
        ({}, "No label add or removes specified"),
        ({"addLabelIds": [], "removeLabelIds": []}, "No label add or removes specified"),
        ({"addLabelIds": 7}, "Invalid value at 'add_label_ids[0]' (TYPE_STRING), 7"),
        ({"addLabelIds": ["STARRED", True]}, "Invalid value at 'add_label_ids[1]' (TYPE_STRING), true"),
        ({"addLabelIds": ["STARRED", None]}, "Invalid value at 'add_label_ids[1]' (TYPE_STRING), null"),
        ({"addLabelIds": {"id": "STARRED"}},
         "Invalid value at 'add_label_ids[0]' (TYPE_STRING), Starting an object on a scalar field"),
        ({"addLabelIds": ["STARRED"], "labels": []},
         'Invalid JSON payload received. Unknown name "labels": Cannot find field.'),
    ],
)  # fmt: skip
async def test_a_wrong_change_changes_nothing(
    api: httpx.AsyncClient, world: World, cast: Cast, change: dict[str, Any], sentence: str
) -> None:
    message = received(world, cast)
    before, journal = _labels(world, message.id), world.journal.head()
    for path, body in (
        (f"{message.id}/modify", change),
        ("batchModify", {"ids": [message.id], **change}),
    ):
        assert refused(await api.post(f"messages/{path}", json=body)) == sentence
    assert (_labels(world, message.id), world.journal.head()) == (before, journal)


async def test_a_hundred_labels_are_the_most(api: httpx.AsyncClient, world: World, cast: Cast) -> None:
    message, path = received(world, cast), "messages/{}/modify"
    change = {"addLabelIds": ["STARRED"] * 100}
    assert (await api.post(path.format(message.id), json=change)).status_code == 200
    change["addLabelIds"].append("STARRED")
    assert "100" in refused(await api.post(path.format(message.id), json=change))


async def test_classification_labels_are_not_faked(api: httpx.AsyncClient, world: World, cast: Cast) -> None:
    message = received(world, cast)
    change = {"addLabelIds": ["STARRED"], "addClassificationLabels": [{"labelId": "x"}]}
    assert "not faked" in refused(await api.post(f"messages/{message.id}/modify", json=change), 501)
    assert "STARRED" not in _labels(world, message.id)


async def test_the_trash_takes_a_message_out_of_the_inbox_and_gives_it_back_without(
    api: httpx.AsyncClient, world: World, cast: Cast
) -> None:
    message = received(world, cast)
    trashed = told(await api.post(f"messages/{message.id}/trash"))
    assert trashed["labelIds"] == [PERSONAL, "TRASH", "UNREAD"]
    assert (await api.get("messages")).json() == {"resultSizeEstimate": 0}
    for params in ({"q": "in:trash"}, {"includeSpamTrash": "true"}, {"labelIds": "TRASH"}):
        assert told(await api.get("messages", params=params))["messages"][0]["id"] == message.id
    assert told(await api.post(f"messages/{message.id}/untrash"))["labelIds"] == [PERSONAL, "UNREAD"]
    assert told(await api.get("messages"))["messages"][0]["id"] == message.id


async def test_archived_is_only_out_of_the_inbox(api: httpx.AsyncClient, world: World, cast: Cast) -> None:
    message = received(world, cast)
    await api.post(f"messages/{message.id}/modify", json={"removeLabelIds": ["INBOX"]})
    assert told(await api.get("messages"))["messages"][0]["id"] == message.id
    assert (await api.get("messages", params={"labelIds": "INBOX"})).json() == {"resultSizeEstimate": 0}


async def test_deleted_is_gone_for_good(api: httpx.AsyncClient, world: World, cast: Cast) -> None:
    message = received(world, cast)
    gone = await api.delete(f"messages/{message.id}")
    assert (gone.status_code, gone.content) == (204, b"")
    refused(await api.get(f"messages/{message.id}"), 404)
    refused(await api.delete(f"messages/{message.id}"), 404)
    assert told(await api.get("profile"))["messagesTotal"] == 0


@pytest.mark.parametrize("path", ["modify", "trash", "untrash", ""])
async def test_only_messages_of_ones_own_are_changed(
    api: httpx.AsyncClient, world: World, cast: Cast, path: str
) -> None:
    received(world, cast)
    theirs = store.send(world, cast.tom, raw(To=cast.lena.email))
    journal = world.journal.head()
    for message_id, status in ((theirs.id, 404), (NONE, 404), ("not-an-id", 400)):
        url = f"messages/{message_id}/{path}".rstrip("/")
        method, body = ("POST", {"addLabelIds": ["STARRED"]}) if path else ("DELETE", None)
        refused(await api.request(method, url, json=body), status)
    assert world.journal.head() == journal


async def test_a_batch_passes_over_what_is_not_there(
    api: httpx.AsyncClient, world: World, cast: Cast
) -> None:
    mine, theirs = received(world, cast), store.send(world, cast.tom, raw(To=cast.lena.email))
    ids = [NONE, mine.id, theirs.id, mine.id]
    answer = await api.post("messages/batchModify", json={"ids": ids, "addLabelIds": ["STARRED"]})
    assert (answer.status_code, answer.content) == (204, b"")
    assert "STARRED" in _labels(world, mine.id)
    assert "STARRED" not in _labels(world, theirs.id)
    assert (await api.post("messages/batchDelete", json={"ids": ids})).status_code == 204
    assert store.message_in(world, cast.mira.id, mine.id) is None
    assert store.message_in(world, cast.tom.id, theirs.id) is not None


@pytest.mark.parametrize(
    ("ids", "sentence"),
    [
        ([], "No message ids specified"),
        (None, "No message ids specified"),
        ([NONE] * 1001, "Number of ids cannot exceed 1000"),
        ([NONE, "x!"], "Invalid ids value"),
        ([NONE, 7], "Invalid value at 'ids[1]' (TYPE_STRING), 7"),
    ],
)
async def test_wrong_ids_of_a_batch_are_refused(api: httpx.AsyncClient, ids: object, sentence: str) -> None:
    change = {"ids": ids, "addLabelIds": ["STARRED"]}
    assert refused(await api.post("messages/batchModify", json=change)) == sentence
    assert refused(await api.post("messages/batchDelete", json={"ids": ids})) == sentence


async def test_deleting_a_drafts_message_takes_the_draft_along(
    api: httpx.AsyncClient, world: World, cast: Cast
) -> None:
    draft = store.create_draft(world, cast.mira, raw(To=cast.tom.email))
    assert (await api.delete(f"messages/{draft.message_id}")).status_code == 204
    assert store.draft_in(world, cast.mira.id, draft.id) is None


async def test_marks_of_the_mailbox_itself_are_not_told(
    api: httpx.AsyncClient, world: World, cast: Cast
) -> None:
    message = received(world, cast)
    store.snooze(world, cast.mira.id, message.thread_id, world.now() + 1000)
    assert told(await api.get(f"messages/{message.id}"))["labelIds"] == [PERSONAL, "UNREAD"]
    assert refused(await api.get("messages", params={"labelIds": "SNOOZED"})) == "Invalid label: SNOOZED"


async def test_what_is_sent_is_labelled_too(api: httpx.AsyncClient, cast: Cast) -> None:
    sent = told(await api.post("messages/send", json={"raw": encoded(raw(To=cast.tom.email))}))
    change = {"addLabelIds": ["STARRED"], "removeLabelIds": ["INBOX"]}
    answer = told(await api.post(f"messages/{sent['id']}/modify", json=change))
    assert answer["labelIds"] == ["SENT", "STARRED"]
