"""Logging in: a password, then a code from an authenticator or from a mail; and logging out."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from fakes.core import auth
from fakes.core.auth import Session
from fakes.core.forms import is_own_form, local_path
from fakes.core.people import Person
from fakes.core.service import route
from fakes.core.ui.filters import instant
from fakes.core.world import World
from sites.claims_desk.access import check_csrf
from sites.claims_desk.errors import CsrfFailed, DeskError, LockedOut, WrongLogIn
from sites.claims_desk.schema import Operator
from sites.claims_desk.store import SERVICE, accounts
from sites.claims_desk.web.frame import Typed, Visit, form_of, go, pages, signed_in

_WRONG_CODE = "That code is not right, or it was used already. Type the newest one."


def routes() -> list[BaseRoute]:
    """The routes of this module."""
    return [
        route("GET", "/login", log_in_page),
        route("POST", "/login", log_in),
        route("GET", "/login/code", code_page),
        route("POST", "/login/code", code),
        route("POST", "/logout", log_out),
    ]


# the password


async def log_in_page(request: Request) -> Response:
    """Asks for address and password; whoever is in already goes on."""
    onward = local_path(request.query_params.get("next", "/"))
    if auth.session_of(request, SERVICE):
        return go(request, onward)
    return _log_in_page(
        request, 200, onward, said="You are logged out." if "out" in request.query_params else ""
    )


async def log_in(request: Request) -> Response:
    """Checks address and password, and asks for the second factor."""
    form = await form_of(request)
    onward, email = local_path(form.get("next", "/")), form.get("email", "").strip()
    world: World = request.state.world
    try:
        _refuse_foreign_form(request)
        operator = accounts.begin_log_in(world, email, form.get("password", ""))
        with world.tx():  # no code goes out without the session that takes it
            said = _first_code(world, operator)
            _, cookie = auth.start_session(world, SERVICE, _person(world, operator), stage="password")
    except DeskError as error:
        problem = _locked(world, error) if isinstance(error, LockedOut) else error.sentence
        locked = isinstance(error, LockedOut)
        return _log_in_page(request, error.status, onward, email=email, problem=problem, locked=locked)
    response = go(request, "/login/code?" + urlencode({"next": onward} | ({"mailed": "1"} if said else {})))
    auth.set_cookie(response, request, SERVICE, cookie)
    return response


def _first_code(world: World, operator: Operator) -> bool:
    if operator.second_factor != "email":
        return False
    accounts.send_mailed_code(world, operator)
    return True


def _refuse_foreign_form(request: Request) -> None:
    """There is no session yet to bind a token to, so the log-in goes by the page that it was sent from."""
    if not is_own_form(request):
        raise CsrfFailed("This log-in did not come from the desk's own page. Type it here.")


def _log_in_page(
    request: Request,
    status: int,
    onward: str,
    *,
    email: str = "",
    problem: str = "",
    locked: bool = False,
    said: str = "",
) -> Response:
    return pages.response(
        request,
        "login.html",
        status,
        next=onward,
        errors={},
        email=email,
        problem=problem,
        locked=locked,
        said=said,
    )


def _locked(world: World, error: LockedOut) -> str:
    return f"Too many wrong log-ins: this account is locked until {instant(error.until, world.zone)}."


# the second factor


@dataclass(frozen=True)
class _HalfIn:
    """Somebody whose password was right."""

    request: Request
    world: World
    session: Session
    operator: Operator

    def page(
        self, form: Typed, status: int = 200, *, mailed: bool, problem: str = "", said: str = ""
    ) -> Response:
        self.request.state.csrf = auth.csrf(self.world, self.session)
        onward = local_path(form.get("next", "/"))
        errors = {"code": problem} if status == 422 else {}
        return pages.response(
            self.request, "code.html", status, operator=self.operator, mailed=mailed, next=onward,
            errors=errors, problem="" if errors else problem, said=said,
        )  # fmt: skip


def _half_in(request: Request) -> _HalfIn | None:
    world: World = request.state.world
    session = auth.session_of(request, SERVICE, stage="password")
    operator = accounts.operator_of(world, session.person_id) if session else None
    return _HalfIn(request, world, session, operator) if session and operator else None


async def code_page(request: Request) -> Response:
    """Asks for the code."""
    half = _half_in(request)
    if half is None:
        return go(request, "/login")
    mailed = half.operator.second_factor == "email"
    said = _mailed_to(half.operator) if mailed and "mailed" in request.query_params else ""
    return half.page(dict(request.query_params), mailed=mailed, said=said)


async def code(request: Request) -> Response:
    """Checks the code, or mails one."""
    half = _half_in(request)
    if half is None:
        return go(request, "/login")
    form = await form_of(request)
    mailed = half.operator.second_factor == "email" or form.get("by") == "email"
    try:
        check_csrf(request, half.session, form.get("csrf"))
        if "send" in form:
            accounts.send_mailed_code(half.world, half.operator)
            return half.page(form, mailed=True, said=_mailed_to(half.operator))
    except LockedOut as error:
        return _start_over(half, error)
    except DeskError as error:
        return half.page(form, error.status, mailed=mailed, problem=error.sentence)
    with half.world.tx():  # a code is used up, and a half session ended, only by what comes of it
        try:
            if accounts.check_second_factor(half.world, half.operator, form.get("code", "")):
                return _let_in(half, local_path(form.get("next", "/")))
        except LockedOut as error:
            return _start_over(half, error)
    return half.page(form, 422, mailed=mailed, problem=_WRONG_CODE)


def _let_in(half: _HalfIn, onward: str) -> Response:
    auth.end_session(half.world, half.session)
    _, cookie = auth.start_session(half.world, SERVICE, _person(half.world, half.operator))
    response = go(half.request, onward)
    auth.set_cookie(response, half.request, SERVICE, cookie)
    return response


def _start_over(half: _HalfIn, locked: LockedOut) -> Response:
    auth.end_session(half.world, half.session)
    problem = _locked(half.world, locked)
    response = _log_in_page(
        half.request, locked.status, "/", email=half.operator.email, problem=problem, locked=True
    )
    auth.clear_cookie(response, half.request, SERVICE)
    return response


def _mailed_to(operator: Operator) -> str:
    return f"A code is on its way to {operator.email}. It works for ten minutes."


def _person(world: World, operator: Operator) -> Person:
    person = world.get(Person, operator.person_id)
    if person is None:
        raise WrongLogIn("This log-in belongs to nobody any more. Ask whoever runs the desk.")
    return person


# out


@signed_in
async def log_out(visit: Visit) -> Response:
    """Ends the session."""
    session = auth.session_of(visit.request, SERVICE)
    if session is not None:
        auth.end_session(visit.world, session)
    response = go(visit.request, "/login?out=1")
    auth.clear_cookie(response, visit.request, SERVICE)
    return response
