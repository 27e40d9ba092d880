"""Mails as tools are told to write them: addresses, bodies, files, and what makes one an answer."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from typing import Literal

from pydantic import Field, model_validator

from fakes.core.capabilities import Attachment
from fakes.core.mcp.tools import Arguments, ToolCall, ToolRefused
from fakes.gmail import store
from fakes.gmail.errors import InvalidHeader
from fakes.gmail.mcp import telling
from fakes.gmail.mcp.reading import file_named
from fakes.gmail.rules import mime
from fakes.gmail.rules.addresses import address_line
from fakes.gmail.rules.html import plain_text
from fakes.gmail.rules.threads import is_id, message_ids
from fakes.gmail.schema import Message

MOST_REFERENCES = 10
Header = tuple[str, str]
_KINDS = Literal["text/plain", "text/html", "multipart/alternative"]


class FileToAttach(Arguments):
    """A file: its content in base64, or one that is attached to a message of this mailbox."""

    filename: str = Field(default="", description="The file's name")
    mime_type: str = Field(default="", description="Its media type, such as application/pdf")
    content: str | None = Field(default=None, description="Its bytes in base64")
    message_id: str = Field(default="", description="In place of content: the message that has the file")
    attachment_id: str = Field(default="", description="Which file of that message; or its filename")

    @model_validator(mode="after")
    def _from_one_place(self) -> FileToAttach:
        if (self.content is None) == (not self.message_id):
            raise ValueError("a file has either content or a messageId")
        return self


class Body(Arguments):
    """What a mail says."""

    body: str = Field(default="", description="The text; or HTML, if mimeType says so")
    html_body: str = Field(default="", description="The same as HTML, beside the text")
    mime_type: _KINDS = Field(default="text/plain", description="What body is")
    attachments: list[FileToAttach] = Field(default_factory=list, description="Files to attach")

    def texts(self) -> tuple[str, str]:
        """Text and HTML; each mail has a text."""
        html = self.html_body or (self.body if self.mime_type == "text/html" else "")
        if self.mime_type == "text/html":
            return plain_text(html), html
        return self.body or (plain_text(html) if html else ""), html


class Addressed(Body):
    """A new mail."""

    to: list[str] = Field(default_factory=list, description="Addresses of recipients")
    cc: list[str] = Field(default_factory=list, description="Addresses of those who get a copy")
    bcc: list[str] = Field(default_factory=list, description="The same, unseen by the others")
    subject: str = Field(default="", description="The subject")
    thread_id: str = Field(default="", description="The thread to send it in; takes inReplyTo too")
    in_reply_to: str = Field(default="", description="The message that this answers: its id or Message-ID")


def headers_of(call: ToolCall, asked: Addressed) -> list[Header]:
    """The headers of a new mail."""
    found = [("To", line(asked.to)), ("Cc", line(asked.cc)), ("Bcc", line(asked.bcc))]
    return [*found, ("Subject", asked.subject), *_answering(call, asked.in_reply_to)]


def line(addresses: Sequence[str]) -> str:
    """Addresses as a header lists them."""
    return ", ".join(address_line(each) for each in addresses)


def _answering(call: ToolCall, named: str) -> list[Header]:
    if not named:
        return []
    if is_id(named):
        return reply_headers(call, telling.named(call, named))
    if message_ids(named) != (named,):
        raise ToolRefused(f"inReplyTo {named!r} is neither a message's id nor a Message-ID in angles.")
    return [("In-Reply-To", named), ("References", named)]


def reply_headers(call: ToolCall, message: Message) -> list[Header]:
    """What makes a mail an answer to a message."""
    known = [each for each in telling.letter_of(call, message).references if each != message.rfc822_id]
    references = [*known[-MOST_REFERENCES:], message.rfc822_id]
    return [("In-Reply-To", message.rfc822_id), ("References", " ".join(references))]


def written(
    call: ToolCall, headers: Sequence[Header], body: Body, *, files: Sequence[Attachment] = (),
    texts: tuple[str, str] | None = None,
) -> bytes:  # fmt: skip
    """The mail; `files` go before those that are asked for, `texts` in place of its own.

    Raises InvalidHeader, ToolRefused.
    """
    attached = [*files, *(_file(call, each) for each in body.attachments)]
    try:
        return mime.write([each for each in headers if each[1].strip()], *(texts or body.texts()), attached)
    except mime.BadHeader as bad:
        raise InvalidHeader(str(bad)) from None


def _file(call: ToolCall, asked: FileToAttach) -> Attachment:
    if asked.content is None:
        found = file_named(call, asked.message_id, asked.attachment_id, asked.filename).file
        return Attachment(asked.filename or found.name, asked.mime_type or found.media_type, found.content)
    try:
        content = base64.b64decode("".join(asked.content.split()), validate=True)
    except (binascii.Error, ValueError):
        raise ToolRefused(f"The content of {asked.filename or 'a file'!r} is no base64.") from None
    return Attachment(asked.filename or "attachment", asked.mime_type or "application/octet-stream", content)


def answered(call: ToolCall, message: Message) -> tuple[list[str], list[str]]:
    """Whom an answer goes to, and who else got the message; an answer to one's own goes to its recipients."""
    letter, own = telling.letter_of(call, message), call.person.email
    to = [each.email for each in letter.to if each.email != own]
    cc = [each.email for each in letter.cc if each.email != own]
    if message.sender == own:
        return to or [own], cc
    asked = [each.email for each in letter.reply_to] or [message.sender]
    return asked, [each for each in dict.fromkeys((*to, *cc)) if each not in asked]


def sent(call: ToolCall, mail: bytes, thread_id: str | None) -> Message:
    """Sends it."""
    return store.send(call.world, call.person, mail, thread_id or None)
