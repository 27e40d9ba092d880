"""What was just sent, is about to be, or was discarded: the notice about it, and the ways back."""

from __future__ import annotations

from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.responses import Response

from fakes.core.ui.filters import instant
from fakes.gmail import store
from fakes.gmail.errors import NotFound
from fakes.gmail.schema import Message, Sending
from fakes.gmail.web.visits import Visit, pages, redirect

_LONGEST = 500


def told(visit: Visit, sending: Sending) -> str:
    """When a mail goes out."""
    if sending.kind == "undo":
        return "Sending…"
    return f"Send scheduled for {instant(sending.due_at, visit.zone)}"


def notice(visit: Visit) -> dict[str, str] | None:
    """What the page says of a mail that `?sent=` (its Message-ID) or `?discarded=` (its draft) names.

    As the world is now: while a mail can be taken back it says so, and once it is out it does not.
    """
    if draft_id := visit.query("discarded")[:_LONGEST]:
        return _discarded(visit, draft_id)
    message = _message(visit, visit.query("sent")[:_LONGEST])
    if message is None:
        return None
    path = f"/t/{message.thread_id}?{urlencode({'open': message.id})}#m-{message.id}"
    draft = store.draft_of_message(visit.world, visit.person.id, message.id)
    sending = store.sending_of(visit.world, draft) if draft else None
    if draft is None:
        return {"text": "Message sent.", "undo": "", "draft": "", "view": path}
    if sending is None:
        return None
    text = "Message sent." if sending.kind == "undo" else f"{told(visit, sending)}."
    return {"text": text, "undo": "/unsend", "draft": draft.id, "view": path}


pages.env.globals["sent_notice"] = notice


def _message(visit: Visit, name: str) -> Message | None:
    tail = "INDEXED BY gmail_messages_2 WHERE owner = ? AND rfc822_id = ? ORDER BY seq DESC"
    return visit.world.one(Message, tail, (visit.person.id, f"<{name}>")) if name else None


def _discarded(visit: Visit, draft_id: str) -> dict[str, str] | None:
    if store.draft_in(visit.world, visit.person.id, draft_id) is not None:
        return None
    return {"text": "Draft discarded.", "undo": "/discard/undo", "draft": draft_id, "view": ""}


async def unsend(visit: Visit) -> Response:
    """Takes a mail back that waits to be sent: it is a draft again, and goes on being written."""
    draft = store.draft_in(visit.world, visit.person.id, visit.field("draft"))
    sending = store.sending_of(visit.world, draft) if draft else None
    if draft is None or sending is None:
        return redirect(visit.request, "/?notice=too-late")
    store.take_back(visit.world, sending)
    return redirect(visit.request, f"/compose?{urlencode({'draft': draft.id})}")


async def undo_discard(visit: Visit) -> Response:
    """Brings a discarded draft back."""
    try:
        draft = store.restore_draft(visit.world, visit.person, visit.field("draft"))
    except NotFound:
        raise HTTPException(404) from None
    return redirect(visit.request, f"/compose?{urlencode({'draft': draft.id})}")
