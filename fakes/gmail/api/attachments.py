"""Attached files, by the ids that `users.messages.get` names."""

from __future__ import annotations

from typing import Any

from fakes.gmail import store
from fakes.gmail.api import payloads, rendering
from fakes.gmail.api.calls import Call
from fakes.gmail.errors import InvalidAttachment, InvalidId, NotFound
from fakes.gmail.rules.threads import is_id


async def get(call: Call) -> dict[str, Any]:
    """users.messages.attachments.get: the file's bytes and how many they are."""
    message_id = call.path("messageId")
    if not is_id(message_id):
        raise InvalidId()
    message = store.message_in(call.world, call.person.id, message_id)
    if message is None:
        raise NotFound()
    whole = rendering.parts_of(call.request, message)
    content = payloads.attached(call.world, message, whole, call.path("id"))
    if content is None:
        raise InvalidAttachment()
    return {"size": len(content), "data": payloads.base64url(content)}


FAKED = {"users.messages.attachments.get": get}
