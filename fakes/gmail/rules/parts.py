"""The tree of MIME parts, read with bounds on how deep and how many.

The standard library's parser has none: 900 parts inside each other take it seconds, fewer exhaust its stack.
"""

from __future__ import annotations

import binascii
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from fakes.gmail.rules.charsets import decode
from fakes.gmail.rules.headers import decoded, fields, head_of, parameterised

MOST_DEPTH = 20
MOST_PARTS = 200
MOST_MARKS = 10_000
ATTACHED_MAIL = "message/rfc822"
_NOT_BASE64 = bytes(
    set(range(256)) - set(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
)
_AS_UTF_8 = ("", "utf-8", "utf8", "us-ascii")


class TooComplex(ValueError):
    """More parts than MOST_PARTS, deeper than MOST_DEPTH, or over MOST_MARKS boundaries that are none."""


@dataclass(frozen=True)
class Part:
    """A part: its headers as they came, its body with the transfer encoding, and the parts below it.

    One of several parts has no body of its own; an attached mail (message/rfc822) is both body and part.
    """

    headers: tuple[tuple[str, bytes], ...]
    body: bytes
    parts: tuple[Part, ...] = ()

    def header(self, name: str) -> bytes:
        """The first header of this name, given in lower case, or b""."""
        return self._first.get(name, b"")

    @cached_property
    def _first(self) -> dict[str, bytes]:
        """The first header of each name."""
        return {key.lower(): value for key, value in reversed(self.headers)}

    @cached_property
    def _type(self) -> tuple[str, Mapping[str, str]]:
        return parameterised(self.header("content-type"))

    @cached_property
    def _disposition(self) -> tuple[str, Mapping[str, str]]:
        return parameterised(self.header("content-disposition"))

    @cached_property
    def media_type(self) -> str:
        """As in "text/html"; text/plain where nothing or nonsense is said."""
        return self._type[0] if self._type[0].count("/") == 1 else "text/plain"

    @property
    def boundary(self) -> str:
        """What stands between the parts below."""
        return self._type[1].get("boundary", "")

    @property
    def file_name(self) -> str:
        """The name of an attached file, or ""."""
        return self._disposition[1].get("filename") or self._type[1].get("name", "")

    @property
    def is_attachment(self) -> bool:
        """Whether this is a file beside the text rather than the text."""
        return bool(self.file_name) or self._disposition[0] == "attachment"

    @property
    def content(self) -> bytes:
        """What the part holds, its transfer encoding undone; text in UTF-8, whatever it was sent in."""
        plain = self.octets
        charset = self._type[1].get("charset", "")
        if not self.media_type.startswith("text/") or charset.lower() in _AS_UTF_8:
            return plain
        return decode(plain, charset).encode()

    @property
    def text(self) -> str:
        """The content as text, with LF line ends."""
        return decode(self.content).replace("\r\n", "\n")

    @property
    def octets(self) -> bytes:
        """What the part holds, its transfer encoding undone, as it was attached."""
        encoding = decoded(self.header("content-transfer-encoding")).lower()
        if encoding == "quoted-printable":
            return binascii.a2b_qp(self.body)
        if encoding != "base64":
            return self.body
        letters = self.body.translate(None, _NOT_BASE64)
        letters = letters[: len(letters) - (len(letters) % 4 == 1)]
        return binascii.a2b_base64(letters + b"=" * (-len(letters) % 4))

    def walk(self) -> Iterator[Part]:
        """This part and all below it, in the order of the mail."""
        yield self
        for part in self.parts:
            yield from part.walk()


def tree(raw: bytes, *, strict: bool = False) -> Part:
    """The parts of a mail with CRLF line ends; beyond the bounds they stay undivided.

    Raises TooComplex if `strict`.
    """
    return _Parser(strict).part(raw, 1)


class _Parser:
    def __init__(self, strict: bool) -> None:
        self._strict = strict
        self._parts = 0

    def part(self, raw: bytes, depth: int) -> Part:
        """A part and those below it."""
        self._parts += 1
        head = head_of(raw)
        headers = tuple((name, value) for name, value, _ in fields(head))
        part = Part(headers, raw[len(head) + 4 if head else 2 :])
        if not (below := self._below(part, depth)):
            return part
        return Part(headers, part.body if part.media_type == ATTACHED_MAIL else b"", below)

    def _below(self, part: Part, depth: int) -> tuple[Part, ...]:
        found: list[Part] = []
        for section in self._sections(part):
            if depth == MOST_DEPTH or self._parts == MOST_PARTS:
                self._too_complex()
                break
            found.append(self.part(section, depth + 1))
        return tuple(found)

    def _sections(self, part: Part) -> Iterator[bytes]:
        """The bytes of each part below."""
        if part.media_type == ATTACHED_MAIL:
            yield part.body
        elif part.media_type.startswith("multipart/") and part.boundary:
            body, mark = b"\r\n" + part.body, b"\r\n--" + part.boundary.encode()
            if body.count(mark) > MOST_MARKS:
                self._too_complex()
            else:
                yield from _between(body, mark)

    def _too_complex(self) -> None:
        if self._strict:
            raise TooComplex


def _between(body: bytes, mark: bytes) -> Iterator[bytes]:
    """What stands between lines of the mark alone, up to one that ends in two dashes, or to the end."""
    begin, at = -1, body.find(mark)
    while at >= 0:
        line_end = body.find(b"\r\n", at + len(mark))
        line_end = len(body) if line_end < 0 else line_end
        rest = body[at + len(mark) : line_end]
        closes = rest.startswith(b"--")
        if closes or not rest.strip(b" \t"):
            if begin >= 0:
                yield body[begin:at]
            if closes:
                return
            begin = line_end + 2
        at = body.find(mark, line_end)
    if begin >= 0:
        yield body[begin:]
