"""A conversation as a line of a list: who, what, when, and the marks on it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from markupsafe import Markup, escape

from fakes.core import links
from fakes.core.clock import civil
from fakes.core.ui.filters import instant
from fakes.gmail import store
from fakes.gmail.rules.labels import DRAFT, IMPORTANT, INBOX, MUTED, SCHEDULED, SENT, SNOOZED, STARRED
from fakes.gmail.schema import Snooze, UserLabel
from fakes.gmail.store import Line, Sender

if TYPE_CHECKING:
    from fakes.gmail.web.visits import Visit

_TO_OTHERS = (SENT, DRAFT, SCHEDULED)
_DRAFT = Markup(' <span class="drafted">Draft</span>')
_NEW = Markup("<b>"), Markup("</b>")
_MOST_NAMED = 3
_MOST_FILES = 2
_MOST_CHIPS = 4


def rows(
    visit: Visit, refs: list[store.Ref], label: str, own: Mapping[str, UserLabel]
) -> list[dict[str, Any]]:
    """The lines of conversations in the list of a label; `own` are the mailbox's labels by id."""
    chips = {each.id: _chip(each) for each in own.values() if each.message_list_visibility != "hide"}
    return [_row(visit, line, label, own, chips) for line in store.lines(visit.world, visit.person.id, refs)]


def _row(
    visit: Visit, line: Line, label: str, own: Mapping[str, UserLabel], chips: Mapping[str, Markup]
) -> dict[str, Any]:
    head, marks = line.message, line.labels
    note, draft_id = _note(visit, line, label)
    return {
        "id": head.thread_id,
        "href": f"/compose?{urlencode({'draft': draft_id})}"
        if label == DRAFT and draft_id
        else f"/t/{head.thread_id}",
        "draft_id": draft_id,
        "who": _who(visit, line, label),
        "count": line.count,
        "unread": line.unread,
        "starred": STARRED in marks,
        "important": IMPORTANT in marks,
        "muted": MUTED in marks,
        "subject": head.subject or "(no subject)",
        "snippet": links.resolve(visit.request, head.snippet),
        "chips": Markup("").join(_chips(marks, label, chips)),
        "in_inbox": INBOX in marks,
        "labels": " ".join(sorted(mark for mark in marks if mark in own)),
        "files": line.files[:_MOST_FILES],
        "more_files": max(0, len(line.files) - _MOST_FILES),
        "note": note,
        "time": short_time(head.received_at, visit),
        "stamp": stamp(head.received_at, visit),
        "full_time": instant(head.received_at, visit.zone),
    }


def _chips(marks: frozenset[str], label: str, chips: Mapping[str, Markup]) -> list[Markup]:
    return [chip for mark, chip in chips.items() if mark in marks and mark != label][:_MOST_CHIPS]


def _chip(label: UserLabel) -> Markup:
    colors = ""
    if label.background_color:
        colors = f" on-{label.background_color[1:]} ink-{(label.text_color or '#000000')[1:]}"
    return Markup('<span class="chip{}">{}</span> ').format(colors, label.name)


def _note(visit: Visit, line: Line, label: str) -> tuple[str, str]:
    """When it comes back, or goes out; and the id of the draft that a line of drafts stands for."""
    if label == SNOOZED:
        found = visit.world.get(Snooze, visit.person.id, line.message.thread_id)
        return (f"Until {instant(found.until_at, visit.zone)}" if found else ""), ""
    if label not in (DRAFT, SCHEDULED):
        return "", ""
    draft = store.draft_of_message(visit.world, visit.person.id, line.message.id)
    sending = store.sending_of(visit.world, draft) if draft else None
    note = f"Goes out {instant(sending.due_at, visit.zone)}" if sending else ""
    return note, draft.id if draft else ""


def _who(visit: Visit, line: Line, label: str) -> Markup:
    """Who wrote; of whom something is unread, in bold. A list of own mail names the recipients."""
    if label in _TO_OTHERS or not (line.senders or line.drafts):
        to = escape(f"To: {names(visit, line.message.recipients)}")
        return to + _DRAFT if label == DRAFT else to
    told = [_sender(visit, each, whole=len(line.senders) == 1) for each in _named(line.senders)]
    return Markup(", ").join([*told, _DRAFT] if line.drafts else told)


def _named(senders: tuple[Sender, ...]) -> list[Sender | None]:
    """Whom there is room for: if there are many, the first and the last two (None: those between)."""
    return list(senders) if len(senders) <= _MOST_NAMED else [senders[0], None, *senders[-2:]]


def _sender(visit: Visit, sender: Sender | None, *, whole: bool) -> Markup:
    if sender is None:
        return Markup("…")
    name = escape(_name(visit, sender, whole=whole))
    return _NEW[0] + name + _NEW[1] if sender.unread else name


def _name(visit: Visit, sender: Sender, *, whole: bool = False) -> str:
    if sender.email == visit.person.email:
        return "me"
    name = sender.name or "(unknown sender)"
    return name if whole else name.split("@")[0].split()[0] if name.strip() else name


def names(visit: Visit, addresses: str) -> str:
    """Addresses as names, where they are people of the world."""
    found = [(visit.world.person(address), address) for address in addresses.split(", ") if address]
    shown = [
        "me" if address == visit.person.email else person.name if person else address
        for person, address in found
    ]
    return ", ".join(shown[:10]) + (f" and {len(shown) - 10} more" if len(shown) > 10 else "")


def stamp(at_ms: int, visit: Visit) -> str:
    """An instant as `<time datetime>` has it."""
    return civil(at_ms, visit.zone).isoformat(timespec="seconds")


def short_time(at_ms: int, visit: Visit) -> str:
    """The time of day for today, else the date, with its year unless it is this one."""
    at, now = civil(at_ms, visit.zone), civil(visit.world.now(), visit.zone)
    if at.date() == now.date():
        return f"{at.hour:02}:{at.minute:02}"
    date = instant(at_ms, visit.zone).partition(", ")[0].split()
    return " ".join(date[1:3] if at.year == now.year else date[1:])
