"""Who may use the mailbox too: invited by mail, and sent away again."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.responses import Response

from fakes.gmail import store
from fakes.gmail.errors import AlreadyExists, GoogleError, InvalidDelegate
from fakes.gmail.schema import Delegate
from fakes.gmail.web.settings.frame import Problems, asked_again, done, show
from fakes.gmail.web.visits import Visit

PATH = "/settings/delegates"
_PROBLEMS: dict[type[GoogleError], str] = {
    InvalidDelegate: "Only other people of your company can use your mailbox: type the address of one.",
    AlreadyExists: "They were invited already.",
}


async def page(visit: Visit) -> Response:
    """Those who may, and those who were asked."""
    return _page(visit)


async def invite(visit: Visit) -> Response:
    """Asks somebody by mail."""
    email = visit.field("email").strip()
    try:
        made = store.invite_delegate(visit.world, visit.person, email)
    except GoogleError as error:
        return _page(visit, {"email": _PROBLEMS.get(type(error), error.message)}, email)
    return done(visit, PATH, "asked", about=made.email)


async def ask_again(visit: Visit) -> Response:
    """Asks by mail once more."""
    return asked_again(visit, PATH, _row(visit))


async def remove(visit: Visit) -> Response:
    """Takes the mailbox away from them."""
    store.remove_delegate(visit.world, _row(visit))
    return done(visit, PATH, "delegate-removed")


def _row(visit: Visit) -> Delegate:
    found = store.delegate_of(visit.world, visit.person.id, visit.request.path_params["email"])
    if found is None:
        raise HTTPException(404)
    return found


def _page(visit: Visit, problems: Problems | None = None, email: str = "") -> Response:
    rows = [(row, visit.world.person(row.email)) for row in store.delegates_of(visit.world, visit.person.id)]
    return show(visit, PATH, "delegates.html", {"rows": rows, "email": email}, problems)
