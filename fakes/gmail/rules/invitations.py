"""An invitation in a mail: what its text/calendar part (RFC 5545) says of the meeting, as a card shows it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

_LINE = re.compile(r"([A-Z-]+)((?:;[^:\n]*)?):(.*)")
_ESCAPE = re.compile(r"\\([\\;,nN])")
_MOST = 100_000


@dataclass(frozen=True)
class Invitation:
    """A meeting: instants in UTC milliseconds, or for whole days their dates ("2025-10-22"), and None for an
    end that is not told. `method` is as in REQUEST and CANCEL.
    """

    method: str
    title: str
    place: str
    organizer: str
    begins: int | str
    ends: int | str | None


def invitation(text: str) -> Invitation | None:
    """The first event of a calendar, or None if there is none or its beginning can't be read."""
    lines = re.sub(r"\r?\n[ \t]", "", text[:_MOST]).replace("\r", "").split("\n")
    method = next((line[7:].strip() for line in lines if line.upper().startswith("METHOD:")), "")
    found: dict[str, tuple[str, str]] = {}
    inside = False
    for line in lines:
        if line.strip() == "BEGIN:VEVENT":
            inside = True
        elif line.strip() == "END:VEVENT":
            break
        elif inside and (match := _LINE.fullmatch(line)):
            found.setdefault(match[1], (match[2], match[3]))
    begins = _time(*found["DTSTART"]) if "DTSTART" in found else None
    if begins is None:
        return None
    organizer = found.get("ORGANIZER", ("", ""))[1].strip()
    return Invitation(
        method=method.upper(),
        title=_said(found, "SUMMARY"),
        place=_said(found, "LOCATION"),
        organizer=re.sub(r"(?i)^mailto:", "", organizer),
        begins=begins,
        ends=_time(*found["DTEND"]) if "DTEND" in found else None,
    )


def _said(found: dict[str, tuple[str, str]], name: str) -> str:
    value = found.get(name, ("", ""))[1]
    return _ESCAPE.sub(lambda escape: " " if escape[1] in "nN" else escape[1], value).strip()


def _time(parameters: str, value: str) -> int | str | None:
    value = value.strip()
    try:
        if len(value) == 8:
            return date.fromisoformat(value).isoformat()
        named = re.search(r';TZID="?([^;"]+)', parameters)
        zone = UTC if value.endswith("Z") or named is None else ZoneInfo(named[1])
        at = datetime.strptime(value.rstrip("Z"), "%Y%m%dT%H%M%S").replace(tzinfo=zone)
        return int(at.timestamp() * 1000)
    except (ValueError, ZoneInfoNotFoundError, OverflowError, OSError):
        return None
