"""What people who write are answered while somebody is away, from a first day to a last one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from starlette.responses import Response

from fakes.core.clock import civil
from fakes.core.forms import local_path
from fakes.core.ui.filters import day
from fakes.gmail import store
from fakes.gmail.rules.timing import at_wall
from fakes.gmail.schema import Settings
from fakes.gmail.web.settings import rich
from fakes.gmail.web.settings.frame import Problems, done, show
from fakes.gmail.web.visits import Visit, pages, redirect

PATH = "/settings/vacation"
_ONE_DAY = timedelta(days=1)
_NO_DAY = "Give a day, as in 2025-10-21."
_BACKWARDS = "The last day is before the first one."
_NOTHING_TO_SAY = "Write a subject or a message first."
_TOO_LONG = "At most 500 letters."
_LONGEST = 500
_MIDNIGHT = "T00:00"


@dataclass(frozen=True)
class Away:
    """The form's fields; days are as in "2025-10-21", or ""."""

    enabled: bool
    first: str
    last: str
    subject: str
    message: rich.Rich
    contacts_only: bool
    domain_only: bool


async def page(visit: Visit) -> Response:
    """The form."""
    return _page(visit, _stored(visit))


async def save(visit: Visit) -> Response:
    """Switches the answers on, changes them, or switches them off."""
    before = _stored(visit)
    wanted = _sent(visit, before)
    problems = _problems(wanted)
    if problems:
        return _page(visit, wanted, problems)
    settings = store.settings_of(visit.world, visit.person.id)
    start = settings.vacation_start_at if wanted.first == before.first else _midnight(visit, wanted.first)
    end = settings.vacation_end_at if wanted.last == before.last else _midnight(visit, wanted.last, _ONE_DAY)
    store.set_vacation(
        visit.world, visit.person.id, enabled=wanted.enabled, subject=wanted.subject,
        text=wanted.message.text, html=wanted.message.html, contacts_only=wanted.contacts_only,
        domain_only=wanted.domain_only, start_at=start, end_at=end,
    )  # fmt: skip
    return done(visit, PATH, "saved")


async def end(visit: Visit) -> Response:
    """Switches the answers off, from the banner of whatever page; what they say is kept."""
    settings = store.settings_of(visit.world, visit.person.id)
    store.set_vacation(
        visit.world, visit.person.id, enabled=False, subject=settings.vacation_subject,
        text=settings.vacation_text, html=settings.vacation_html,
        contacts_only=settings.vacation_contacts_only, domain_only=settings.vacation_domain_only,
        start_at=settings.vacation_start_at, end_at=settings.vacation_end_at,
    )  # fmt: skip
    back = local_path(visit.field("back") or "/")
    return redirect(visit.request, f"{back}{'&' if '?' in back else '?'}notice=back")


def _problems(wanted: Away) -> Problems:
    found = {
        name: _NO_DAY
        for name, value in (("first", wanted.first), ("last", wanted.last))
        if value and _date(value) is None
    }
    if wanted.enabled and not wanted.first:
        found["first"] = _NO_DAY
    if len(wanted.subject) > _LONGEST:
        found["subject"] = _TOO_LONG
    first, last = _date(wanted.first), _date(wanted.last)
    if first and last and last < first:
        found["last"] = _BACKWARDS
    if wanted.enabled and not (wanted.subject or wanted.message):
        found["message"] = _NOTHING_TO_SAY
    return found


def _date(text: str) -> date | None:
    try:
        found = date.fromisoformat(text)
    except ValueError:
        return None
    return found if 1970 < found.year < 2100 else None


def _midnight(visit: Visit, text: str, after: timedelta = timedelta()) -> int | None:
    found = _date(text)
    return at_wall(f"{found + after}{_MIDNIGHT}", visit.zone) if found else None


def _stored(visit: Visit) -> Away:
    settings = store.settings_of(visit.world, visit.person.id)
    first, last = _days(visit, settings)
    return Away(
        settings.vacation_enabled,
        first.isoformat() if first else "",
        last.isoformat() if last else "",
        settings.vacation_subject,
        rich.of(settings.vacation_html, settings.vacation_text),
        settings.vacation_contacts_only,
        settings.vacation_domain_only,
    )


def _days(visit: Visit, settings: Settings) -> tuple[date | None, date | None]:
    """The first and the last day; an end at midnight is that of the day before."""
    begin, until = settings.vacation_start_at, settings.vacation_end_at
    first = civil(begin, visit.zone).date() if begin is not None else None
    return first, civil(until - 1, visit.zone).date() if until is not None else None


def _sent(visit: Visit, before: Away) -> Away:
    return Away(
        visit.field("enabled") == "on",
        visit.field("first").strip(),
        visit.field("last").strip(),
        " ".join(visit.field("subject").split()),
        rich.sent(visit, before.message),
        bool(visit.field("contacts_only")),
        bool(visit.field("domain_only")),
    )


def _page(visit: Visit, wanted: Away, problems: Problems | None = None) -> Response:
    today = civil(visit.world.now(), visit.zone).date().isoformat()
    context = {
        "wanted": wanted,
        "rich": wanted.message,
        "today": today,
        "domain": visit.person.email.rpartition("@")[2],
        "zone": visit.person.zone,
    }
    return show(visit, PATH, "vacation.html", context, problems)


def in_words(visit: Visit) -> str:
    """Whether the answers are on, and from when to when."""
    settings = store.settings_of(visit.world, visit.person.id)
    if not settings.vacation_enabled:
        return "Off."
    first, last = _days(visit, settings)
    since = f" from {day(first)}" if first else ""
    return f"On{since}{f' to {day(last)}' if last else ''}."


def away(visit: Visit) -> str:
    """What the banner of every page says while a person is away; "" else."""
    settings = store.settings_of(visit.world, visit.person.id)
    if not store.is_away(visit.world, settings):
        return ""
    last = _days(visit, settings)[1]
    return f"You are away{f' until {day(last)}' if last else ''}: who writes to you gets an answer."


pages.env.globals["away"] = away
