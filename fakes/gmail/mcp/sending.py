"""Tools that send: a new mail, answers, forwards."""

from __future__ import annotations

from pydantic import Field

from fakes.core.capabilities import Attachment
from fakes.core.mcp.tools import Said, ToolCall, tool
from fakes.gmail.mcp import telling, writing
from fakes.gmail.mcp.writing import Addressed, Body
from fakes.gmail.rules import mime
from fakes.gmail.rules.html import safe
from fakes.gmail.rules.mime import Letter
from fakes.gmail.rules.parts import tree
from fakes.gmail.rules.plain import as_html
from fakes.gmail.rules.quoting import Quoted, forward_html, forward_text
from fakes.gmail.rules.threads import reply_subject
from fakes.gmail.schema import Message
from fakes.gmail.store.attachments import attachments_of


class SendEmail(Addressed):
    """A new mail, which must say whom it is to, and something."""

    to: list[str] = Field(description="Addresses of recipients")
    subject: str = Field(description="The subject")
    body: str = Field(description="The text; or HTML, if mimeType says so")


class Reply(Body):
    """An answer."""

    body: str = Field(description="The text; or HTML, if mimeType says so")
    message_id: str = Field(description="The message to answer")


class Forward(Body):
    """A forward; `body` goes above what is forwarded."""

    message_id: str = Field(description="The message to forward")
    to: list[str] = Field(min_length=1, description="Addresses of recipients")
    cc: list[str] = Field(default_factory=list, description="Addresses of those who get a copy")
    bcc: list[str] = Field(default_factory=list, description="The same, unseen by the others")
    include_attachments: bool = Field(default=True, description="Whether its files go along")


def send_email(call: ToolCall, asked: SendEmail) -> Said:
    """Sends a new mail."""
    mail = writing.written(call, writing.headers_of(call, asked), asked)
    return told(call, writing.sent(call, mail, asked.thread_id))


def reply_to_email(call: ToolCall, asked: Reply) -> Said:
    """Answers the sender."""
    return _answer(call, asked, everyone=False)


def reply_all(call: ToolCall, asked: Reply) -> Said:
    """Answers the sender and everyone who got the message."""
    return _answer(call, asked, everyone=True)


def _answer(call: ToolCall, asked: Reply, *, everyone: bool) -> Said:
    message = telling.named(call, asked.message_id)
    to, others = writing.answered(call, message)
    headers = [
        ("To", ", ".join(to)),
        ("Cc", ", ".join(others) if everyone else ""),
        ("Subject", reply_subject(message.subject)),
        *writing.reply_headers(call, message),
    ]
    return told(call, writing.sent(call, writing.written(call, headers, asked), message.thread_id))


def forward_email(call: ToolCall, asked: Forward) -> Said:
    """Sends a message on, as it reads, in the thread that it is of."""
    message = telling.named(call, asked.message_id)
    letter = telling.letter_of(call, message)
    headers = [
        ("To", writing.line(asked.to)), ("Cc", writing.line(asked.cc)), ("Bcc", writing.line(asked.bcc)),
        ("Subject", _forward_subject(message.subject)), *writing.reply_headers(call, message),
    ]  # fmt: skip
    files = _files(call, message, letter) if asked.include_attachments else []
    mail = writing.written(call, headers, asked, files=files, texts=_forwarded(call, asked, message, letter))
    return told(call, writing.sent(call, mail, message.thread_id))


def _forward_subject(subject: str) -> str:
    return subject if subject.lower().startswith(("fwd:", "fw:")) else f"Fwd: {subject}"


def _files(call: ToolCall, message: Message, letter: Letter) -> list[Attachment]:
    return [each.file for each in attachments_of(call.world, message, tree(letter.raw))]


def _forwarded(call: ToolCall, asked: Forward, message: Message, letter: Letter) -> tuple[str, str]:
    """Text and HTML of a forward; HTML where either mail has some. Links stay as they are stored."""
    html = mime.body(tree(letter.raw), "html")
    clean = safe(html) if html is not None else None
    quoted = Quoted(
        sender=message.sender_name, address=message.sender, at=telling.when(call, message.received_at),
        subject=message.subject, to=telling.line_of(letter.to), cc=telling.line_of(letter.cc),
        text=letter.text, html=as_html(letter.text) if clean is None else clean,
    )  # fmt: skip
    text, own_html = asked.texts()
    above = f"{text.rstrip()}\n\n" if text.strip() else ""
    if not own_html and clean is None:
        return above + forward_text(quoted), ""
    below = f"<br><br>{forward_html(quoted)}" if text.strip() else forward_html(quoted)
    return above + forward_text(quoted), (own_html or as_html(text.rstrip())) + below


def told(call: ToolCall, message: Message) -> Said:
    """That a mail was sent."""
    facts = telling.reference(call, message)
    return Said(f"Sent to {message.recipients}: message {message.id} in thread {message.thread_id}.", facts)


_FILES = "Files are given as base64, or as those of another message."
TOOLS = (
    tool(
        "send_email",
        "Send a mail",
        f"Sends a new mail at once. {_FILES} To answer, reply_to_email and reply_all are simpler.",
        SendEmail,
        send_email,
        reaches=True,
    ),
    tool(
        "reply_to_email",
        "Answer",
        f"Answers a message's sender, in its thread. {_FILES}",
        Reply,
        reply_to_email,
        reaches=True,
    ),
    tool(
        "reply_all",
        "Answer all",
        f"Answers a message's sender and everyone else who got it. {_FILES}",
        Reply,
        reply_all,
        reaches=True,
    ),
    tool(
        "forward_email",
        "Forward",
        "Sends a message on to others, with its text and its files.",
        Forward,
        forward_email,
        reaches=True,
    ),
)
