"""A conversation: its messages, their HTML made safe, and who an answer would go to."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from fakes.core import links
from fakes.core.ui.filters import instant
from fakes.gmail import store
from fakes.gmail.rules import mime
from fakes.gmail.rules.html import plain_text, safe
from fakes.gmail.rules.labels import UNREAD
from fakes.gmail.rules.links import split_links
from fakes.gmail.rules.parts import Part, tree
from fakes.gmail.schema import Message
from fakes.gmail.web.lists import names, stamp
from fakes.gmail.web.visits import Visit, color, pages

MOST_SHOWN = 102_400
"""Characters of a plain text on the page; Gmail clips a mail at 102 KB too."""


async def show(visit: Visit) -> Response:
    """A conversation. Opening it marks it read; the page's refreshing itself does not."""
    messages = messages_of(visit)
    labels = store.labels_of(visit.world, [message.id for message in messages])
    unread = [message_id for message_id, names in labels.items() if UNREAD in names]
    if visit.request.method == "GET" and "x-live" not in visit.request.headers:
        store.mark_read(visit.world, visit.person.id, unread)
    return thread_page(visit, messages, unread=unread)


def messages_of(visit: Visit) -> list[Message]:
    """The messages of the conversation in the path. Raises HTTPException 404."""
    messages = store.thread_in(visit.world, visit.person.id, visit.request.path_params["thread_id"])
    if not messages:
        raise HTTPException(404)
    return messages


def thread_page(
    visit: Visit,
    messages: list[Message],
    status: int = 200,
    *,
    unread: Sequence[str] = (),
    text: str = "",
    problem: str = "",
) -> Response:
    """The page of a conversation with the form for an answer; `text` is what was typed into it."""
    to, others = answer_to(visit, messages[-1])
    shown = {
        "messages": [_shown(visit, message, message.id in unread) for message in messages],
        "subject": messages[0].subject or "(no subject)",
        "thread_id": messages[0].thread_id,
        "reply_to": names(visit, ", ".join(to)),
        "reply_all": names(visit, ", ".join(others)),
        "text": text,
        "problem": problem,
    }
    return visit.page("thread.html", shown, status)


def answer_to(visit: Visit, message: Message) -> tuple[list[str], list[str]]:
    """Whom an answer goes to, and who else got the message; an answer to one's own goes to its recipients."""
    own = visit.person.email
    recipients = [address for address in message.recipients.split(", ") if address not in ("", own)]
    if message.sender == own:
        return recipients or [own], []
    asked = mime.reply_to(store.source_of(visit.world, message).raw)
    to = [address.email for address in asked] or [message.sender]
    return to, [address for address in recipients if address not in to]


def _shown(visit: Visit, message: Message, unread: bool) -> dict[str, object]:
    whole = tree(store.source_of(visit.world, message).raw)
    document, text = _bodies(visit.request, whole)
    name = message.sender_name or message.sender
    return {
        "id": message.id,
        "name": name,
        "address": message.sender,
        "initial": name[:1].upper(),
        "color": color(message.sender),
        "to": names(visit, message.recipients),
        "time": instant(message.received_at, visit.zone),
        "stamp": stamp(message.received_at, visit),
        "unread": unread,
        "document": document,
        "pieces": split_links(text[:MOST_SHOWN]),
        "is_clipped": len(text) > MOST_SHOWN,
        "files": [_file(part) for part in whole.walk() if part.is_attachment],
    }


def _bodies(request: Request, whole: Part) -> tuple[str, str]:
    """A mail's HTML as a document of its own, or else its text; HTML out of bounds is shown as text."""
    html, plain = mime.body(whole, "html"), mime.body(whole, "plain")
    clean = safe(links.resolve(request, html)) if html is not None else None
    if clean is not None:
        return pages.render(request, "message.html", body=Markup(clean)), ""
    text = plain if plain is not None else plain_text(html or "")
    return "", links.resolve(request, text)


def _file(part: Part) -> str:
    size = max(1, len(part.content) // 1024)
    return f"{part.file_name or 'attachment'} ({size} KB)"
