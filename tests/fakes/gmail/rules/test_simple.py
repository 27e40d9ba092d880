"""A mail that is one text, written and read in one go."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.gmail.rules import mime, simple
from fakes.gmail.rules.addresses import Address, named
from fakes.gmail.rules.mime import Letter

ANA, BO, CY = (
    Address("Ana Lopez", "ana@x.example"),
    Address("", "bo@x.example"),
    Address("Cy", "cy@y.example"),
)
DATE = "Tue, 21 Oct 2025 09:30:00 -0400"
NAMES = st.sampled_from(
    ["", "Ana", "Ana Lopez", "O'Neil-Smith", "Ana  Lopez", " Ana", "Dr. Ana", "José", 'A "B"']
)
VALUES = st.text(st.sampled_from("ab =?<>@\t\r\né:"), max_size=12)


def _letter(*, sender: Address = ANA, subject: str = "Hello", text: str = "Hi", **more: str) -> Letter | None:
    return simple.letter(
        sender=sender, to=(BO, CY), cc=(ANA,), subject=subject, message_id="<1@x.example>", date=DATE,
        text=text, more={name.replace("_", "-"): value for name, value in more.items()},
    )  # fmt: skip


def _by_mime(*, sender: Address = ANA, subject: str = "Hello", text: str = "Hi", **more: str) -> Letter:
    line = ", ".join(named(each.name, each.email) for each in (BO, CY))
    headers = [
        ("From", named(sender.name, sender.email)), ("To", line), ("Cc", named(ANA.name, ANA.email)),
        ("Subject", subject), ("Message-ID", "<1@x.example>"), ("Date", DATE),
        *((name.replace("_", "-"), value) for name, value in more.items()),
    ]  # fmt: skip
    return mime.read(mime.write([field for field in headers if field[1]], text))


@given(text=st.text(st.characters(exclude_categories=["Cs"]), max_size=40))
def test_texts_read_as_they_would_by_their_bytes(text: str) -> None:
    made, read = _letter(text=text), _by_mime(text=text)
    assert made is not None
    assert replace(read, headers=made.headers) == made


@given(name=NAMES, subject=VALUES, value=VALUES)
def test_a_letter_is_exact_or_none(name: str, subject: str, value: str) -> None:
    sender = Address(name, "ana@x.example")
    made = _letter(sender=sender, subject=subject, X_Note=value)
    if made is not None:
        read = _by_mime(sender=sender, subject=subject, X_Note=value)
        assert replace(read, headers=made.headers) == made
        assert [made.header(each) for each in ("Subject", "X-Note", "Date")] == [subject, value, DATE]


def test_it_knows_what_it_answers() -> None:
    made = _letter(In_Reply_To="<2@x>", References="<1@x> <2@x>", List_Id="<team.x.example>")
    assert made is not None
    assert made.references == ("<1@x>", "<2@x>", "<2@x>")
    assert made.header("list-id") == "<team.x.example>"


@pytest.mark.parametrize("email", ["Bo@x.example", "BO@X.EXAMPLE"])
def test_an_address_in_capitals_is_not_simple(email: str) -> None:
    assert _letter(sender=Address("Bo", email)) is None
