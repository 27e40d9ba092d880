"""Mail as bytes: reading what was sent, writing what we send, and changing headers without touching the rest.

What a client sends is kept as it came: headers are added or dropped as bytes, nothing is written anew. The
standard library's writer is not used: it draws boundaries by chance, and takes 3 ms for a mail.
"""

from __future__ import annotations

import email
import html as markup
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from email.header import Header, decode_header, make_header
from email.message import Message
from email.utils import formataddr, getaddresses
from hashlib import blake2b

import nh3

from fakes.gmail.rules.threads import message_ids

ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})+")
SNIPPET = 200
_LONE_LF = re.compile(rb"(?<!\r)\n")
_FIELD = re.compile(rb"([!-9;-~]+)[ \t]*:(.*(?:\r\n[ \t].*)*)", re.DOTALL)
_BLOCK_END = re.compile(r"<(?=br\b|/(?:p|div|tr|li|h[1-6]|table|blockquote)\b)", re.IGNORECASE)
_NOBODY = re.compile(r"\s*[\w -]+:\s*;\s*")  # an empty group: undisclosed-recipients:;
_SPACE = re.compile(r"[^\S\n]+")


class BadAddress(ValueError):
    """A header holds something that is no address; the argument is the header's name."""


@dataclass(frozen=True)
class Address:
    """A mailbox as headers name it; `email` in lower case."""

    name: str
    email: str


@dataclass(frozen=True)
class Letter:
    """A mail that was read: its bytes (CRLF line ends), its headers decoded, and the text a reader sees.

    `senders` is what From names; `message_id` is "" where there is none.
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


def read(raw: bytes) -> Letter:
    """Reads a mail. Raises BadAddress for a From, To, Cc, Bcc or Reply-To header that names no mailbox."""
    raw = _LONE_LF.sub(b"\r\n", raw)
    fields = [(name, value) for name, value, _ in _fields(_head(raw))]
    headers = tuple((name, decoded(value)) for name, value in fields)

    def first(name: str) -> str:
        return next((value for key, value in headers if key.lower() == name), "")

    return Letter(
        raw=raw,
        headers=headers,
        senders=_addresses(fields, "From"),
        to=_addresses(fields, "To"),
        cc=_addresses(fields, "Cc"),
        bcc=_addresses(fields, "Bcc"),
        reply_to=_addresses(fields, "Reply-To"),
        message_id=first("message-id").strip(),
        references=message_ids(f"{first('references')} {first('in-reply-to')}"),
        text=text_of(tree(raw)),
    )


def _head(raw: bytes) -> bytes:
    return raw.partition(b"\r\n\r\n")[0] if not raw.startswith(b"\r\n") else b""


def _fields(head: bytes) -> Iterator[tuple[str, bytes, bytes]]:
    """Name, value and whole bytes of each header field; lines that are none are passed over."""
    for line in re.split(rb"\r\n(?![ \t])", head):
        if found := _FIELD.fullmatch(line):
            yield found[1].decode("ascii"), found[2], line


def decoded(value: bytes | str) -> str:
    """A header's value as text: unfolded, encoded words (RFC 2047) decoded."""
    text = value.decode("utf-8", "replace") if isinstance(value, bytes) else value
    text = text.replace("\r\n", "").strip()
    if "=?" not in text:
        return text
    try:
        return str(make_header(decode_header(text)))
    except (LookupError, ValueError):  # an unknown charset, or bytes that are none of it
        return text


def _addresses(fields: Iterable[tuple[str, bytes]], header: str) -> tuple[Address, ...]:
    values = [
        v.decode("utf-8", "replace").replace("\r\n", "")
        for name, v in fields
        if name.lower() == header.lower()
    ]
    found = []
    for name, address in getaddresses(
        [value for value in values if value.strip(" ,") and not _NOBODY.fullmatch(value)]
    ):
        if not is_address(address):
            raise BadAddress(header)
        found.append(Address(decoded(name), address.lower()))
    return tuple(found)


def is_address(text: str) -> bool:
    """Whether this is a bare address with a domain."""
    return bool(ADDRESS.fullmatch(text)) and len(text) <= 254


def tree(raw: bytes) -> Message:
    """The tree of MIME parts."""
    return email.message_from_bytes(raw)


def part_bytes(part: Message) -> bytes:
    """What a part holds, its transfer encoding undone; text in UTF-8, whatever it was sent in."""
    payload = part.get_payload(decode=True)
    content = payload if isinstance(payload, bytes) else b""
    if part.get_content_maintype() != "text":
        return content
    charset = part.get_content_charset("utf-8")
    try:
        return content if charset in ("utf-8", "us-ascii") else content.decode(charset).encode()
    except (LookupError, UnicodeDecodeError):
        return content


def is_attachment(part: Message) -> bool:
    """Whether a part is a file beside the text rather than the text."""
    return bool(part.get_filename()) or part.get_content_disposition() == "attachment"


def file_name(part: Message) -> str:
    """The decoded name of an attached file, or ""."""
    return decoded(part.get_filename() or "")


def body(message: Message, subtype: str) -> str | None:
    """The first text/`subtype` part that is no attachment, or None."""
    for part in message.walk():
        if part.get_content_type() == f"text/{subtype}" and not is_attachment(part):
            return part_bytes(part).decode("utf-8", "replace").replace("\r\n", "\n")
    return None


def text_of(message: Message) -> str:
    """The text that a reader sees: the plain part, else the HTML part without its markup."""
    plain = body(message, "plain")
    if plain is not None:
        return plain
    return plain_text(body(message, "html") or "")


def plain_text(html: str) -> str:
    """HTML without its markup: a line for each block."""
    spaced = _BLOCK_END.sub("\n<", " ".join(html.split()))
    text = markup.unescape(nh3.clean(spaced, tags=set(), clean_content_tags={"script", "style", "title"}))
    return "\n".join(filter(None, (_SPACE.sub(" ", line).strip() for line in text.split("\n"))))


# changing


def edited(raw: bytes, *, drop: Iterable[str] = (), add: Iterable[tuple[str, str]] = ()) -> bytes:
    """The mail without the headers in `drop` and with those in `add` at its head."""
    dropped = {name.lower() for name in drop}
    head = _head(raw)
    kept = [line for name, _, line in _fields(head) if name.lower() not in dropped]
    lines = [*(_field(name, value) for name, value in add), *kept]
    rest = raw[len(head) :] if head else b"\r\n" + raw
    return b"\r\n".join(lines) + (rest or b"\r\n\r\n")


def _field(name: str, value: str) -> bytes:
    """A header line. Line ends in the value become spaces, so no value adds a header of its own."""
    value = re.sub(r"[\r\n]+", " ", value)
    if not value.isascii():
        value = Header(value, "utf-8", header_name=name).encode(linesep="\r\n")
    return f"{name}: {value}".encode()


# writing


def write(headers: Iterable[tuple[str, str]], text: str, html: str = "") -> bytes:
    """A mail with a plain text and, beside it, HTML.

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


def named(name: str, address: str) -> str:
    """An address as headers write it, its name in an encoded word if need be."""
    return formataddr((re.sub(r"[\r\n]+", " ", name), address))


def address_line(typed: str) -> str:
    """What was typed into an address field as a header's value; as it stands where it names no mailbox."""
    found = getaddresses([typed.strip().rstrip(",")])
    return ", ".join(named(*pair) for pair in found) if all(is_address(pair[1]) for pair in found) else typed
