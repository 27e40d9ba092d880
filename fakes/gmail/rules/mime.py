"""Mail as bytes: reading what was sent, writing what we send, and changing headers without touching the rest.

What a client sends is kept as it came: headers are added or dropped as bytes, nothing is written anew. The
standard library's writer is not used: it draws boundaries by chance, and takes 3 ms for a mail.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from email.header import Header
from functools import cached_property
from hashlib import blake2b
from urllib.parse import quote

from fakes.core.capabilities import Attachment
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
_MEDIA_TYPE = re.compile(r"[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+")
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
        return self._values.get(name.lower(), "")

    @cached_property
    def _values(self) -> dict[str, str]:
        """The first header of each name."""
        return {key.lower(): value for key, value in reversed(self.headers)}

    @cached_property
    def subject(self) -> str:
        """The subject, decoded."""
        return self.header("Subject")

    @cached_property
    def snippet(self) -> str:
        """The beginning of the text in one line, cut between words."""
        line = " ".join(self.text[: 8 * SNIPPET].split())
        return line if len(line) <= SNIPPET else line[: SNIPPET + 1].rpartition(" ")[0] or line[:SNIPPET]


# reading


def read(raw: bytes, *, lenient: bool = False, strict: bool = False) -> Letter:
    """Reads a mail. Raises BadHeader for a From, To, Cc, Bcc or Reply-To header that names no mailbox.

    If `lenient`, such a header names nobody: drafts are stored as far as they are written. If `strict`, it
    raises what `check` raises, before that.
    """
    raw = _with_crlf(raw)
    if strict:
        _check_head(head_of(raw))
    whole = tree(raw, strict=strict)
    addressed = _addresses_or_none if lenient else _addresses
    headers = tuple((name, decoded(value)) for name, value in whole.headers)
    named: dict[str, list[bytes]] = {}
    for name, value in whole.headers:
        named.setdefault(name.lower(), []).append(value)
    first = {key.lower(): value for key, value in reversed(headers)}
    referred = f"{first.get('references', '')} {first.get('in-reply-to', '')}"
    return Letter(
        raw=raw,
        headers=headers,
        senders=addressed(named, "From"),
        to=addressed(named, "To"),
        cc=addressed(named, "Cc"),
        bcc=addressed(named, "Bcc"),
        reply_to=addressed(named, "Reply-To"),
        message_id=_message_id(first.get("message-id", "")),
        references=message_ids(referred)[-MOST_REFERENCES:],
        text=text_of(whole),
        files=tuple(part.file_name for part in whole.walk() if part.is_attachment),
    )


def _with_crlf(raw: bytes) -> bytes:
    return raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


def reply_to(raw: bytes) -> tuple[Address, ...]:
    """Where the sender of a stored mail wants answers; nowhere in particular if that can't be read."""
    try:
        found = [value for name, value, _ in fields(head_of(raw)) if name.lower() == "reply-to"]
        return _addresses({"reply-to": found}, "Reply-To")
    except BadHeader:
        return ()


def check(raw: bytes) -> None:
    """Raises BadHeader, LongHead, TooComplex for a mail beyond what a mail system takes.

    The limits of headers are Gmail's (support.google.com/a/answer/14016360); those of parts are ours.
    """
    raw = _with_crlf(raw)
    _check_head(head_of(raw))
    tree(raw, strict=True)


def _check_head(head: bytes) -> None:
    if len(head) > MOST_HEAD or head.count(b"\r\n") >= MOST_HEADERS:
        raise LongHead
    if len(head) <= MOST_HEADER:  # so is each of its headers
        return
    for name, value, _ in fields(head):
        if name.lower() not in _UNLIMITED and len(value) > MOST_HEADER:
            raise BadHeader(name)


def _message_id(value: str) -> str:
    """A Message-ID header, or "" for what could never be referred to."""
    ids = message_ids(value[:LONGEST_ID])
    return value.strip() if ids == (value.strip(),) else ""


def _addresses(found: Mapping[str, Sequence[bytes]], header: str) -> tuple[Address, ...]:
    """The mailboxes of all headers of this name; `found` has values by names in lower case."""
    values = found.get(header.lower())
    try:
        return addresses(", ".join(map(unfolded, values))) if values else ()
    except NoAddress:
        raise BadHeader(header) from None


def _addresses_or_none(found: Mapping[str, Sequence[bytes]], header: str) -> tuple[Address, ...]:
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
    if "\n" in value or "\r" in value:
        value = re.sub(r"[\r\n]+", " ", value)
    if len(value) > (MOST_HEAD if value.isascii() else MOST_HEADER):
        raise BadHeader(name)
    if not value.isascii():
        value = Header(value, "utf-8", header_name=name).encode(linesep="\r\n")
    return f"{name}: {value}".encode()


# writing


def write(
    headers: Iterable[tuple[str, str]], text: str, html: str = "", files: Iterable[Attachment] = ()
) -> bytes:
    """A mail with a plain text, beside it HTML, and files. Raises BadHeader.

    Texts stay readable (7bit or 8bit), for links in them are resolved when the mail is shown.
    """
    head = b"\r\n".join([*(_field(name, value) for name, value in headers), b"MIME-Version: 1.0", b""])
    mark = blake2b(head, digest_size=12).hexdigest()
    body = _part("plain", text)
    if html:
        body = _several("alternative", f"=_{mark}", (body, _part("html", html)))
    attached = [_file(file) for file in files]
    return head + (_several("mixed", f"=_m{mark}", (body, *attached)) if attached else body)


def _several(subtype: str, boundary: str, parts: Iterable[bytes]) -> bytes:
    lines = [f'Content-Type: multipart/{subtype}; boundary="{boundary}"'.encode(), b""]
    for part in parts:
        lines += [f"--{boundary}".encode(), part]
    return b"\r\n".join([*lines, f"--{boundary}--\r\n".encode()])


def _file(file: Attachment) -> bytes:
    """A file as a part. Line ends in its name become spaces; letters beyond ASCII are written as RFC 2231 has
    them.
    """
    name = re.sub(r'[\r\n"\\]+', " ", file.name)
    told = f'filename="{name}"' if name.isascii() else f"filename*=UTF-8''{quote(name)}"
    kind = file.media_type if _MEDIA_TYPE.fullmatch(file.media_type) else "application/octet-stream"
    head = (
        f"Content-Type: {kind}\r\nContent-Disposition: attachment; {told}\r\n"
        "Content-Transfer-Encoding: base64\r\n\r\n"
    )
    lines = base64.encodebytes(file.content).replace(b"\n", b"\r\n")
    return head.encode() + (lines or b"\r\n")


def _part(subtype: str, text: str) -> bytes:
    content = text.replace("\r\n", "\n").replace("\r", "\n").replace("\n", "\r\n")
    encoding = "7bit" if content.isascii() else "8bit"
    head = f'Content-Type: text/{subtype}; charset="UTF-8"\r\nContent-Transfer-Encoding: {encoding}\r\n\r\n'
    return (head + content + ("" if content.endswith("\r\n") else "\r\n")).encode()
