"""Who looks at a mailbox: sessions, the log-in, and what every page of a signed-in person shows."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from fakes.core import auth
from fakes.core.auth import Session
from fakes.core.forms import is_own_form, local_path
from fakes.core.people import Person
from fakes.core.ui import Pages
from fakes.core.ui.filters import instant
from fakes.core.world import World
from fakes.gmail import store
from fakes.gmail.rules.labels import INBOX, SENT

SERVICE = "gmail"
FOLDERS = {"inbox": ("Inbox", INBOX, "/", "inbox"), "sent": ("Sent", SENT, "/sent", "send")}
"""Title, label, path and icon of each folder."""
_NOTICES = {"sent": "Message sent."}
_FOREIGN = "This log-in did not come from Postbox's own page. Type it here."
pages = Pages("fakes.gmail")
_COLORS = 8

Form = dict[str, str]


def color(address: str) -> int:
    """Which of the style sheet's colours stands for an address."""
    return sum(address.encode()) % _COLORS


pages.env.filters["color"] = color


@dataclass(frozen=True)
class Visit:
    """A request of somebody who is signed in; `form` holds what a form sent and is empty unless one was."""

    request: Request
    world: World
    person: Person
    session: Session
    form: Form

    @property
    def zone(self) -> ZoneInfo:
        """The person's zone."""
        return ZoneInfo(self.person.zone)

    def query(self, name: str) -> str:
        """A parameter of the query."""
        return self.request.query_params.get(name, "")

    def field(self, name: str) -> str:
        """A field of the form."""
        return self.form.get(name, "")

    def page(self, template: str, context: Mapping[str, object], status: int = 200) -> Response:
        """A page with the folders beside it; its flash is what `?notice=` names."""
        unread = store.unread_count(self.world, self.person.id, INBOX)
        shared: dict[str, Any] = {
            "person": self.person,
            "unread": unread,
            "folders": FOLDERS,
            "folder": "",
            "query": "",
            "problem": "",
            "flash": _NOTICES.get(self.query("notice"), ""),
        }
        return pages.response(self.request, template, status, **{**shared, **context})


Page = Callable[[Visit], Awaitable[Response]]
Endpoint = Callable[[Request], Awaitable[Response]]


def signed_in(page: Page) -> Endpoint:
    """The endpoint of a page for signed-in people: others are sent to log in, forms need their token."""

    async def endpoint(request: Request) -> Response:
        world: World = request.state.world
        session = auth.session_of(request, SERVICE)
        person = world.get(Person, session.person_id) if session else None
        if session is None or person is None:
            return _to_sign_in(request)
        request.state.csrf = auth.csrf(world, session)
        form: Form = {}
        if request.method == "POST":
            form = await _sent(request)
            if not auth.csrf_is_right(world, session, form.get("csrf", "")):
                raise HTTPException(403)
        return await page(Visit(request, world, person, session, form))

    return endpoint


async def _sent(request: Request) -> Form:
    """A form's fields as text that can be stored: a charset that a form names may make what is none.

    Raises HTTPException 400 for bytes that are no text.
    """
    try:
        async with request.form() as form:
            texts = {name: value for name, value in form.items() if isinstance(value, str)}
    except (UnicodeError, LookupError):
        raise HTTPException(400) from None
    return {name: value.encode("utf-8", "replace").decode() for name, value in texts.items()}


def redirect(request: Request, path: str) -> Response:
    """Sends the browser to another page of this service."""
    return RedirectResponse(request.scope.get("root_path", "") + path, 303)


def _to_sign_in(request: Request) -> Response:
    path = request.url.path.removeprefix(request.scope.get("root_path", ""))
    wanted = f"{path}?{request.url.query}" if request.url.query else path
    query = "?" + urlencode({"next": wanted}) if request.method == "GET" and wanted != "/" else ""
    return redirect(request, f"/sign-in{query}")


async def sign_in_page(request: Request) -> Response:
    """The log-in form."""
    return _form(request, 200, wanted=request.query_params.get("next", "/"))


async def sign_in(request: Request) -> Response:
    """Checks address and password; the fifth wrong one in a row locks the account for a while."""
    world: World = request.state.world
    form = await _sent(request)
    account, password, wanted = (form.get(name, "") for name in ("email", "password", "next"))
    account = account.strip()
    if not is_own_form(request):
        return _form(request, 403, wanted=wanted, email=account, problem=_FOREIGN)
    until = auth.locked_until(world, SERVICE, account)
    person = auth.check_password(world, account, password) if until is None else None
    if person is None:
        until = until or auth.note_failure(world, SERVICE, account)
        problem = "That address and password do not belong together."
        if until is not None:
            problem = f"Too many wrong passwords. Try again after {instant(until, world.zone)}."
        return _form(request, 429 if until else 401, wanted=wanted, email=account, problem=problem)
    with world.tx():
        auth.note_success(world, SERVICE, account)
        _, cookie = auth.start_session(world, SERVICE, person)
    response = redirect(request, local_path(wanted))
    auth.set_cookie(response, request, SERVICE, cookie)
    return response


def _form(request: Request, status: int, *, wanted: str, email: str = "", problem: str = "") -> Response:
    return pages.response(
        request, "sign_in.html", status, next=local_path(wanted), email=email, problem=problem
    )


async def sign_out(visit: Visit) -> Response:
    """Ends the session."""
    auth.end_session(visit.world, visit.session)
    response = redirect(visit.request, "/sign-in")
    auth.clear_cookie(response, visit.request, SERVICE)
    return response
