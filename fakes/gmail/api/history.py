"""What happened in a mailbox since a point that the client names, so that it need not read all again."""

from __future__ import annotations

from typing import Any

from fakes.core.paging import BadPageToken, page_position, page_token
from fakes.gmail import store
from fakes.gmail.api.calls import Call
from fakes.gmail.errors import InvalidPageToken, InvalidValue, MissingHistoryStart, NotFound
from fakes.gmail.rules.labels import INTERNAL
from fakes.gmail.schema import HistoryEntry

METHOD = "gmail.users.history.list"
DEFAULT_PAGE, LARGEST_PAGE = 100, 500
KINDS = {
    "messageAdded": "messagesAdded",
    "messageDeleted": "messagesDeleted",
    "labelAdded": "labelsAdded",
    "labelRemoved": "labelsRemoved",
}
"""The list of a record that each kind of change is in."""


async def list_history(call: Call) -> dict[str, Any]:
    """users.history.list: oldest first; 404 for a start that is kept no more, or is none of this mailbox."""
    limit = call.count("maxResults", DEFAULT_PAGE, LARGEST_PAGE)
    start, kinds, label = _start(call), _kinds(call), call.text("labelId")
    if label:
        store.check_label(call.world, call.person.id, label)
    bound = {"owner": call.person.id, "start": start, "kinds": kinds, "label": label}
    after = _position(call, bound)
    found = store.history_since(
        call.world, call.person.id, start, kinds=kinds, label=label, limit=limit, after=after
    )
    if found is None:
        raise NotFound()
    page: dict[str, Any] = {}
    if found.entries:
        page["history"] = _records(call, found.entries)
    if found.next is not None:
        page["nextPageToken"] = page_token(call.world, METHOD, bound, [found.next])
    return {**page, "historyId": str(store.mailbox_of(call.world, call.person.id).history_id)}


def _start(call: Call) -> int:
    """Raises MissingHistoryStart."""
    start = call.uint64("startHistoryId")
    if not start:
        raise MissingHistoryStart()
    return start


def _kinds(call: Call) -> list[str]:
    """The kinds of change that are asked for, all where none is. Raises InvalidValue."""
    asked = call.texts("historyTypes")
    for each in asked:
        if each not in KINDS:
            raise InvalidValue("history_types", "TYPE_ENUM", f'"{each[:80]}"')
    return sorted(set(asked) or KINDS)


def _position(call: Call, bound: dict[str, Any]) -> int | None:
    token = call.text("pageToken")
    try:
        return int(page_position(call.world, METHOD, bound, token)[0]) if token else None
    except BadPageToken:
        raise InvalidPageToken() from None


def _records(call: Call, entries: list[HistoryEntry]) -> list[dict[str, Any]]:
    labels = store.labels_of(call.world, [entry.message_id for entry in entries])
    return [_record(entry, labels[entry.message_id]) for entry in entries]


def _record(entry: HistoryEntry, labels_now: list[str]) -> dict[str, Any]:
    """A change: of a message that came or went with all its labels, else with those that it has now."""
    concerned = _shown(entry.labels.split())
    message: dict[str, Any] = {"id": entry.message_id, "threadId": entry.thread_id}
    of_labels = entry.kind in ("labelAdded", "labelRemoved")
    if labels := _shown(labels_now) if of_labels else concerned:
        message["labelIds"] = labels
    change = {"message": message, "labelIds": concerned} if of_labels else {"message": message}
    brief = {"id": entry.message_id, "threadId": entry.thread_id}
    return {"id": str(entry.id), "messages": [brief], KINDS[entry.kind]: [change]}


def _shown(labels: list[str]) -> list[str]:
    return [label for label in labels if label not in INTERNAL]


FAKED = {"users.history.list": list_history}
