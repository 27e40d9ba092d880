"""How a paper is laid out: labelled fields of fixed width, read back by their labels.

A header line holds one or two fields, `Label: value`, the second starting in its own column; two or more
spaces end a value, which is why a printed value has only single spaces in it. The header ends at the first
rule of dashes.
"""

from __future__ import annotations

import datetime as dt
import re
import textwrap
from typing import Final

from sites.claims_desk.rules.errors import DoesNotFit

WIDTH: Final = 72
RULE: Final = "-" * WIDTH
SIMULATED: Final = "SIMULATED PAPER"
NOT_STATED: Final = "not stated"  # as wide as an ISO date, so an absent date does not change a paper's size

_LABEL_WIDTH: Final = 20
_LEFT_LABEL, _LEFT_VALUE, _RIGHT_LABEL = 11, 30, 12  # two fields on a line
_FIELD: Final = re.compile(r"(?:^|[ ]{2,})([A-Z][A-Za-z ]*):[ ]+(\S.*?)(?=[ ]{2,}|$)")


def printable(field: str, value: str, width: int) -> str:
    """`value` with single spaces, if it is ASCII and no wider than `width`; raises `DoesNotFit` otherwise."""
    text = " ".join(value.split())
    if not text:
        raise DoesNotFit(field, value, "it is blank. Give what the paper is to show.")
    if not (text.isascii() and text.isprintable()):
        raise DoesNotFit(field, value, "papers are plain ASCII. Spell it without accents and signs.")
    if len(text) > width:
        raise DoesNotFit(field, value, f"the field holds {width} characters. Shorten it.")
    return text


def heading(agency: str, title: str) -> list[str]:
    """The two top lines: who mails the paper, what it is, and the mark that it is simulated."""
    right = WIDTH - len(SIMULATED)
    return [agency.upper(), f"{title:<{right}}{SIMULATED}"]


def field(label: str, value: str) -> str:
    """A header line with one field."""
    return f"{label + ':':<{_LABEL_WIDTH}}{printable(label.lower(), value, WIDTH - _LABEL_WIDTH)}"


def two_fields(label: str, value: str, right_label: str, right_value: str) -> str:
    """A header line with two fields; the left one is padded, so the right one starts in its column."""
    left = printable(label.lower(), value, _LEFT_VALUE - 2)
    first = f"{label + ':':<{_LEFT_LABEL}}{left:<{_LEFT_VALUE}}"
    return first + f"{right_label + ':':<{_RIGHT_LABEL}}{right_value}"


def printed_date(day: dt.date | None) -> str:
    """Ten characters, whatever the date."""
    return NOT_STATED if day is None else day.isoformat()


def paragraph(text: str) -> list[str]:
    """Running text in the paper's width; no word is broken, so joining the lines gives it back."""
    return textwrap.wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False)


def unix_lines(text: str) -> str:
    """An upload may have passed through a program that ends lines with CR LF."""
    return text.replace("\r\n", "\n")


def header_fields(text: str) -> dict[str, str]:
    """The fields above the first rule of dashes, by label."""
    header = text.split("\n" + "-" * 20, 1)[0]
    return {label: value for line in header.splitlines() for label, value in _FIELD.findall(line.rstrip())}


def read_date(text: str) -> dt.date | None:
    """An ISO date, or None where the paper says `not stated`; raises ValueError for anything else."""
    if text == NOT_STATED:
        return None
    if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
        raise ValueError(f"{text!r} is no date such as 2026-01-31")
    return dt.date.fromisoformat(text)
