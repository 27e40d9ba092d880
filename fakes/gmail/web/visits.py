"""Who looks at a mailbox: sessions, the log-in, and what every page of a signed-in person shows."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from markupsafe import Markup
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from fakes.core import auth
from fakes.core.auth import Session
from fakes.core.capabilities import Attachment
from fakes.core.forms import is_own_form, local_path
from fakes.core.people import Person
from fakes.core.ui import Pages
from fakes.core.ui.filters import instant
from fakes.core.world import World
from fakes.gmail import store
from fakes.gmail.web import folders, keyboard

SERVICE = "gmail"
_NOTICES = {
    "sent": "Message sent.",
    "too-late": "It was too late to take that back.",
    "unsubscribed": "Unsubscribed.",
    "back": "You are back: nobody gets your answer any more.",
}
_FOREIGN = "This log-in did not come from Postbox's own page. Type it here."
pages = Pages("fakes.gmail")
_COLORS = 8
_MOST_TEXT = 4 * 1024 * 1024
"""Bytes of a field of a form; a message that somebody writes is one."""

Form = dict[str, str]
_PASSING = frozenset(("did", "n", "undo", "about", "notice", "sent", "discarded"))
"""Parameters of a query that say what was just done, not which page it is."""


def color(address: str) -> int:
    """Which of the style sheet's colours stands for an address."""
    return sum(address.encode()) % _COLORS


pages.env.filters["color"] = color
pages.env.globals["shortcut_sheet"] = keyboard.sheet


@lru_cache(maxsize=512)
def _folder_list(root: str, nav: folders.Navigation, folder: str) -> Markup:
    """The folders, drawn again only when they differ: every page holds them. `root` is where links begin."""
    return Markup(pages.env.get_template("_folders.html").render(nav=nav, folder=folder))


pages.env.globals["folder_list"] = _folder_list


@dataclass(frozen=True)
class Visit:
    """A request of somebody who is signed in; `form` holds what a form sent and is empty unless one was, and
    `files` are those that came with it. `fields` are all fields in their order: some come several times.
    """

    request: Request
    world: World
    person: Person
    session: Session
    form: Form
    files: tuple[Attachment, ...] = ()
    fields: tuple[tuple[str, str], ...] = ()

    @property
    def zone(self) -> ZoneInfo:
        """The person's zone."""
        return ZoneInfo(self.person.zone)

    @property
    def path(self) -> str:
        """The page's path in this service."""
        return self.request.url.path.removeprefix(self.request.scope.get("root_path", ""))

    def query(self, name: str) -> str:
        """A parameter of the query."""
        return self.request.query_params.get(name, "")

    def field(self, name: str) -> str:
        """A field of the form."""
        return self.form.get(name, "")

    def every(self, name: str) -> list[str]:
        """All values of a field that are not empty, those of the query first: a button may add to a form."""
        asked = [*self.request.query_params.multi_items(), *self.fields]
        return list(dict.fromkeys(value for key, value in asked if key == name and value))

    @property
    def here(self) -> str:
        """The path and query of the page that is shown, without what says what was just done."""
        kept = [pair for pair in self.request.query_params.multi_items() if pair[0] not in _PASSING]
        return self.path + (f"?{urlencode(kept)}" if kept else "")

    def page(self, template: str, context: Mapping[str, object], status: int = 200) -> Response:
        """A page with the folders beside it; its flash is what `?notice=` names."""
        settings = store.settings_of(self.world, self.person.id)
        shared: dict[str, Any] = {
            "visit": self,
            "person": self.person,
            "nav": folders.navigation(self.world, self.person.id),
            "folder": "",
            "query": "",
            "problem": "",
            "shortcuts_on": settings.shortcuts_on,
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
        files: tuple[Attachment, ...] = ()
        fields: tuple[tuple[str, str], ...] = ()
        if request.method == "POST":
            fields, files = await _sent(request)
            form = dict(fields)
            if not auth.csrf_is_right(world, session, form.get("csrf", "")):
                raise HTTPException(403)
        return await page(Visit(request, world, person, session, form, files, fields))

    return endpoint


async def _sent(request: Request) -> tuple[tuple[tuple[str, str], ...], tuple[Attachment, ...]]:
    """A form's fields as text that can be stored (a charset that a form names may make what is none), and
    its files.

    Raises HTTPException 400 for bytes that are no text.
    """
    try:
        async with request.form(max_part_size=_MOST_TEXT) as form:
            texts = [(name, value) for name, value in form.multi_items() if isinstance(value, str)]
            sent = [value for _, value in form.multi_items() if isinstance(value, UploadFile)]
            files = tuple([await _file(value) for value in sent if value.filename])
    except (UnicodeError, LookupError):
        raise HTTPException(400) from None
    return tuple((name, _storable(value)) for name, value in texts), files


async def _file(sent: UploadFile) -> Attachment:
    """A file of a form; browsers of old sent the path to it as well."""
    name = re.split(r"[/\\]", _storable(sent.filename or ""))[-1]
    return Attachment(name, sent.content_type or "application/octet-stream", await sent.read())


def _storable(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


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
    fields, _ = await _sent(request)
    form = dict(fields)
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
