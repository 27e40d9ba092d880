"""Messages: list, get, send."""

from __future__ import annotations

from typing import Any

from fakes.gmail import store
from fakes.gmail.api import rendering
from fakes.gmail.api.calls import Call
from fakes.gmail.api.listings import asked
from fakes.gmail.api.modifying import named
from fakes.gmail.api.uploads import message_given

METHOD = "gmail.users.messages.list"


async def list_messages(call: Call) -> dict[str, Any]:
    """users.messages.list: ids and thread ids, newest first."""
    page = asked(call, METHOD)
    found = store.list_messages(call.world, call.person.id, page.query, limit=page.limit, before=page.before)
    rows = [{"id": message_id, "threadId": thread_id} for message_id, thread_id in found.refs]
    return page.page("messages", rows, found)


async def get(call: Call) -> dict[str, Any]:
    """users.messages.get in one of four formats."""
    format = rendering.format_asked(call.text("format", "full"))
    return rendering.message(call.request, named(call), format, call.texts("metadataHeaders"))


async def send(call: Call) -> dict[str, Any]:
    """users.messages.send."""
    given = await message_given(call)
    message = store.send(call.world, call.person, given.raw, given.thread_id)
    return rendering.reference(call.world, message)


FAKED = {
    "users.messages.get": get,
    "users.messages.list": list_messages,
    "users.messages.send": send,
}
