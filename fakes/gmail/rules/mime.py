"""Mail as bytes: reading what was sent, writing what we send, and changing headers without touching the rest.

What a client sends is kept as it came: headers are added or dropped as bytes, nothing is written anew. The
standard library's writer is not used: it draws boundaries by chance, and takes 3 ms for a mail.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from email.header import Header
from hashlib import blake2b

from fakes.gmail.rules.addresses import Address, NoAddress, addresses
from fakes.gmail.rules.headers import decoded, fields, head_of, unfolded
from fakes.gmail.rules.html import plain_text
from fakes.gmail.rules.parts import Part, tree
from fakes.gmail.rules.threads import message_ids

SNIPPET = 200
MOST_HEADER = 32 * 1024
MOST_HEAD = 500 * 1024
MOST_HEADERS = 5000
LONGEST_ID = 500
MOST_REFERENCES = 100
"""The newest ones, that a thread is looked for by."""
_UNLIMITED = ("to", "cc", "references")  # one by one; they count in the head


class BadHeader(ValueError):
    """A header holds something that is no address, or too much; the argument is its name."""


class LongHead(ValueError):
    """More headers than MOST_HEADERS, or more than MOST_HEAD bytes of them."""


@dataclass(frozen=True)
class Letter:
    """A mail that was read: its bytes (CRLF line ends), its headers decoded, and the text a reader sees.

    `senders` is what From names; `message_id` is "" where there is none; `files` are the names of attached
    files ("" for one that has none).
    """

    raw: bytes
    headers: tuple[tuple[str, str], ...]
    senders: tuple[Address, ...]
    to: tuple[Address, ...]
    cc: tuple[Address, ...]
    bcc: tuple[Address, ...]
    reply_to: tuple[Address, ...]
    message_id: str
    references: tuple[str, ...]
    text: str
    files: tuple[str, ...] = ()

    def header(self, name: str) -> str:
        """The first header of this name, in any case, or ""."""
        return next((value for key, value in self.headers if key.lower() == name.lower()), "")

    @property
    def subject(self) -> str:
        """The subject, decoded."""
        return self.header("Subject")

    @property
    def snippet(self) -> str:
        """The beginning of the text in one line, cut between words."""
        line = " ".join(self.text[: 8 * SNIPPET].split())
        return line if len(line) <= SNIPPET else line[: SNIPPET + 1].rpartition(" ")[0] or line[:SNIPPET]


# reading


def read(raw: bytes, *, lenient: bool = False) -> Letter:
    """Reads a mail. Raises BadHeader for a From, To, Cc, Bcc or Reply-To header that names no mailbox.

    If `lenient`, such a header names nobody: drafts are stored as far as they are written.
    """
    raw = _with_crlf(raw)
    whole = tree(raw)
    addressed = _addresses_or_none if lenient else _addresses
    found = [(name, value) for name, value, _ in fields(head_of(raw))]
    headers = tuple((name, decoded(value)) for name, value in found)

    def first(name: str) -> str:
        return next((value for key, value in headers if key.lower() == name), "")

    return Letter(
        raw=raw,
        headers=headers,
        senders=addressed(found, "From"),
        to=addressed(found, "To"),
        cc=addressed(found, "Cc"),
        bcc=addressed(found, "Bcc"),
        reply_to=addressed(found, "Reply-To"),
        message_id=_message_id(first("message-id")),
        references=message_ids(f"{first('references')} {first('in-reply-to')}")[-MOST_REFERENCES:],
        text=text_of(whole),
        files=tuple(part.file_name for part in whole.walk() if part.is_attachment),
    )


def _with_crlf(raw: bytes) -> bytes:
    return raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


def reply_to(raw: bytes) -> tuple[Address, ...]:
    """Where the sender of a stored mail wants answers; nowhere in particular if that can't be read."""
    try:
        return _addresses([(name, value) for name, value, _ in fields(head_of(raw))], "Reply-To")
    except BadHeader:
        return ()


def check(raw: bytes) -> None:
    """Raises BadHeader, LongHead, TooComplex for a mail beyond what a mail system takes.

    The limits of headers are Gmail's (support.google.com/a/answer/14016360); those of parts are ours.
    """
    raw = _with_crlf(raw)
    head = head_of(raw)
    if len(head) > MOST_HEAD or head.count(b"\r\n") >= MOST_HEADERS:
        raise LongHead
    for name, value, _ in fields(head):
        if name.lower() not in _UNLIMITED and len(value) > MOST_HEADER:
            raise BadHeader(name)
    tree(raw, strict=True)


def _message_id(value: str) -> str:
    """A Message-ID header, or "" for what could never be referred to."""
    ids = message_ids(value[:LONGEST_ID])
    return value.strip() if ids == (value.strip(),) else ""


def _addresses(found: Iterable[tuple[str, bytes]], header: str) -> tuple[Address, ...]:
    values = [unfolded(value) for name, value in found if name.lower() == header.lower()]
    try:
        return addresses(", ".join(values))
    except NoAddress:
        raise BadHeader(header) from None


def _addresses_or_none(found: Iterable[tuple[str, bytes]], header: str) -> tuple[Address, ...]:
    try:
        return _addresses(found, header)
    except BadHeader:
        return ()


def body(message: Part, subtype: str) -> str | None:
    """The first text/`subtype` part that is no attachment, or None."""
    for part in message.walk():
        if part.media_type == f"text/{subtype}" and not part.parts and not part.is_attachment:
            return part.text
    return None


def text_of(message: Part) -> str:
    """The text that a reader sees: the plain part, else the HTML part without its markup."""
    plain = body(message, "plain")
    return plain if plain is not None else plain_text(body(message, "html") or "")


# changing


def edited(raw: bytes, *, drop: Iterable[str] = (), add: Iterable[tuple[str, str]] = ()) -> bytes:
    """The mail without the headers in `drop` and with those in `add` at its head."""
    dropped = {name.lower() for name in drop}
    head = head_of(raw)
    kept = [line for name, _, line in fields(head) if name.lower() not in dropped]
    lines = [*(_field(name, value) for name, value in add), *kept]
    rest = raw[len(head) :] if head else b"\r\n" + raw
    return b"\r\n".join(lines) + (rest or b"\r\n\r\n")


def _field(name: str, value: str) -> bytes:
    """A header line. Line ends in the value become spaces, so no value adds a header of its own.

    Raises BadHeader for more than a header may hold.
    """
    value = re.sub(r"[\r\n]+", " ", value)
    if len(value) > (MOST_HEAD if value.isascii() else MOST_HEADER):
        raise BadHeader(name)
    if not value.isascii():
        value = Header(value, "utf-8", header_name=name).encode(linesep="\r\n")
    return f"{name}: {value}".encode()


# writing


def write(headers: Iterable[tuple[str, str]], text: str, html: str = "") -> bytes:
    """A mail with a plain text and, beside it, HTML. Raises BadHeader.

    Bodies stay readable (7bit or 8bit), for links in them are resolved when the mail is shown.
    """
    lines = [_field(name, value) for name, value in headers]
    plain = _part("plain", text)
    if not html:
        return b"\r\n".join([*lines, b"MIME-Version: 1.0", plain])
    boundary = f"=_{blake2b(b''.join(lines), digest_size=12).hexdigest()}"
    lines += [
        b"MIME-Version: 1.0",
        f'Content-Type: multipart/alternative; boundary="{boundary}"'.encode(),
        b"",
    ]
    for part in (plain, _part("html", html)):
        lines += [f"--{boundary}".encode(), part]
    return b"\r\n".join([*lines, f"--{boundary}--\r\n".encode()])


def _part(subtype: str, text: str) -> bytes:
    content = re.sub(r"\r\n|\r|\n", "\r\n", text)
    encoding = "7bit" if content.isascii() else "8bit"
    head = f'Content-Type: text/{subtype}; charset="UTF-8"\r\nContent-Transfer-Encoding: {encoding}\r\n\r\n'
    return (head + content + ("" if content.endswith("\r\n") else "\r\n")).encode()
