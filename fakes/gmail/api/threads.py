"""Threads: listed, read, and changed with all their messages."""

from __future__ import annotations

from typing import Any

from fakes.gmail import store
from fakes.gmail.api import modifying, rendering
from fakes.gmail.api.calls import Call
from fakes.gmail.api.listings import asked
from fakes.gmail.errors import InvalidId, NotFound
from fakes.gmail.rules.threads import is_id
from fakes.gmail.schema import Message

METHOD = "gmail.users.threads.list"
FORMATS = ("full", "metadata", "minimal")


def _named(call: Call) -> list[Message]:
    """The messages of the thread that the path names, oldest first. Raises InvalidId, NotFound."""
    thread_id = call.path("id")
    if not is_id(thread_id):
        raise InvalidId()
    messages = store.thread_in(call.world, call.person.id, thread_id)
    if not messages:
        raise NotFound()
    return messages


async def list_threads(call: Call) -> dict[str, Any]:
    """users.threads.list: those with a message that is found, the newest of these first."""
    page = asked(call, METHOD)
    found = store.list_threads(call.world, call.person.id, page.query, limit=page.limit, before=page.before)
    return page.page("threads", _rows(call, found.refs), found)


def _rows(call: Call, refs: list[tuple[str, str]]) -> list[dict[str, Any]]:
    """A thread as a list tells it: by the text of its newest message, whichever was found."""
    thread_ids = [thread_id for thread_id, _ in refs]
    newest = store.newest_in(call.world, call.person.id, thread_ids)
    history_ids = store.thread_history_ids(call.world, call.person.id, thread_ids)
    return [
        {
            "id": thread_id,
            "snippet": rendering.snippet(call.request, newest[thread_id]),
            "historyId": str(history_ids[thread_id]),
        }
        for thread_id in thread_ids
        if thread_id in newest  # a label may outlive its message in a broken world
    ]


async def get(call: Call) -> dict[str, Any]:
    """users.threads.get in one of FORMATS."""
    format = rendering.format_asked(call.text("format", "full"), FORMATS)
    messages, wanted = _named(call), call.texts("metadataHeaders")
    thread_id = messages[0].thread_id
    return {
        "id": thread_id,
        "historyId": str(store.thread_history_ids(call.world, call.person.id, [thread_id])[thread_id]),
        "messages": rendering.messages(call.request, messages, format, wanted),
    }


async def modify(call: Call) -> dict[str, Any]:
    """users.threads.modify: the labels of all its messages."""
    change = modifying.change_in(await call.json())
    messages = _named(call)
    ids = [message.id for message in messages]
    store.relabel(call.world, call.person.id, ids, add=change.add, remove=change.remove)
    return _reference(call, messages)


async def trash(call: Call) -> dict[str, Any]:
    """users.threads.trash."""
    messages = _named(call)
    store.trash(call.world, call.person.id, [message.id for message in messages])
    return _reference(call, messages)


async def untrash(call: Call) -> dict[str, Any]:
    """users.threads.untrash."""
    messages = _named(call)
    store.untrash(call.world, call.person.id, [message.id for message in messages])
    return _reference(call, messages)


async def delete(call: Call) -> None:
    """users.threads.delete: with all its messages, for good."""
    store.delete(call.world, call.person.id, [message.id for message in _named(call)])


def _reference(call: Call, messages: list[Message]) -> dict[str, Any]:
    """What a change answers: the thread's id, and ids and labels of its messages."""
    return {
        "id": messages[0].thread_id,
        "messages": rendering.references(call.world, messages),
    }


FAKED = {
    "users.threads.delete": delete,
    "users.threads.get": get,
    "users.threads.list": list_threads,
    "users.threads.modify": modify,
    "users.threads.trash": trash,
    "users.threads.untrash": untrash,
}
