from __future__ import annotations

import pytest

from fakes.gmail.rules.invitations import Invitation, invitation

HEAD = "BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nBEGIN:VEVENT\r\n"
END = "END:VEVENT\r\nEND:VCALENDAR\r\n"


def test_an_invitation_is_read() -> None:
    lines = (
        "DTSTART;TZID=America/New_York:20251022T090000\r\nDTEND:20251022T140000Z\r\nSUMMARY:Dock\\, talk\r\n"
        "LOCATION:Pier\r\n  7\r\nORGANIZER;CN=Tom:mailto:tom@harborlight.example\r\n"
    )
    assert invitation(HEAD + lines + END) == Invitation(
        "REQUEST", "Dock, talk", "Pier 7", "tom@harborlight.example", 1761138000000, 1761141600000
    )


def test_a_whole_day_is_a_date() -> None:
    found = invitation(f"{HEAD}DTSTART;VALUE=DATE:20251022\r\n{END}")
    assert found and found.begins == "2025-10-22" and found.ends is None


@pytest.mark.parametrize(
    "text",
    ["", HEAD, f"{HEAD}DTSTART:soon\r\n{END}", f"{HEAD}DTSTART;TZID=../x:20251022T090000\r\n{END}",
     f"{HEAD}DTSTART;TZID=America:20251022T090000\r\n{END}", "DTSTART:20251022T090000Z"],
)  # fmt: skip
def test_what_has_no_beginning_is_none(text: str) -> None:
    assert invitation(text) is None
