"""Stored mails as guards read them."""

from __future__ import annotations

from dataclasses import asdict

import pytest

from fakes.gmail.reading import File, read_mail, would_catch
from fakes.gmail.schema import Filter
from fakes.gmail.store import Wanted
from tests.fakes.gmail.town import raw

FORWARD = b"""From: Mira <mira@harborlight.example>
To: Kwame <kwame@harborlight.example>, kwame@harborlight.example
Cc: priya@harborlight.example
Subject: Fwd: Lease
Content-Type: multipart/mixed; boundary="b"

--b
Content-Type: text/plain

Here it is.

---------- Forwarded message ---------
From: Priya
--b
Content-Type: application/pdf; name="lease.pdf"
Content-Disposition: attachment; filename="lease.pdf"
Content-Transfer-Encoding: base64

JVBERi0=
--b--
"""


def test_who_what_and_which_files() -> None:
    mail = read_mail(FORWARD)
    assert mail.everyone == ("kwame@harborlight.example", "priya@harborlight.example")
    assert (mail.sender, mail.subject) == ("mira@harborlight.example", "Fwd: Lease")
    assert mail.files == (File("lease.pdf", "application/pdf", b"%PDF-"),)
    assert mail.said == "Here it is." and "Forwarded" in mail.text


def test_what_was_said_ends_where_a_quotation_begins() -> None:
    said = "Yes, at noon.\n\nOn Tue 14 Oct 2025 at 09:05 Tom Reyes wrote:\n> At noon?"
    assert read_mail(raw(said, To="tom@harborlight.example")).said == "Yes, at noon."
    assert read_mail(raw("> At noon?\nYes", To="tom@harborlight.example")).said == ""


def test_broken_mails_are_read_as_far_as_they_can_be() -> None:
    mail = read_mail(b"To: nobody at all <<\n\nhello")
    assert (mail.everyone, mail.text) == ((), "hello")


@pytest.mark.parametrize(
    ("wanted", "taken"),
    [
        (Wanted(sender="mira@harborlight.example"), True),
        (Wanted(sender="kwame"), False),
        (Wanted(recipient="priya", subject="lease"), True),
        (Wanted(subject="lease", negated_query="here"), False),
        (Wanted(has_attachment=True, size=100, size_comparison="larger"), True),
        (Wanted(query="is:unread in:inbox to:me"), True),
        (Wanted(query="filename:xlsx"), False),
    ],
)
def test_whether_a_filter_would_take_a_mail(wanted: Wanted, taken: bool) -> None:
    rule = Filter(owner="per_1", id="f", seq=1, **asdict(wanted))
    assert would_catch(rule, FORWARD, "kwame@harborlight.example") is taken
