from __future__ import annotations

import pytest

from fakes.gmail.rules.headers import decoded, fields, head_of, parameterised


def test_fields_are_found_as_they_came() -> None:
    head = head_of(b"A: 1\r\n 2\r\nno field\r\nB :3\r\n\r\nC: 4")
    assert list(fields(head)) == [("A", b" 1\r\n 2", b"A: 1\r\n 2"), ("B", b"3", b"B :3")]
    assert head_of(b"\r\nA: 1\r\n\r\n") == b""


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (b" Caf\xc3\xa9\r\n at noon ", "Café at noon"),
        (b"=?utf-8?q?a_=3D?= and =?ISO-8859-1?B?6Q==?=!", "a = and é!"),
        (b"=?utf-8?q?=C3?= \r\n =?utf-8?q?=A9?=", "é"),
        (b"=?utf-8?q?a?= =?latin1?q?=E9?=", "aé"),
        (b"=?utf-8*en?q?two words?=", "two words"),
        (b"=?utf-8?b?YQ?=", "a"),
        (b"=?utf-8?b?a?= =?utf-8?q?b?=", "=?utf-8?b?a?= b"),
        (b"=?nope?q?a=FF?=", "a\ufffd"),
        (b"=?utf-7?q?+2AA-?=", "+2AA-"),
        (b"=?unicode_escape?q?=5Cud800?=", "\\ud800"),
    ],
)
def test_encoded_words_are_decoded(value: bytes, text: str) -> None:
    assert decoded(value) == text


def test_many_words_are_one_text() -> None:
    assert decoded(b"=?utf-8?q?a?= " * 20_000) == "a" * 20_000


@pytest.mark.parametrize(
    ("value", "name", "parameters"),
    [
        (b"", "", {}),
        (
            b" Text/Plain; charset=utf-8 ; format=flowed",
            "text/plain",
            {"charset": "utf-8", "format": "flowed"},
        ),
        (b' a/b; Name="x; \\"y\\""', "a/b", {"name": 'x; "y"'}),
        (b"attachment; filename*=UTF-8'en'na%C3%AFve.pdf", "attachment", {"filename": "naïve.pdf"}),
        (
            b"attachment; filename*1=ive.pdf; filename*0*=latin1''na%EF",
            "attachment",
            {"filename": "naïive.pdf"},
        ),
        (b"attachment; filename*0=a; filename*1=b", "attachment", {"filename": "ab"}),
        (b'attachment; filename="=?utf-8?b?w4k=?="', "attachment", {"filename": "É"}),
        (b"a/b; x*99999=1; y", "a/b", {}),
    ],
)
def test_parameters_are_read(value: bytes, name: str, parameters: dict[str, str]) -> None:
    assert parameterised(value) == (name, parameters)


def test_only_the_beginning_is_searched_for_parameters() -> None:
    assert parameterised(b"a/b" + b" " * 5000 + b"; x=1") == ("a/b", {})
