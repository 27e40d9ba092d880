"""Tools that read: search, messages, threads, attached files, the profile."""

from __future__ import annotations

import base64
from typing import Any

from pydantic import Field

from fakes.core.mcp.tools import Arguments, Nothing, Said, ToolCall, ToolRefused, tool
from fakes.core.paging import BadPageToken, page_position, page_token
from fakes.gmail import store
from fakes.gmail.mcp import telling
from fakes.gmail.rules.search import parse
from fakes.gmail.store.attachments import Attached, attachments_of

MOST_FOUND = 100
_SEARCH = "search_emails"


class SearchEmails(Arguments):
    """What to look for."""

    query: str = Field(default="", description="Gmail search syntax, such as: from:ana@x.example is:unread")
    max_results: int = Field(default=10, ge=1, le=MOST_FOUND, description="How many at most")
    page_token: str = Field(default="", description="Where the last page said that the next one begins")


class MessageId(Arguments):
    """Which message."""

    message_id: str = Field(description="The message's id")


class ThreadId(Arguments):
    """Which thread."""

    thread_id: str = Field(description="The thread's id")


class WhichFile(MessageId):
    """Which attached file."""

    attachment_id: str = Field(default="", description="The file's id; or say its filename")
    filename: str = Field(default="", description="The file's name, in place of its id")


def search_emails(call: ToolCall, asked: SearchEmails) -> Said:
    """Messages, newest first."""
    bound = {"owner": call.person.id, "query": asked.query}
    query, before = parse(asked.query, call.person.email), _position(call, bound, asked.page_token)
    found = store.list_messages(call.world, call.person.id, query, limit=asked.max_results, before=before)
    messages = store.messages_in(call.world, call.person.id, [ref[0] for ref in found.refs])
    text, rows = telling.listed(call, messages)
    facts: dict[str, Any] = {"messages": rows, "resultSizeEstimate": found.estimate}
    if not rows:
        return Said("No message is found.", facts)
    if found.next:
        facts["nextPageToken"] = page_token(call.world, _SEARCH, bound, found.next)
        text += f"\n\nThere are more: pageToken {facts['nextPageToken']}"
    return Said(text, facts)


def _position(call: ToolCall, bound: dict[str, Any], token: str) -> store.Position | None:
    try:
        return page_position(call.world, _SEARCH, bound, token) if token else None
    except BadPageToken:
        raise ToolRefused("That pageToken is of another search, or made up.") from None


def read_email(call: ToolCall, asked: MessageId) -> Said:
    """A message. Unlike opening it on a page, this does not mark it read."""
    text, facts = telling.whole(call, telling.named(call, asked.message_id))
    return Said(text, facts)


def get_thread(call: ToolCall, asked: ThreadId) -> Said:
    """A conversation, oldest first."""
    messages = telling.thread_named(call, asked.thread_id)
    told = [telling.whole(call, message) for message in messages]
    text = "\n\n----\n\n".join(text for text, _ in told)
    return Said(text, {"id": messages[0].thread_id, "messages": [facts for _, facts in told]})


def list_attachments(call: ToolCall, asked: MessageId) -> Said:
    """The files of a message."""
    message = telling.named(call, asked.message_id)
    rows = [telling.file_row(each) for each in _files(call, asked.message_id)]
    text = "\n".join(map(telling.file_line, rows)) or "No files are attached."
    return Said(text, {"messageId": message.id, "attachments": rows})


def download_attachment(call: ToolCall, asked: WhichFile) -> Said:
    """A file's bytes; of a text, what it says."""
    found = file_named(call, asked.message_id, asked.attachment_id, asked.filename)
    content = found.part.octets
    row = telling.file_row(found)
    facts = {**row, "data": base64.b64encode(content).decode()}
    return Said(f"{telling.file_line(row)}\n\n{_shown(found, content)}", facts)


def _shown(file: Attached, content: bytes) -> str:
    if file.part.media_type.startswith("text/"):
        return file.part.text
    return f"In base64: {base64.b64encode(content).decode()}"


def file_named(call: ToolCall, message_id: str, attachment_id: str, filename: str) -> Attached:
    """An attached file by its id, or by its name. Raises ToolRefused where there is none or more than one."""
    files = _files(call, message_id)
    found = [each for each in files if (each.id == attachment_id if attachment_id else each.name == filename)]
    if len(found) == 1:
        return found[0]
    known = ", ".join(repr(each.name) for each in files) or "none"
    if found:
        raise ToolRefused(f"Several files are called {filename!r}: say the attachmentId.")
    raise ToolRefused(f"Message {message_id} has no file {attachment_id or filename!r}; its files: {known}.")


def _files(call: ToolCall, message_id: str) -> list[Attached]:
    message = telling.named(call, message_id)
    return attachments_of(call.world, message, telling.parts_of(call, message))


def get_profile(call: ToolCall, asked: Nothing) -> Said:
    """The account, and how much it holds."""
    mailbox = store.mailbox_of(call.world, call.person.id)
    facts = {
        "emailAddress": call.person.email,
        "messagesTotal": mailbox.messages_total,
        "threadsTotal": mailbox.threads_total,
        "historyId": str(mailbox.history_id),
    }
    held = f"{mailbox.messages_total} messages in {mailbox.threads_total} threads"
    return Said(f"{call.person.name} <{call.person.email}>: {held}.", facts)


TOOLS = (
    tool(
        _SEARCH,
        "Search mail",
        "Finds messages by Gmail's search syntax, newest first, but not in spam and trash.",
        SearchEmails,
        search_emails,
        reads=True,
    ),
    tool(
        "read_email",
        "Read a message",
        "A message with its text and the names of attached files. It stays unread if it is.",
        MessageId,
        read_email,
        reads=True,
    ),
    tool(
        "get_thread",
        "Read a conversation",
        "All messages of a thread with their texts, oldest first.",
        ThreadId,
        get_thread,
        reads=True,
    ),
    tool(
        "list_attachments",
        "List attached files",
        "Names, types, sizes and ids of a message's files.",
        MessageId,
        list_attachments,
        reads=True,
    ),
    tool(
        "download_attachment",
        "Read an attached file",
        "The content of an attached file: text as it is, anything else in base64.",
        WhichFile,
        download_attachment,
        reads=True,
    ),
    tool(
        "get_profile",
        "Whose mailbox",
        "The account's address and how many messages it has.",
        Nothing,
        get_profile,
        reads=True,
    ),
)
