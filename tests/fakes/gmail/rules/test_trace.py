"""What stands at the head of a received mail."""

from __future__ import annotations

import email

import pytest

from fakes.gmail.rules.trace import is_flagged, trace
from tests.fakes.gmail.town import MORNING, raw

MAIL = raw("X-Spam-Flag: YES", Subject="Hi").replace(b"\n", b"\r\n")


def _way(mail: bytes) -> bytes:
    return trace(
        mail, delivered_to="mira@x.example", sender="tom@y.example", at_ms=MORNING, message_id="0a1b"
    )


@pytest.mark.parametrize(
    ("mail", "flagged"),
    [
        (MAIL, False),
        (b"x-spam-flag:  yes\r\n" + MAIL, True),
        (b"X-Spam-Flag: NO\r\n" + MAIL, False),
        (b"", False),
    ],
)
def test_a_mark_counts_in_the_head_alone(mail: bytes, flagged: bool) -> None:
    assert is_flagged(mail) is flagged


def test_the_way_is_whole_lines_of_ascii() -> None:
    way = _way(MAIL)
    assert way.isascii() and way.endswith(b"\r\n") and b"\r\n\r\n" not in way
    assert max(map(len, way.split(b"\r\n"))) < 998
    told = email.message_from_bytes(way + MAIL)
    assert told["Delivered-To"] == "mira@x.example"
    assert told["Received"] == "by mx.google.com with SMTP id 0a1b; Tue, 21 Oct 2025 13:30:00 +0000"
    assert "dmarc=pass header.from=y.example" in told["Authentication-Results"]
    assert told["Subject"] == "Hi"


def test_a_marked_mail_does_not_come_from_where_it_says() -> None:
    assert b"spf=fail" in _way(b"X-Spam-Flag: YES\r\n" + MAIL)
