"""How codes are said, on pages and in the desk's log: the one table of each."""

from __future__ import annotations

from typing import Final

from sites.claims_desk.rules.states import STATE_NAMES

TYPE_WORDS: Final[dict[str, str]] = {
    "determination": "Determination",
    "claim_filed": "Request for information",
    "charge_statement": "Charge statement",
    "hearing": "Hearing decision",
}
CATEGORY_WORDS: Final[dict[str, str]] = {
    "discharge_misconduct": "Discharge for misconduct",
    "voluntary_quit": "Voluntary quit",
    "lack_of_work": "Lack of work",
}


def type_words(code: str) -> str:
    """A notice type, or the code as it stands."""
    return TYPE_WORDS.get(code, code)


def category_words(code: str | None) -> str:
    """A reason for a separation; nothing for None."""
    return CATEGORY_WORDS.get(code or "", (code or "").replace("_", " ").capitalize())


def state_words(code: str) -> str:
    """A state's name, or the code as it stands."""
    return STATE_NAMES.get(code, code)
