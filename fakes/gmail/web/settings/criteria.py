"""What a filter's form says of the mail that it is about, as it was typed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from fakes.gmail.schema import Filter
from fakes.gmail.web.settings.frame import Problems

UNITS = {"MB": 1024 * 1024, "KB": 1024, "bytes": 1}
COMPARISONS = ("larger", "smaller")
_LONGEST = 2000
_BIGGEST = 2**31 - 1
_TOO_LONG = "That is too long: 2,000 letters at most."
_NO_SIZE = "Give the size as a whole number."
_NOTHING = "Say which mail it is about: fill in at least one of these."


@dataclass(frozen=True)
class Criteria:
    """The fields, under the names that links to the form use for them."""

    sender: str = ""
    recipient: str = ""
    subject: str = ""
    words: str = ""
    without: str = ""
    compare: str = "larger"
    size: str = ""
    unit: str = "MB"
    has_files: bool = False
    no_chats: bool = False

    @property
    def fields(self) -> dict[str, str]:
        """The fields of the form, for links and for the next step; what says nothing is left out."""
        found = {
            "from": self.sender, "to": self.recipient, "subject": self.subject, "q": self.words,
            "not": self.without, "has": "attachment" if self.has_files else "",
            "chats": "none" if self.no_chats else "",
        }  # fmt: skip
        if self.size:
            found |= {"compare": self.compare, "size": self.size, "unit": self.unit}
        return {name: value for name, value in found.items() if value}

    @property
    def problems(self) -> Problems:
        """What must be mended before it can be a filter's."""
        found = {name: _TOO_LONG for name, value in self.fields.items() if len(value) > _LONGEST}
        if self.size and not (self.size.isdecimal() and self._bytes() <= _BIGGEST):
            found["size"] = _NO_SIZE
        return found if found or self.fields else {"from": _NOTHING}

    def _bytes(self) -> int:
        return int(self.size[:12]) * UNITS[self.unit]

    @property
    def columns(self) -> dict[str, Any]:
        """The columns of Filter that it sets; of one without problems."""
        return {
            "sender": self.sender,
            "recipient": self.recipient,
            "subject": self.subject,
            "query": self.words,
            "negated_query": self.without,
            "has_attachment": True if self.has_files else None,
            "exclude_chats": True if self.no_chats else None,
            "size": self._bytes() if self.size else None,
            "size_comparison": self.compare if self.size else "",
        }


def typed(value: Callable[[str], str]) -> Criteria:
    """What a form or a link says; `value` gives a field by its name."""

    def text(name: str) -> str:
        return " ".join(value(name).split())

    compare, unit = value("compare"), value("unit")
    return Criteria(
        text("from"), text("to"), text("subject"), text("q"), text("not"),
        compare if compare in COMPARISONS else "larger", text("size"), unit if unit in UNITS else "MB",
        bool(value("has")), bool(value("chats")),
    )  # fmt: skip


def of_filter(row: Filter) -> Criteria:
    """The form's fields as a stored filter has them."""
    size = row.size if row.size_comparison else None
    unit = next((unit for unit, factor in UNITS.items() if size and size % factor == 0), "bytes")
    return Criteria(
        row.sender, row.recipient, row.subject, row.query, row.negated_query,
        row.size_comparison or "larger", "" if size is None else str(size // UNITS[unit]), unit,
        bool(row.has_attachment), bool(row.exclude_chats),
    )  # fmt: skip
