"""What the portal's forms have in common: their token, what is said when they are done, who did it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from html import escape

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from fakes.core.people import Person
from fakes.core.requests import RequestRecord, acting
from fakes.core.service import Service
from fakes.core.world import World
from harness.app import Server
from harness.fields import BadInput


class Form(dict[str, str]):
    """A form's fields as text, the last of each name; `all` has every one of a name."""

    def __init__(self, pairs: list[tuple[str, str]]) -> None:
        super().__init__(pairs)
        self._pairs = pairs

    def all(self, name: str) -> list[str]:
        """Every value that was sent under a name."""
        return [value for key, value in self._pairs if key == name]

    def text(self, name: str) -> str:
        """A field without blanks around it; empty when it was not sent."""
        return self.get(name, "").strip()


async def form_of(request: Request) -> Form:
    """The fields of a form of ours.

    Raises HTTPException 403 for one that lacks the session's token, BadInput for bytes that are no text.
    """
    try:
        async with request.form() as sent:
            pairs = [(name, _text(value)) for name, value in sent.multi_items() if isinstance(value, str)]
    except (UnicodeError, LookupError):  # a charset that a form names may make text of anything
        raise BadInput("The form's fields are no text.") from None
    server: Server = request.state.server
    fields = Form(pairs)
    if not server.door.csrf_is_right(request.state.session, fields.pop("csrf", "")):
        raise HTTPException(403, "The form was not one of this portal's; load the page again")
    return fields


def _text(value: str) -> str:
    return value.encode("utf-8", "replace").decode()


def done(request: Request, sentence: str, back: str) -> Response:
    """What was done: in the page's status line for htmx, else on the page that comes next."""
    if request.headers.get("hx-request"):
        return HTMLResponse(escape(sentence))
    server: Server = request.state.server
    server.door.note(request.state.session, sentence)
    return RedirectResponse(back, 303)


def here(request: Request, path: str = "/") -> str:
    """A page of the world that the form was on."""
    root: str = request.scope["root_path"]
    return root + path


def service_named(world: World, name: str) -> Service:
    """A service of this world. Raises BadInput."""
    if name not in world.services:
        raise BadInput(f"There is no service {name!r} here.")
    return world.services[name]


def person_at(world: World, email: str) -> Person:
    """Who has this address. Raises BadInput."""
    person = world.person(email)
    if person is None:
        raise BadInput(f"Nobody in world {world.name!r} has the address {email!r}.")
    return person


@contextmanager
def by_harness(
    request: Request, route: str, *, service: str | None = None, person: str | None = None
) -> Iterator[None]:
    """What is written inside is in the world's log as a request of the harness; nothing is, if it raises."""
    world: World = request.state.world
    record = RequestRecord(
        kind="harness", person=person, service=service, method="POST", host=request.headers.get("host", ""),
        path=request.url.path, route=f"POST /worlds/{{name}}/{route}", status=303,
    )  # fmt: skip
    with acting(record):
        yield
    world.log.finish(record)
