"""The form of all lists: what is done to the mail that was ticked, the notice about it, and its way back."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.responses import Response

from fakes.core.forms import local_path
from fakes.core.ui.filters import instant
from fakes.gmail import store
from fakes.gmail.errors import GoogleError, InvalidLabel, InvalidTime, LabelNotFound
from fakes.gmail.rules.labels import SPAM, TRASH
from fakes.gmail.rules.timing import at_wall
from fakes.gmail.web.deeds import DEEDS, FINAL, Chosen
from fakes.gmail.web.folders import FOLDERS, TABS
from fakes.gmail.web.sources import all_threads, source_of
from fakes.gmail.web.visits import Visit, pages, redirect

_AT_ONCE = 500
_DONE = {
    "archive": "archived", "inbox": "moved to the inbox", "spam": "reported as spam",
    "not-spam": "marked as not spam and moved to the inbox", "trash": "moved to the trash",
    "untrash": "taken out of the trash", "delete": "deleted for ever", "read": "marked as read",
    "unread": "marked as unread", "star": "starred", "unstar": "no longer starred",
    "important": "marked as important", "unimportant": "marked as not important", "mute": "muted",
    "unmute": "no longer muted", "label": "labelled", "unlabel": "taken off the label", "move": "moved",
    "snooze": "snoozed", "unsnooze": "brought back to the inbox", "discard": "discarded",
}  # fmt: skip
_SENTENCES = {
    "undo": "Taken back.",
    "nothing": "Select a conversation first.",
    "past": "That time is past. Choose a later one.",
    "no-label": "That is no name for a label.",
    "empty": "Emptied for ever.",
}


async def act(visit: Visit) -> Response:
    """Does `do` to the conversations `threads`, or to the single `messages`, and goes `back`.

    `all` takes all conversations of the list `list` (its path), however many pages it has. What names none of
    this mailbox's mail is not found; a label or time that can't be says so on the page.
    """
    deed, back = (visit.every("do") or [""])[-1], local_path(visit.field("back") or "/")
    if deed == "undo":
        return _undo(visit, back)
    if deed == "empty":
        return _empty(visit, back)
    if deed not in DEEDS:
        raise HTTPException(400)
    chosen = _chosen(visit)
    if chosen is None:
        return _back(visit, back, did="nothing")
    before = store.mailbox_of(visit.world, visit.person.id).history_id
    try:
        with visit.world.tx():
            DEEDS[deed](visit, chosen)
    except InvalidTime:
        return _back(visit, back, did="past")
    except (InvalidLabel, LabelNotFound):
        raise HTTPException(404) from None
    except GoogleError:
        return _back(visit, back, did="no-label")
    after = store.mailbox_of(visit.world, visit.person.id).history_id
    undo = f"{before}-{after}" if after > before and deed not in FINAL else ""
    number = len(chosen.threads) if chosen.whole else len(chosen.messages)
    return _back(visit, back, did=deed, n=number, undo=undo, about=_about(visit, deed))


def _chosen(visit: Visit) -> Chosen | None:
    """What was chosen; None for nothing. Raises HTTPException 404 for what is not in this mailbox."""
    world, owner = visit.world, visit.person.id
    threads, single = visit.every("threads"), visit.every("messages")
    if visit.field("all") and (source := source_of(visit, visit.field("list"))) is not None:
        threads = all_threads(visit, source)
    if not threads and not single:
        return None
    found = store.messages_of(world, owner, threads) if threads else store.messages_in(world, owner, single)
    if not found:
        raise HTTPException(404)
    labels: dict[str, list[str]] = {}
    for at in range(0, len(found), _AT_ONCE):
        labels |= store.labels_of(world, [message.id for message in found[at : at + _AT_ONCE]])
    return Chosen(found, labels, bool(threads))


def _about(visit: Visit, deed: str) -> str:
    """What the notice names: a label, or until when."""
    if deed == "snooze":
        return (visit.every("until") or [""])[0]
    named = [*visit.every("label"), *visit.every("add")] if deed in ("label", "move") else []
    return named[0] if named else ""


def _undo(visit: Visit, back: str) -> Response:
    after, _, until = visit.field("span").partition("-")
    if not (after.isdecimal() and until.isdecimal()):
        raise HTTPException(400)
    store.undo(visit.world, visit.person.id, int(after[:15]), int(until[:15]))
    return _back(visit, back, did="undo")


def _empty(visit: Visit, back: str) -> Response:
    """Deletes all that lies in the trash, or in spam."""
    label = (visit.every("label") or [""])[0]
    if label not in (TRASH, SPAM):
        raise HTTPException(400)
    world, owner = visit.world, visit.person.id
    with world.tx():
        while refs := store.folder(world, owner, label, limit=_AT_ONCE).refs:
            found = store.messages_of(world, owner, [thread for _, thread in refs])
            labels = store.labels_of(world, [message.id for message in found])
            store.delete(world, owner, [message.id for message in found if label in labels[message.id]])
    return _back(visit, back, did="empty")


def _back(visit: Visit, back: str, **told: Any) -> Response:
    query = urlencode({name: value for name, value in told.items() if value != ""})
    path, mark, anchor = back.partition("#")
    return redirect(visit.request, f"{path}{'&' if '?' in path else '?'}{query}{mark}{anchor}")


# the notice


def notice(visit: Visit) -> dict[str, str] | None:
    """What a page says of what was just done (`did`), and what of the history takes it back."""
    deed = visit.query("did")
    if deed in _SENTENCES:
        return {"text": _SENTENCES[deed], "undo": ""}
    if deed not in _DONE:
        return None
    number = visit.query("n")
    what = "Conversation" if number in ("", "1") else f"{number[:6]} conversations"
    about = _told(visit, deed, visit.query("about")[:300])
    return {"text": f"{what} {_DONE[deed]}{about}.", "undo": visit.query("undo")[:40]}


def _told(visit: Visit, deed: str, about: str) -> str:
    if deed == "snooze":
        at = at_wall(about, visit.zone)
        return f" until {instant(at, visit.zone)}" if at is not None else ""
    if deed not in ("label", "move") or not about:
        return ""
    named = {each.label: each.title for each in (*FOLDERS.values(), *TABS.values())}
    label = store.own_label(visit.world, visit.person.id, about)
    name = label.name if label else named.get(about, "")
    return f" {'as' if deed == 'label' else 'to'} {name}" if name else ""


pages.env.globals["act_notice"] = notice
