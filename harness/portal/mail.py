"""Mail from outside: a tester writes as somebody who is not in the world, to people who are."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from fakes.core.capabilities import MAIL_DELIVER, MailRefused, OutgoingMail
from fakes.core.people import Person
from fakes.core.service import Service
from fakes.core.world import World
from harness.portal.forms import Form, by_harness, done, form_of, here
from harness.portal.page import page

MOST_SUBJECT, MOST_TEXT = 900, 1_000_000  # letters


def _post_office(world: World) -> Service | None:
    return next((s for s in world.services.values() if MAIL_DELIVER in s.offers), None)


def _page(request: Request, sent: Form, errors: Mapping[str, str], status: int = 200) -> Response:
    world: World = request.state.world
    return page(
        request, "mail.html", status, tab="mail", post_office=_post_office(world), sent=sent, errors=errors,
        chosen=sent.all("to"), people=world.all(Person, "ORDER BY seq"),
    )  # fmt: skip


async def mail_form(request: Request) -> Response:
    """An empty form; `?to=` ticks a person."""
    return _page(request, Form(list(request.query_params.multi_items())), {})


async def deliver(request: Request) -> Response:
    """Delivers what was written, or says beside each field what is wrong with it."""
    world: World = request.state.world
    sent = await form_of(request)
    errors = _errors(world, sent)
    office = _post_office(world)
    if errors or office is None:
        return _page(request, sent, errors or {"": "No service of this world takes mail."}, 422)
    people = [person for person in map(world.person, sent.all("to")) if person is not None]
    mail = OutgoingMail(
        sender=sent.text("address"), sender_name=sent.text("name"), subject=sent.text("subject"),
        to=tuple(person.email for person in people), text=sent.get("text", "").replace("\r\n", "\n"),
    )  # fmt: skip
    try:
        with by_harness(request, "mail", service=office.name):
            world.capability(MAIL_DELIVER)(world, mail)
    except MailRefused as refused:
        said = f"{office.title} did not take it: {refused}."
        return _page(request, sent, {"address" if mail.sender in str(refused) else "": said}, 422)
    names = ", ".join(person.name for person in people)
    return done(request, f"The mail is in the inbox of {names}.", here(request, "/mail"))


def _errors(world: World, sent: Form) -> dict[str, str]:
    """What is wrong, by field."""
    errors: dict[str, str] = {}
    address, to = sent.text("address"), sent.all("to")
    resident = world.person(address)
    if not address:
        errors["address"] = "Say the address that the mail comes from."
    elif resident is not None:
        errors["address"] = (
            f"{resident.name} lives in this world, and this form is for outsiders. "
            f"To send as {resident.name}, open the mailbox as them."
        )
    elif "@" not in address.strip("@") or any(letter.isspace() for letter in address):
        errors["address"] = f"{address!r} is no mail address."
    if not to:
        errors["to"] = "Choose who gets it."
    elif any(world.person(email) is None for email in to):
        errors["to"] = "Somebody chosen is not in this world any more; choose again."
    if "\n" in sent.text("name") or "\r" in sent.text("name"):
        errors["name"] = "A name is one line."
    if len(sent.text("subject")) > MOST_SUBJECT or any(c in sent.text("subject") for c in "\r\n"):
        errors["subject"] = f"A subject is one line of at most {MOST_SUBJECT} letters."
    if len(sent.get("text", "")) > MOST_TEXT:
        errors["text"] = f"This form takes at most {MOST_TEXT:,} letters."
    if not sent.text("subject") and not sent.text("text") and "subject" not in errors:
        errors["subject"] = "Write a subject or a text."
    return errors


ROUTES: list[BaseRoute] = [
    Route("/mail", mail_form),
    Route("/mail", deliver, methods=["POST"]),
]
