"""Writing: a new message, an answer."""

from __future__ import annotations

from starlette.responses import Response

from fakes.gmail import store
from fakes.gmail.errors import GoogleError, InvalidHeader, RecipientRequired
from fakes.gmail.rules import mime
from fakes.gmail.rules.addresses import address_line, named
from fakes.gmail.rules.threads import reply_subject
from fakes.gmail.web.conversations import answer_to, messages_of, thread_page
from fakes.gmail.web.visits import Visit, redirect

_FIELDS = ("to", "cc", "subject", "text")
_REFERENCES = 10
_ADDRESSES = "One of the addresses is not complete. Separate several with commas."
_SENTENCES = {"Subject": "The subject is too long."}

Problems = dict[str, str]
"""Sentences by the name of the field that each is about."""


async def compose(visit: Visit) -> Response:
    """The form for a new message."""
    return _form(visit, 200, {})


def _form(visit: Visit, status: int, problems: Problems) -> Response:
    typed = {name: visit.field(name) for name in _FIELDS}
    return visit.page("compose.html", {"folder": "compose", "problems": problems, **typed}, status)


async def send(visit: Visit) -> Response:
    """Sends a new message."""
    to, cc, subject, text = (visit.field(name) for name in _FIELDS)
    headers = [("To", address_line(to)), ("Cc", address_line(cc)), ("Subject", subject)]
    problems = _posted(visit, headers, text)
    return _form(visit, 400, problems) if problems else redirect(visit.request, "/?notice=sent")


async def reply(visit: Visit) -> Response:
    """Answers the last message of a conversation: its sender, and with `all` everyone who got it."""
    messages = messages_of(visit)
    last, text = messages[-1], visit.field("text")
    to, others = answer_to(visit, last)
    headers = [
        ("To", address_line(", ".join(to))),
        ("Cc", address_line(", ".join(others)) if visit.field("all") else ""),
        ("Subject", reply_subject(last.subject)),
        ("In-Reply-To", last.rfc822_id),
        ("References", " ".join(message.rfc822_id for message in messages[-_REFERENCES:])),
    ]
    problems = _posted(visit, headers, text, last.thread_id)
    if problems:
        return thread_page(visit, messages, 400, text=text, problem=" ".join(problems.values()))
    return redirect(visit.request, f"/t/{last.thread_id}?notice=sent")


def _posted(
    visit: Visit, headers: list[tuple[str, str]], text: str, thread_id: str | None = None
) -> Problems:
    """Sends a mail. Returns what is wrong with it, if it was not sent."""
    sender = ("From", named(visit.person.name, visit.person.email))
    try:
        mail = mime.write([sender, *((name, value) for name, value in headers if value.strip())], text)
        store.send(visit.world, visit.person, mail, thread_id)
    except mime.BadHeader as bad:
        return _problems(InvalidHeader(str(bad)))
    except GoogleError as error:
        return _problems(error)
    return {}


def _problems(error: GoogleError) -> Problems:
    """An error of the mail system in the words of the page, under the name of the field that it is about."""
    if isinstance(error, RecipientRequired):
        return {"to": "Add at least one recipient."}
    if isinstance(error, InvalidHeader):
        return {error.header.lower(): _SENTENCES.get(error.header, _ADDRESSES)}
    return {"": error.message}
