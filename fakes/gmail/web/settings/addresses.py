"""The addresses that a person writes from: their names, signatures, and which one is the usual."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import Response

from fakes.gmail import store
from fakes.gmail.errors import AlreadyExists, GoogleError, NoEmail, PrimarySendAs, ServerRequired
from fakes.gmail.rules.addresses import is_address
from fakes.gmail.schema import SendAs
from fakes.gmail.web.settings import rich
from fakes.gmail.web.settings.frame import Problems, asked_again, done, show
from fakes.gmail.web.visits import Visit

PATH = "/settings/addresses"
SECURITY = (("starttls", "STARTTLS"), ("ssl", "SSL/TLS"), ("none", "none"))
_PROBLEMS: dict[type[GoogleError], tuple[str, str]] = {
    NoEmail: ("email", "Type a whole address, as in ana@example.com."),
    AlreadyExists: ("email", "This address is there already."),
    ServerRequired: ("host", "Mail from another domain goes through its own server: name it."),
}
_NO_ADDRESS = "Type a whole address, or leave this empty."
_NO_PORT = "The port is a number from 1 to 65535."
_PORT = re.compile("[1-9][0-9]{0,4}")
_TOO_LONG = "That is too long: 200 letters at most."
_LONGEST = 200


@dataclass(frozen=True)
class _Typed:
    """The form's fields."""

    email: str = ""
    name: str = ""
    reply_to: str = ""
    alias: bool = True
    host: str = ""
    port: str = "587"
    username: str = ""
    security: str = "starttls"

    @property
    def columns(self) -> dict[str, Any]:
        """The columns of SendAs that it sets."""
        server: dict[str, Any] = {}
        if self.host:
            server = {"smtp_host": self.host, "smtp_port": int(self.port), "smtp_username": self.username,
                      "smtp_security": self.security}  # fmt: skip
        return {"display_name": self.name, "reply_to": self.reply_to, "treat_as_alias": self.alias, **server}

    @property
    def problems(self) -> Problems:
        """What can't be so."""
        found = {"name": _TOO_LONG} if len(self.name) > _LONGEST else {}
        if self.reply_to and not is_address(self.reply_to):
            found["reply_to"] = _NO_ADDRESS
        if self.host and not (_PORT.fullmatch(self.port) and int(self.port) < 65_536):
            found["port"] = _NO_PORT
        return found


async def list_addresses(visit: Visit) -> Response:
    """All of them, and those that were not confirmed yet."""
    return show(visit, PATH, "addresses.html", {"rows": store.send_as_of(visit.world, visit.person)})


async def new(visit: Visit) -> Response:
    """The form for another one."""
    return _form(visit, None, _Typed(name=visit.person.name), rich.Rich("", ""))


async def add(visit: Visit) -> Response:
    """Adds an address; one that is somebody else's is asked first."""
    typed, signature = _typed(visit), rich.sent(visit, rich.Rich("", ""))
    problems = typed.problems
    if problems:
        return _form(visit, None, typed, signature, problems)
    try:
        columns = {**typed.columns, "signature": _stored(signature)}
        made = store.add_send_as(visit.world, visit.person, typed.email, **columns)
    except GoogleError as error:
        return _form(visit, None, typed, signature, _problem(error))
    if made.verification == "pending":
        return done(visit, PATH, "asked", about=made.email)
    return done(visit, PATH, "address-added")


async def edit(visit: Visit) -> Response:
    """The form that changes an address."""
    row = _row(visit)
    typed = _Typed(
        row.email, row.display_name, row.reply_to, row.treat_as_alias, row.smtp_host,
        str(row.smtp_port or 587), row.smtp_username, row.smtp_security or "starttls",
    )  # fmt: skip
    return _form(visit, row, typed, rich.of(row.signature))


async def change(visit: Visit) -> Response:
    """Changes an address; the address itself stays."""
    row, typed = _row(visit), _typed(visit)
    signature = rich.sent(visit, rich.of(row.signature))
    problems = typed.problems
    if problems:
        return _form(visit, row, typed, signature, problems)
    columns = {**typed.columns, "signature": _stored(signature)}
    if any(getattr(row, name) != value for name, value in columns.items()):
        store.change_send_as(visit.world, visit.person, row, **columns)
    return done(visit, PATH, "saved")


async def make_default(visit: Visit) -> Response:
    """New mail goes out from this address."""
    row = _row(visit)
    if not row.is_default:
        store.change_send_as(visit.world, visit.person, row, is_default=True)
    return done(visit, PATH, "saved")


async def remove(visit: Visit) -> Response:
    """Removes an address; the account's own stays."""
    try:
        store.remove_send_as(visit.world, visit.person, _row(visit))
    except PrimarySendAs:
        raise HTTPException(404) from None
    return done(visit, PATH, "address-removed")


async def ask_again(visit: Visit) -> Response:
    """Asks a pending address by mail once more."""
    return asked_again(visit, PATH, _row(visit))


def _row(visit: Visit) -> SendAs:
    found = store.send_as(visit.world, visit.person, visit.request.path_params["email"])
    if found is None:
        raise HTTPException(404)
    return found


def _typed(visit: Visit) -> _Typed:
    security = visit.field("security")
    return _Typed(
        visit.field("email").strip(),
        " ".join(visit.field("name").split()),
        visit.field("reply_to").strip(),
        bool(visit.field("alias")),
        visit.field("host").strip(),
        visit.field("port").strip() or "587",
        visit.field("username").strip(),
        security if security in dict(SECURITY) else "starttls",
    )


def _stored(signature: rich.Rich) -> str:
    return signature.html or (signature.shown if signature else "")


def _problem(error: GoogleError) -> Problems:
    field, sentence = _PROBLEMS.get(type(error), ("", error.message))
    return {field: sentence}


def _form(
    visit: Visit, row: SendAs | None, typed: _Typed, signature: rich.Rich, problems: Problems | None = None
) -> Response:
    context = {"edited": row, "typed": typed, "rich": signature, "security": SECURITY}
    return show(visit, PATH, "address.html", context, problems)
