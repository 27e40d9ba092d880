"""Drafts: mail being written. What is planned to go out by itself is no draft to the API."""

from __future__ import annotations

from typing import Any

from fakes.gmail import store
from fakes.gmail.api import rendering
from fakes.gmail.api.calls import Call
from fakes.gmail.api.listings import asked
from fakes.gmail.api.uploads import given, message_in, object_in
from fakes.gmail.errors import InvalidArgument, MissingDraftMessage, NotADraft, NotFound
from fakes.gmail.schema import Draft

METHOD = "gmail.users.drafts.list"


async def create(call: Call) -> dict[str, Any]:
    """users.drafts.create: a draft may lack recipients, or anything else."""
    handed = await given(call)
    if handed.raw is None and not object_in(handed.resource, "message"):
        raise MissingDraftMessage()
    mail = message_in(handed, "message")
    return _told(call, store.create_draft(call.world, call.person, mail.raw, mail.thread_id))


async def update(call: Call) -> dict[str, Any]:
    """users.drafts.update: the draft keeps its id, its message gets another one."""
    handed = await given(call)
    draft = store.draft_in(call.world, call.person.id, call.path("id"))
    if draft is None:
        raise NotFound()
    if store.sending_of(call.world, draft) is not None:
        raise NotADraft()
    if handed.raw is None and not object_in(handed.resource, "message"):
        raise MissingDraftMessage()
    mail = message_in(handed, "message")
    return _told(call, store.update_draft(call.world, call.person, draft, mail.raw, mail.thread_id))


async def get(call: Call) -> dict[str, Any]:
    """users.drafts.get in one of four formats."""
    format = rendering.format_asked(call.text("format", "full"))
    draft = _draft(call, call.path("id"))
    message = store.message_in(call.world, call.person.id, draft.message_id)
    if message is None:
        raise NotFound()
    return {"id": draft.id, "message": rendering.message(call.request, message, format, ())}


async def list_drafts(call: Call) -> dict[str, Any]:
    """users.drafts.list: newest first, with the ids of their messages and threads."""
    page = asked(call, METHOD)
    found = store.list_drafts(call.world, call.person.id, page.query, limit=page.limit, before=page.before)
    messages = store.messages_in(call.world, call.person.id, [message_id for _, message_id in found.refs])
    threads = {message.id: message.thread_id for message in messages}
    rows = [
        {"id": draft_id, "message": {"id": message_id, "threadId": threads[message_id]}}
        for draft_id, message_id in found.refs
    ]
    return page.page("drafts", rows, found)


async def send(call: Call) -> dict[str, Any]:
    """users.drafts.send: `id` names the draft; a message beside it takes the place of what was written."""
    handed = await given(call)
    draft_id = handed.resource.get("id", "")
    if not draft_id:
        raise InvalidArgument("Missing draft id")
    draft = _draft(call, draft_id)
    replaced = handed.raw is not None or bool(object_in(handed.resource, "message").get("raw"))
    mail = message_in(handed, "message") if replaced else None
    with call.world.tx():
        if mail is not None:
            draft = store.update_draft(call.world, call.person, draft, mail.raw, mail.thread_id)
        sent = store.send_draft(call.world, call.person, draft)
    return rendering.reference(call.world, sent)


async def delete(call: Call) -> None:
    """users.drafts.delete: for good, not into the trash."""
    store.discard_draft(call.world, _draft(call, call.path("id")))


def _draft(call: Call, draft_id: str) -> Draft:
    """The draft with this id. Raises NotFound, also for what is planned to go out."""
    draft = store.draft_in(call.world, call.person.id, draft_id)
    if draft is None or store.sending_of(call.world, draft) is not None:
        raise NotFound()
    return draft


def _told(call: Call, draft: Draft) -> dict[str, Any]:
    message = store.message_in(call.world, call.person.id, draft.message_id)
    assert message is not None
    return {"id": draft.id, "message": rendering.reference(call.world, message)}


FAKED = {
    "users.drafts.create": create,
    "users.drafts.delete": delete,
    "users.drafts.get": get,
    "users.drafts.list": list_drafts,
    "users.drafts.send": send,
    "users.drafts.update": update,
}
"""Faked methods of users.drafts."""
