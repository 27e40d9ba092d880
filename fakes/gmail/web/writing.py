"""Writing: a new message, an answer."""

from __future__ import annotations

from starlette.responses import Response

from fakes.gmail import store
from fakes.gmail.errors import GoogleError, InvalidHeader, RecipientRequired
from fakes.gmail.rules import mime
from fakes.gmail.rules.threads import reply_subject
from fakes.gmail.web.conversations import answer_to, messages_of, thread_page
from fakes.gmail.web.visits import Visit, redirect

_FIELDS = ("to", "cc", "subject", "text")
_REFERENCES = 10


async def compose(visit: Visit) -> Response:
    """The form for a new message."""
    return _form(visit, 200, "")


def _form(visit: Visit, status: int, problem: str) -> Response:
    typed = {name: visit.field(name) for name in _FIELDS}
    return visit.page("compose.html", {"folder": "compose", "problem": problem, **typed}, status)


async def send(visit: Visit) -> Response:
    """Sends a new message."""
    to, cc, subject, text = (visit.field(name) for name in _FIELDS)
    headers = [("To", mime.address_line(to)), ("Cc", mime.address_line(cc)), ("Subject", subject)]
    try:
        store.send(visit.world, visit.person, _written(visit, headers, text))
    except GoogleError as error:
        return _form(visit, 400, _problem(error))
    return redirect(visit.request, "/?notice=sent")


async def reply(visit: Visit) -> Response:
    """Answers the last message of a conversation: its sender, and with `all` everyone who got it."""
    messages = messages_of(visit)
    last, text = messages[-1], visit.field("text")
    to, others = answer_to(visit, last)
    headers = [
        ("To", mime.address_line(", ".join(to))),
        ("Cc", mime.address_line(", ".join(others)) if visit.field("all") else ""),
        ("Subject", reply_subject(last.subject)),
        ("In-Reply-To", last.rfc822_id),
        ("References", " ".join(message.rfc822_id for message in messages[-_REFERENCES:])),
    ]
    try:
        store.send(visit.world, visit.person, _written(visit, headers, text), last.thread_id)
    except GoogleError as error:
        return thread_page(visit, messages, 400, text=text, problem=_problem(error))
    return redirect(visit.request, f"/t/{last.thread_id}?notice=sent")


def _written(visit: Visit, headers: list[tuple[str, str]], text: str) -> bytes:
    sender = ("From", mime.named(visit.person.name, visit.person.email))
    return mime.write([sender, *((name, value) for name, value in headers if value.strip())], text)


def _problem(error: GoogleError) -> str:
    """An error of the mail system in the words of the page."""
    if isinstance(error, RecipientRequired):
        return "Add at least one recipient."
    if isinstance(error, InvalidHeader):
        return "One of the addresses is not complete. Separate several with commas."
    return error.message
