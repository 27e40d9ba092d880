from __future__ import annotations

import pytest

from fakes.gmail.rules.charsets import _KNOWN, decode

EVERY_BYTE = bytes(range(256))


@pytest.mark.parametrize(
    ("charset", "content"),
    [("UTF-8", b"\xc3\xa9"), ("iso-8859-1", b"\xe9"), ("Windows-1252", b"\xe9"), ("utf-16-le", b"\xe9\0")],
)
def test_text_is_read_in_its_charset(charset: str, content: bytes) -> None:
    assert decode(content, charset) == "é"


@pytest.mark.parametrize(
    "charset", ["", "nope", "us-ascii", "base64", "utf-7", "unicode_escape", "a\0b", "é"]
)
def test_an_unknown_charset_is_utf_8(charset: str) -> None:
    assert decode("é".encode() + b"\xff", charset) == "é\ufffd"


@pytest.mark.parametrize("charset", sorted(_KNOWN))
def test_what_was_read_can_be_written(charset: str) -> None:
    for first in EVERY_BYTE:
        for step in (1, 7, 31):
            content = bytes([first]) + bytes((first + step * n) % 256 for n in range(64)) + EVERY_BYTE
            decode(content, charset).encode()


def test_surrogates_are_no_text() -> None:
    for charset, content in {
        "utf-8": b"\xed\xa0\x80", "utf-16-le": b"\0\xd8", "gb18030": b"\x83\x36\xc7\x38", "utf-7": b"+2AA-",
        "unicode_escape": rb"\ud800", "raw_unicode_escape": rb"\ud800",
    }.items():  # fmt: skip
        decode(content, charset).encode()
