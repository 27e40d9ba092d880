"""How the pages say what rows hold: deadlines in days, statuses, and where an event leads."""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import dataclass
from datetime import date

from fakes.core.clock import civil
from fakes.core.ui import filters
from fakes.core.world import World
from sites.claims_desk.rules import category_words, state_words, type_words
from sites.claims_desk.schema import Claim, Claimant, Event, FactRequest, Notice

STATUSES = {
    "open": ("Open", "teal"),
    "protested": ("Protested", "amber"),
    "won": ("Won", "green"),
    "lost": ("Lost", "red"),
    "closed": ("Closed", ""),
    "draft": ("Draft", "line"),
    "sent": ("Sent", "amber"),
    "answered": ("Answered", "green"),
    "filed": ("Filed", "green"),
    "due": ("Due", "red"),
    "planned": ("Planned", "line"),
    "over": ("Too late", ""),
    "overtaken": ("Overtaken", ""),
}
_ICONS = {
    "audit": "scale",
    "chases": "clock-alert",
    "claim": "briefcase",
    "document": "file-text",
    "notice": "bell",
    "notice.flagged": "flag",
    "protest": "gavel",
    "questionnaire": "clipboard-list",
    "questionnaire.answered": "check-check",
    "questionnaire.sent": "send",
    "questionnaire.chased": "clock-alert",
    "webhook": "zap",
}
_SUBJECTS = {
    "clm_": "/claims/",
    "dft_": "/protests/",
    "doc_": "/documents/",
    "fcr_": "/questionnaires/",
    "ntc_": "/notices/",
    "stm_": "/ledger/",
    "whk_": "/settings/webhooks/",
}
_SOON, _NEAR = 3, 7


@dataclass(frozen=True)
class Deadline:
    """A last day as pages show it: `left` in days (None: none is known), `tone` a colour or nothing."""

    day: date | None
    left: int | None
    words: str
    tone: str


NO_DEADLINE = Deadline(None, None, "", "")


def deadline(day: date | None, today: date, done: str = "") -> Deadline:
    """The days that are left until `day`; `done` says instead why nobody counts them any more."""
    if not isinstance(day, date):
        return NO_DEADLINE
    left = (day - today).days
    if done:
        return Deadline(day, left, done, "green")
    return Deadline(day, left, _left(left), "red" if left <= _SOON else "amber" if left <= _NEAR else "")


def last_day(notice: Notice) -> date | None:
    """The earlier of the computed and the printed date: that one is kept until the agency was asked."""
    days = [day for day in (notice.due_computed, notice.printed_due) if isinstance(day, date)]
    return min(days, default=None)


def done_words(notice: Notice, *, protested: bool) -> str:
    """Why nobody counts a notice's days any more; nothing while they are counted."""
    if protested:
        return "Protest filed"
    return "Answered" if notice.answered_at is not None else ""


def name_of(claimant: Claimant | None) -> str:
    """A claimant's name; nothing where a row names none."""
    return claimant.name if claimant else ""


def number_of(claim: Claim | None) -> str:
    """A claim's number; nothing where a row names none."""
    return claim.number if claim else ""


def due_day(world: World, request: FactRequest) -> date | None:
    """The civil day on which a questionnaire is due."""
    return civil(request.due_at, world.zone).date() if isinstance(request.due_at, int) else None


def _left(days: int) -> str:
    if days < 0:
        return f"{plural(-days, 'day')} over"
    if days <= 1:
        return "tomorrow" if days else "today"
    return f"{days} days left"


# filters


def plural(count: int, noun: str) -> str:
    """`3 | plural("week")` reads "3 weeks"."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def count_of(things: Sized, noun: str) -> str:
    """As `plural`, of how many things there are."""
    return plural(len(things), noun)


def status_words(code: str) -> str:
    """A status of a claim, questionnaire or protest."""
    return STATUSES.get(code, (code, ""))[0]


def status_tone(code: str) -> str:
    """The colour of a status."""
    return STATUSES.get(code, (code, ""))[1]


def answer_words(text: str | None, kind: str) -> str:
    """An answer as its question's kind has it: a date in words, Yes and No."""
    said = (text or "").strip()
    if kind == "yes_no" and said.lower() in ("yes", "no"):
        return said.capitalize()
    try:
        return filters.day(date.fromisoformat(said)) if kind == "date" else said
    except ValueError:
        return said


def event_icon(kind: str) -> str:
    """The drawing beside an event."""
    return _ICONS.get(kind) or _ICONS.get(kind.partition(".")[0], "activity")


def subject_path(event: Event) -> str:
    """The page of what an event is about; nothing where it has none."""
    subject = event.subject_id or ""
    folder = _SUBJECTS.get(subject[:4])
    return folder + subject if folder else ""


FILTERS = (
    plural, count_of, state_words, type_words, category_words, status_words, status_tone, answer_words,
    event_icon, subject_path,
)  # fmt: skip
