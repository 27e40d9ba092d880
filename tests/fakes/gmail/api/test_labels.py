"""users.labels, as clients see them."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import httpx
import pytest

from fakes.core.world import World
from fakes.gmail import store
from fakes.gmail.schema import UserLabel
from tests.fakes.gmail.api.asking import received, refused, told
from tests.fakes.gmail.town import Cast

RED = {"textColor": "#ffffff", "backgroundColor": "#cc3a21"}
SYSTEM_LABEL = "INBOX"


async def _create(api: httpx.AsyncClient, name: str, **more: Any) -> dict[str, Any]:
    return told(await api.post("labels", json={"name": name, **more}))


async def test_the_systems_labels_are_listed(api: httpx.AsyncClient) -> None:
    labels = {label["id"]: label for label in told(await api.get("labels"))["labels"]}
    assert labels["INBOX"] == {"id": "INBOX", "name": "INBOX", "type": "system"}
    assert labels["TRASH"]["labelListVisibility"] == "labelHide"
    assert len(labels) == 14


async def test_a_label_is_made_listed_and_told(api: httpx.AsyncClient) -> None:
    made = await _create(api, "Bills", labelListVisibility="labelShowIfUnread", color=RED)
    assert made == {
        "id": "Label_1", "name": "Bills", "type": "user", "messageListVisibility": "show",
        "labelListVisibility": "labelShowIfUnread", "color": RED,
    }  # fmt: skip
    assert told(await api.get("labels"))["labels"][-1] == made
    counts = dict.fromkeys(["messagesTotal", "messagesUnread", "threadsTotal", "threadsUnread"], 0)
    assert told(await api.get("labels/Label_1")) == {**made, **counts}


async def test_a_plain_label_is_shown_and_has_no_colour(api: httpx.AsyncClient) -> None:
    made = await _create(api, "Bills")
    assert (made["messageListVisibility"], made["labelListVisibility"]) == ("show", "labelShow")
    assert "color" not in made


async def test_counts_are_of_messages_and_of_threads(
    api: httpx.AsyncClient, world: World, cast: Cast
) -> None:
    label = store.create_label(world, cast.mira.id, "Bills")
    first = received(world, cast, Subject="A", Message_ID="<1@x>")
    second = received(world, cast, Subject="A", In_Reply_To="<1@x>")
    third = received(world, cast, Subject="B")
    assert first.thread_id == second.thread_id
    store.relabel(world, cast.mira.id, [first.id, second.id, third.id], add=[label.id])
    store.mark_read(world, cast.mira.id, [second.id, third.id])
    expected = {"messagesTotal": 3, "messagesUnread": 1, "threadsTotal": 2, "threadsUnread": 1}
    for label_id in (label.id, "INBOX"):
        got = told(await api.get(f"labels/{label_id}"))
        assert {name: got[name] for name in expected} == expected


async def test_patch_leaves_what_it_does_not_name(api: httpx.AsyncClient) -> None:
    made = await _create(api, "Bills", messageListVisibility="hide", color=RED)
    patched = told(await api.patch("labels/Label_1", json={"name": "Papers"}))
    assert patched == {**made, "name": "Papers"}


async def test_update_sets_back_what_it_does_not_name(api: httpx.AsyncClient) -> None:
    made = await _create(
        api, "Bills", messageListVisibility="hide", labelListVisibility="labelHide", color=RED
    )
    given = {"id": "Label_1", "name": "Bills", "labelListVisibility": "labelHide"}
    updated = told(await api.put("labels/Label_1", json=given))
    del made["color"]
    assert updated == {**made, "messageListVisibility": "show"}


async def test_what_is_as_it_was_writes_nothing(api: httpx.AsyncClient, world: World) -> None:
    made, journal = await _create(api, "Bills", color=RED), world.journal.head()
    assert told(await api.put("labels/Label_1", json=made)) == made
    assert told(await api.patch("labels/Label_1", json={"name": "Bills"})) == made
    assert told(await api.patch("labels/Label_1", json={})) == made
    assert world.journal.head() == journal


async def test_deleted_is_off_its_messages_and_gone(api: httpx.AsyncClient, world: World, cast: Cast) -> None:
    label, message = store.create_label(world, cast.mira.id, "Bills"), received(world, cast)
    store.relabel(world, cast.mira.id, [message.id], add=[label.id])
    gone = await api.delete(f"labels/{label.id}")
    assert (gone.status_code, gone.content) == (204, b"")
    assert label.id not in told(await api.get(f"messages/{message.id}"))["labelIds"]
    refused(await api.get(f"labels/{label.id}"), 404)
    change = {"addLabelIds": [label.id]}
    answer = await api.post(f"messages/{message.id}/modify", json=change)
    assert refused(answer) == "labelId not found"


async def test_a_number_is_not_given_twice(api: httpx.AsyncClient) -> None:
    await _create(api, "Bills")
    await api.delete("labels/Label_1")
    assert (await _create(api, "Bills"))["id"] == "Label_2"


@pytest.mark.parametrize("verb", ["PATCH", "PUT", "DELETE"])
async def test_the_systems_labels_stay_as_they_are(api: httpx.AsyncClient, world: World, verb: str) -> None:
    journal, body = world.journal.head(), None if verb == "DELETE" else {"name": "Mine"}
    deed = "delete" if verb == "DELETE" else "update"
    answer = await api.request(verb, f"labels/{SYSTEM_LABEL}", json=body)
    assert refused(answer) == f"Invalid {deed} request"
    assert world.journal.head() == journal


@pytest.mark.parametrize("verb", ["GET", "PATCH", "PUT", "DELETE"])
async def test_only_labels_of_ones_own_are_found(
    api: httpx.AsyncClient, world: World, cast: Cast, verb: str
) -> None:
    theirs = store.create_label(world, cast.tom.id, "His")
    journal, body = world.journal.head(), {"name": "Mine"} if verb in ("PATCH", "PUT") else None
    for label_id in (theirs.id, "Label_99", "SNOOZED", "inbox"):
        assert refused(await api.request(verb, f"labels/{label_id}", json=body), 404)
    assert world.journal.head() == journal


NAME = "Invalid label name"
COLOR = "Label color {} is not on the allowed color palette"
WRONG: list[tuple[dict[str, Any], str]] = [
    ({}, NAME),
    ({"name": ""}, NAME),
    ({"name": " "}, NAME),
    ({"name": "Inbox"}, NAME),
    ({"name": "Drafts"}, NAME),
    ({"name": "trash"}, NAME),
    ({"name": "Unread\r"}, NAME),
    ({"name": "Migrated"}, NAME),
    ({"name": "CATEGORY_SOCIAL"}, NAME),
    ({"name": "/a"}, NAME),
    ({"name": "a/"}, NAME),
    ({"name": "a// b"}, NAME),
    ({"name": "a\0b"}, NAME),
    ({"name": "x" * 226}, NAME),
    ({"name": 7}, "Invalid value at 'label.name' (TYPE_STRING), 7"),
    ({"name": ["a"]}, 'Invalid JSON payload received. Unknown name "name" at \'label\': Proto field is not '
     "repeating, cannot start list."),
    ({"name": "a", "color": {"backgroundColor": "#cc3a21"}}, COLOR.format("")),
    ({"name": "a", "color": {**RED, "textColor": "#123456"}}, COLOR.format("#123456")),
    ({"name": "a", "color": {**RED, "textColor": "#FFFFFF"}}, COLOR.format("#FFFFFF")),
    ({"name": "a", "color": {**RED, "textColor": 0}},
     "Invalid value at 'label.color.text_color' (TYPE_STRING), 0"),
    ({"name": "a", "color": "red"}, "Invalid value at 'label.color' (TYPE_MESSAGE), \"red\""),
    ({"name": "a", "color": {"hue": "1"}},
     'Invalid JSON payload received. Unknown name "hue" at \'label.color\': Cannot find field.'),
    ({"name": "a", "colour": RED},
     'Invalid JSON payload received. Unknown name "colour" at \'label\': Cannot find field.'),
    ({"name": "a", "messageListVisibility": "labelShow"}, "Invalid value at 'label.message_list_visibility'"),
    (
        {"name": "a", "labelListVisibility": ["labelShow"]},
        "Invalid JSON payload received. Unknown name \"labelListVisibility\" at 'label': Proto field is not",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("body", "sentence"), WRONG)
async def test_a_wrong_label_is_not_made(
    api: httpx.AsyncClient, world: World, body: dict[str, Any], sentence: str
) -> None:
    journal = world.journal.head()
    assert refused(await api.post("labels", json=body)).startswith(sentence)
    assert world.journal.head() == journal


@pytest.mark.parametrize("verb", ["PUT", "PATCH"])
async def test_nor_made_of_another(api: httpx.AsyncClient, world: World, cast: Cast, verb: str) -> None:
    label = store.create_label(world, cast.mira.id, "Bills")
    journal = world.journal.head()
    for body, sentence in WRONG[1:]:
        assert refused(await api.request(verb, f"labels/{label.id}", json=body)).startswith(sentence), body
    assert world.journal.head() == journal


@pytest.mark.parametrize("body", ["[]", '"name"', "{", '{"name": "a"'])
async def test_a_body_that_is_no_object_is_refused(api: httpx.AsyncClient, body: str) -> None:
    assert "Invalid JSON" in refused(await api.post("labels", content=body))


@pytest.mark.parametrize("name", ["Bills", "bills", " Bills ", "Work/ Papers", "work/papers", "ÉTÉ"])
async def test_a_name_is_taken_once_in_whatever_case(api: httpx.AsyncClient, name: str) -> None:
    for taken in ("Bills", "Work/Papers", "été"):
        await _create(api, taken)
    answer = await api.post("labels", json={"name": name})
    assert refused(answer, 409) == "Label name exists or conflicts"
    error = answer.json()["error"]
    assert (error["status"], error["errors"][0]["reason"]) == ("ABORTED", "aborted")
    other = await _create(api, "Other")
    refused(await api.patch(f"labels/{other['id']}", json={"name": name}), 409)


async def test_a_label_may_change_its_own_case(api: httpx.AsyncClient) -> None:
    await _create(api, "Bills")
    assert told(await api.patch("labels/Label_1", json={"name": "BILLS"}))["name"] == "BILLS"


async def test_nested_labels_need_no_parent(api: httpx.AsyncClient) -> None:
    assert (await _create(api, "Work /  Big\tPapers"))["name"] == "Work/Big Papers"
    assert len(told(await api.get("labels"))["labels"]) == 15


async def test_there_is_an_end_to_labels(
    api: httpx.AsyncClient, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = import_module("fakes.gmail.store.own_labels")
    assert module.MOST_LABELS == 10_000
    monkeypatch.setattr(module, "MOST_LABELS", 1)
    await _create(api, "Bills")
    assert "10000" in refused(await api.post("labels", json={"name": "One too many"}))
    assert world.count(UserLabel) == 1


async def test_lists_take_own_labels(api: httpx.AsyncClient, world: World, cast: Cast) -> None:
    label, message = store.create_label(world, cast.mira.id, "Bills"), received(world, cast)
    received(world, cast)
    store.relabel(world, cast.mira.id, [message.id], add=[label.id])
    found = told(await api.get("messages", params={"labelIds": [label.id, "INBOX"]}))
    assert found["messages"] == [{"id": message.id, "threadId": message.thread_id}]
    assert refused(await api.get("messages", params={"labelIds": "Label_9"})) == "labelId not found"
