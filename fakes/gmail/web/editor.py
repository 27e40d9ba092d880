"""The editor as templates show it: a form that works by itself, and better with its scripts."""

from __future__ import annotations

from fakes.core.clock import civil
from fakes.core.ui.filters import instant
from fakes.gmail import store
from fakes.gmail.rules.html import safe
from fakes.gmail.rules.plain import as_html
from fakes.gmail.rules.timing import at_wall, sending_times
from fakes.gmail.web.attached import File
from fakes.gmail.web.composing import Problems, Writing, senders
from fakes.gmail.web.visits import Visit

MOST_ATTACHED = 25 * 1024 * 1024
TOO_MUCH = "A message with its files can hold at most 25 MB. Take a file away, or send a smaller one."
_TITLES = {"new": "New message", "reply": "Reply", "all": "Reply to all", "forward": "Forward"}


def of(visit: Visit, writing: Writing, problems: Problems | None = None) -> dict[str, object]:
    """All that the editor's template needs for a mail in the making."""
    own = senders(visit)
    return {
        **{name: getattr(writing, name) for name in ("kind", "about", "draft_id", "thread_id", "sender")},
        **{name: getattr(writing, name) for name in ("to", "cc", "bcc", "subject", "text")},
        "title": _TITLES[writing.kind],
        "html": writing.html or as_html(writing.text),
        "is_plain": bool(writing.text) and not writing.html,
        "has_quote": bool(writing.quote_text or writing.quote_html),
        "quote_html": writing.quote_html or as_html(writing.quote_text),
        "quote_text": writing.quote_text,
        "files": files_of(writing),
        "senders": [(each.email, each.display_name or visit.person.name) for each in own],
        "signatures": [(each.email, safe(each.signature) or "") for each in own if len(own) > 1],
        "problems": problems or {},
        **_times(visit),
    }


def files_of(writing: Writing) -> list[File]:
    """Its files as the editor lists them."""
    return [File(n, each.name, each.media_type, len(each.content)) for n, each in enumerate(writing.files)]


def _times(visit: Visit) -> dict[str, object]:
    presets = sending_times(visit.world.now(), visit.zone)
    today = civil(visit.world.now(), visit.zone).date()
    return {
        "presets": [(each.name, each.wall, _told(visit, each.wall)) for each in presets],
        "zone": visit.person.zone,
        "today": today.isoformat(),
        "wall_date": presets[0].wall.partition("T")[0],
        "wall_time": presets[0].wall.partition("T")[2],
        "undo_seconds": store.settings_of(visit.world, visit.person.id).undo_seconds,
    }


def _told(visit: Visit, wall: str) -> str:
    return instant(at_wall(wall, visit.zone), visit.zone)
