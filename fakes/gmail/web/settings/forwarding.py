"""Where mail is sent on to: the addresses, all of it or none, and programs that fetch it."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.responses import Response

from fakes.gmail import store
from fakes.gmail.errors import AlreadyExists, GoogleError, InvalidForwardingAddress, NoEmail
from fakes.gmail.schema import ForwardingAddress
from fakes.gmail.web.settings.frame import Problems, asked_again, done, show
from fakes.gmail.web.visits import Visit

PATH = "/settings/forwarding"
DISPOSITIONS = (
    ("leaveInInbox", "keep it in the inbox"),
    ("markRead", "mark it as read"),
    ("archive", "archive it"),
    ("trash", "delete it"),
)
ACCESS = (
    ("disabled", "Off"),
    ("allMail", "On for all mail, that which was fetched already too"),
    ("fromNowOn", "On for mail that comes from now on"),
)
EXPUNGE = (
    ("archive", "archive the message"),
    ("trash", "move the message to the trash"),
    ("deleteForever", "delete the message for ever"),
)
FOLDER_SIZES = (0, 1000, 2000, 5000, 10_000)
_ADDING: dict[type[GoogleError], str] = {
    NoEmail: "Type a whole address, as in ana@example.com.",
    AlreadyExists: "This address is there already.",
    InvalidForwardingAddress: "This is your own address.",
}
_NO_CHOICE = "Choose one of these."
_NO_ADDRESS = "Choose an address that was confirmed."


async def page(visit: Visit) -> Response:
    """All of it."""
    return _page(visit)


async def add(visit: Visit) -> Response:
    """Adds an address; one outside of the company's domain is asked first."""
    email = visit.field("email").strip()
    try:
        made = store.add_forwarding_address(visit.world, visit.person, email)
    except GoogleError as error:
        return _page(visit, {"email": _ADDING.get(type(error), error.message)}, email=email)
    if made.verification == "pending":
        return done(visit, PATH, "asked", about=made.email)
    return done(visit, PATH, "address-added")


async def remove(visit: Visit) -> Response:
    """Removes an address, and what was set to forward there."""
    store.remove_forwarding_address(visit.world, _row(visit))
    return done(visit, PATH, "address-removed")


async def ask_again(visit: Visit) -> Response:
    """Asks a pending address by mail once more."""
    return asked_again(visit, PATH, _row(visit))


async def set_auto(visit: Visit) -> Response:
    """Has all mail sent on, or none."""
    enabled, disposition = visit.field("enabled") == "on", visit.field("disposition")
    email = visit.field("to")
    if disposition not in dict(DISPOSITIONS):
        return _page(visit, {"disposition": _NO_CHOICE})
    try:
        store.set_auto_forwarding(
            visit.world, visit.person.id, enabled=enabled, email=email, disposition=disposition
        )  # fmt: skip
    except InvalidForwardingAddress:
        return _page(visit, {"to": _NO_ADDRESS})
    return done(visit, PATH, "saved")


async def set_clients(visit: Visit) -> Response:
    """POP and IMAP: kept and told; nothing here speaks them."""
    size = visit.field("folder_size")
    wanted = {
        "pop_access_window": visit.field("pop"),
        "pop_disposition": visit.field("pop_disposition"),
        "imap_enabled": visit.field("imap") == "on",
        "imap_auto_expunge": visit.field("auto_expunge") == "on",
        "imap_expunge_behavior": visit.field("expunge"),
        "imap_max_folder_size": int(size) if size in map(str, FOLDER_SIZES) else -1,
    }
    choices = (
        ("pop", ACCESS, "pop_access_window"), ("pop_disposition", DISPOSITIONS, "pop_disposition"),
        ("expunge", EXPUNGE, "imap_expunge_behavior"),
    )  # fmt: skip
    problems = {field: _NO_CHOICE for field, known, name in choices if wanted[name] not in dict(known)}
    if wanted["imap_max_folder_size"] == -1:
        problems["folder_size"] = _NO_CHOICE
    if problems:
        return _page(visit, problems)
    store.change_settings(visit.world, visit.person.id, **wanted)
    return done(visit, PATH, "saved")


def _row(visit: Visit) -> ForwardingAddress:
    email = visit.request.path_params["email"]
    found = store.forwarding_address(visit.world, visit.person.id, email)
    if found is None:
        raise HTTPException(404)
    return found


def _page(visit: Visit, problems: Problems | None = None, email: str = "") -> Response:
    context = {
        "now": store.settings_of(visit.world, visit.person.id),
        "rows": store.forwarding_addresses(visit.world, visit.person.id),
        "email": email,
        "dispositions": DISPOSITIONS,
        "access": ACCESS,
        "expunge": EXPUNGE,
        "folder_sizes": FOLDER_SIZES,
    }
    return show(visit, PATH, "forwarding.html", context, problems)
