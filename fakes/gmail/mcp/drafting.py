"""Tools for drafts: a mail that is being written, kept, changed, sent or thrown away."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from fakes.core.mcp.tools import Arguments, Said, ToolCall, ToolRefused, tool
from fakes.gmail import store
from fakes.gmail.mcp import sending, telling, writing
from fakes.gmail.mcp.writing import Addressed, Header
from fakes.gmail.rules import mime
from fakes.gmail.rules.parts import tree
from fakes.gmail.rules.search import parse
from fakes.gmail.schema import Draft, Message
from fakes.gmail.store.attachments import attachments_of

_BODIES = frozenset({"body", "html_body", "mime_type"})


class DraftId(Arguments):
    """Which draft."""

    draft_id: str = Field(description="The draft's id")


class ChangedDraft(Addressed):
    """What a draft is to be from now on; what is left out stays."""

    draft_id: str = Field(description="The draft's id")


class ListDrafts(Arguments):
    """Which drafts."""

    query: str = Field(default="", description="Gmail search syntax")
    max_results: int = Field(default=20, ge=1, le=100, description="How many at most")


def _named(call: ToolCall, draft_id: str) -> tuple[Draft, Message]:
    draft = store.draft_in(call.world, call.person.id, draft_id)
    message = store.message_in(call.world, call.person.id, draft.message_id) if draft is not None else None
    if draft is None or message is None:
        raise ToolRefused(f"There is no draft {draft_id!r} in this mailbox.")
    return draft, message


def draft_email(call: ToolCall, asked: Addressed) -> Said:
    """Keeps a new draft."""
    mail = writing.written(call, writing.headers_of(call, asked), asked)
    draft = store.create_draft(call.world, call.person, mail, asked.thread_id or None)
    return _told(call, "Kept as", draft)


def update_draft(call: ToolCall, asked: ChangedDraft) -> Said:
    """Changes a draft in what was given."""
    draft, message = _named(call, asked.draft_id)
    draft = store.update_draft(
        call.world, call.person, draft, _changed(call, asked, message), asked.thread_id or None
    )
    return _told(call, "Changed:", draft)


def _changed(call: ToolCall, asked: ChangedDraft, message: Message) -> bytes:
    """The mail of a draft with what is asked for in the place of what there was."""
    letter, given = telling.letter_of(call, message), asked.model_fields_set
    whole = tree(letter.raw)
    kept: list[Header] = [(name, letter.header(name)) for name in ("In-Reply-To", "References")]
    before: dict[str, str] = {name: letter.header(name.title()) for name in ("to", "cc", "bcc", "subject")}
    asked_for = dict(writing.headers_of(call, asked))
    headers = [
        (name.title(), asked_for[name.title()] if name in given else value) for name, value in before.items()
    ]
    answering = [(n, v) for n, v in asked_for.items() if n in ("In-Reply-To", "References")] or kept
    files = (
        [] if "attachments" in given else [each.file for each in attachments_of(call.world, message, whole)]
    )
    texts = None if given & _BODIES else (letter.text, mime.body(whole, "html") or "")
    return writing.written(call, [*headers, *answering], asked, files=files, texts=texts)


def list_drafts(call: ToolCall, asked: ListDrafts) -> Said:
    """Drafts, newest first."""
    query = parse(asked.query, call.person.email)
    found = store.list_drafts(call.world, call.person.id, query, limit=asked.max_results)
    there = store.messages_in(call.world, call.person.id, [message_id for _, message_id in found.refs])
    messages = {message.id: message for message in there}
    rows = [_row(draft_id, messages[ref]) for draft_id, ref in found.refs if ref in messages]
    lines = [f"Draft {row['id']} to {row['to'] or 'nobody yet'}: {row['subject']}" for row in rows]
    return Said("\n".join(lines) or "There are no drafts.", {"drafts": rows})


def _row(draft_id: str, message: Message) -> dict[str, Any]:
    return {
        "id": draft_id, "messageId": message.id, "threadId": message.thread_id, "to": message.recipients,
        "subject": message.subject, "snippet": message.snippet,
    }  # fmt: skip


def read_draft(call: ToolCall, asked: DraftId) -> Said:
    """A draft as it stands."""
    draft, message = _named(call, asked.draft_id)
    text, facts = telling.whole(call, message)
    return Said(f"Draft {draft.id}\n{text}", {"draftId": draft.id, "message": facts})


def send_draft(call: ToolCall, asked: DraftId) -> Said:
    """Sends a draft."""
    draft, _ = _named(call, asked.draft_id)
    return sending.told(call, store.send_draft(call.world, call.person, draft))


def delete_draft(call: ToolCall, asked: DraftId) -> Said:
    """Throws a draft away."""
    draft, _ = _named(call, asked.draft_id)
    store.discard_draft(call.world, draft)
    return Said(f"Draft {draft.id} is gone.", {"id": draft.id})


def _told(call: ToolCall, verb: str, draft: Draft) -> Said:
    message = telling.named(call, draft.message_id)
    facts = {"id": draft.id, "message": telling.reference(call, message)}
    return Said(f"{verb} draft {draft.id}, to {message.recipients or 'nobody yet'}.", facts)


TOOLS = (
    tool(
        "draft_email",
        "Write a draft",
        "Keeps a mail without sending it; it may lack recipients.",
        Addressed,
        draft_email,
    ),
    tool(
        "update_draft",
        "Change a draft",
        "Changes what is given of a draft, and leaves the rest.",
        ChangedDraft,
        update_draft,
        repeats=True,
    ),
    tool("read_draft", "Read a draft", "A draft with its text and files.", DraftId, read_draft, reads=True),
    tool(
        "list_drafts",
        "List drafts",
        "The drafts with their ids, newest first.",
        ListDrafts,
        list_drafts,
        reads=True,
    ),
    tool("send_draft", "Send a draft", "Sends a draft as it stands.", DraftId, send_draft, reaches=True),
    tool(
        "delete_draft",
        "Throw a draft away",
        "Removes a draft for good.",
        DraftId,
        delete_draft,
        destroys=True,
        repeats=True,
    ),
)
