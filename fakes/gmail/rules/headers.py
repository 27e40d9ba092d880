"""Header fields of a mail: found as bytes, decoded as text, in time that grows as they do."""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import groupby
from urllib.parse import unquote_to_bytes

from fakes.gmail.rules.charsets import decode

_FIELD = re.compile(rb"([!-9;-~]+)[ \t]*:(.*)", re.DOTALL)
_WORD = re.compile(r"=\?([^?\s]{1,60})\?([bBqQ])\?([^?]*)\?=")
_VALUE = re.compile(r"\s*([^\s;]*)")
_PARAMETER = re.compile(r';\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))', re.DOTALL)
_CONTINUED = re.compile(r"([^*]+)(?:\*([0-9]{1,3}))?(\*?)")
_MOST_PARAMETERS = 4096
_PLAIN = ""


def head_of(raw: bytes) -> bytes:
    """The header fields of a mail or a part with CRLF line ends, without the empty line after them."""
    return raw.partition(b"\r\n\r\n")[0] if not raw.startswith(b"\r\n") else b""


def fields(head: bytes) -> Iterator[tuple[str, bytes, bytes]]:
    """Name, value and whole bytes of each field; lines that are none are passed over."""
    for line in re.split(rb"\r\n(?![ \t])", head):
        if found := _FIELD.fullmatch(line):
            yield found[1].decode("ascii"), found[2], line


def unfolded(value: bytes) -> str:
    """A value in one line, its encoded words as they stand."""
    text = decode(value)
    return (text.replace("\r\n", "") if "\r\n" in text else text).strip()


def decoded(value: bytes | str) -> str:
    """A value as text: unfolded, encoded words (RFC 2047) decoded."""
    text = unfolded(value) if isinstance(value, bytes) else value
    if "=?" not in text:
        return text
    runs = groupby(_pieces(text), key=lambda piece: piece[0])
    return "".join(decode(b"".join(content for _, content in run), charset) for charset, run in runs)


def _pieces(text: str) -> Iterator[tuple[str, bytes]]:
    """Charset and bytes of each piece. White space between two encoded words is none of the text."""
    at, after_word = 0, False
    for word in _WORD.finditer(text):
        between, content = text[at : word.start()], _content(word)
        if between and not (after_word and between.isspace() and content is not None):
            yield _PLAIN, between.encode()
        after_word = content is not None
        yield (
            (word[1].partition("*")[0].lower(), content)
            if content is not None
            else (_PLAIN, word[0].encode())
        )
        at = word.end()
    yield _PLAIN, text[at:].encode()


def _content(word: re.Match[str]) -> bytes | None:
    """What an encoded word holds; None if it is no base64."""
    written = word[3].encode()
    if word[2] in "qQ":
        return binascii.a2b_qp(written, header=True)
    try:
        return binascii.a2b_base64(written.rstrip(b"=") + b"=" * (-len(written.rstrip(b"=")) % 4))
    except binascii.Error:
        return None


def parameterised(value: bytes) -> tuple[str, Mapping[str, str]]:
    """`Text/Plain; charset="utf-8"` as "text/plain" and its parameters, RFC 2231 undone."""
    return _parameterised(value[:_MOST_PARAMETERS])


@lru_cache(maxsize=1024)  # most mails say one of a few things
def _parameterised(value: bytes) -> tuple[str, Mapping[str, str]]:
    text = unfolded(value)
    begin = _VALUE.match(text)
    assert begin is not None
    pieces: dict[str, dict[int, tuple[bool, str]]] = {}
    for name, quoted, plain in _PARAMETER.findall(text, begin.end()):
        if found := _CONTINUED.fullmatch(name.lower()):
            written = re.sub(r"\\(.)", r"\1", quoted) or plain
            pieces.setdefault(found[1], {}).setdefault(int(found[2] or 0), (bool(found[3]), written))
    return begin[1].lower(), {name: _joined(numbered) for name, numbered in pieces.items()}


def _joined(numbered: dict[int, tuple[bool, str]]) -> str:
    """The value of a parameter that may be cut into pieces, each percent-encoded or not."""
    ordered = [numbered[number] for number in sorted(numbered)]
    if not any(encoded for encoded, _ in ordered):
        return decoded("".join(written for _, written in ordered))
    charset, rest = "", ordered
    encoded, first = ordered[0]
    if encoded and first.count("'") >= 2:
        charset, _, begin = first.split("'", 2)
        rest = [(True, begin), *ordered[1:]]
    return decode(b"".join(unquote_to_bytes(w) if is_coded else w.encode() for is_coded, w in rest), charset)
