"""The addresses that a person writes from: changed, added, verified, removed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fakes.gmail.errors import AlreadyExists, NameTooLong, NoEmail, PrimarySendAs, ServerRequired
from fakes.gmail.rules.addresses import is_address
from fakes.gmail.rules.html import safe
from fakes.gmail.schema import SendAs
from fakes.gmail.store import confirming
from fakes.gmail.store.addresses import ACCEPTED, PENDING, is_ours, owner_of
from fakes.gmail.store.settings import LONGEST_LINE, send_as_of

if TYPE_CHECKING:
    from fakes.core.journal import Tx
    from fakes.core.people import Person
    from fakes.core.world import World


def send_as(world: World, person: Person, email: str) -> SendAs | None:
    """One of the addresses that a person writes from, or may write from once it is verified."""
    wanted = email.strip().lower()
    return next((row for row in send_as_of(world, person) if row.email == wanted), None)


def add_send_as(world: World, person: Person, email: str, **columns: Any) -> SendAs:
    """Adds an address; `columns` are those of SendAs.

    At a domain of this world, what is the person's already or nobody's is accepted at once, as an alias that
    an administrator gave: mail to it comes to them from now on. Anybody else's address, and one at another
    domain, which needs a server (`smtp_host`), is asked by mail first.

    Raises NoEmail, NameTooLong, AlreadyExists, ServerRequired.
    """
    email = email.strip().lower()
    if not is_address(email):
        raise NoEmail()
    if send_as(world, person, email) is not None:
        raise AlreadyExists()
    here = is_ours(world, email)
    if not here and not columns.get("smtp_host"):
        raise ServerRequired()
    verification = ACCEPTED if here and _is_free(world, person, email) else PENDING
    given = {**_DEFAULTS, **_cleaned(columns)}
    given["is_default"] = given["is_default"] and verification == ACCEPTED
    with world.tx() as tx:
        made = SendAs(
            owner=person.id, email=email, seq=tx.seq("gmail_send_as"), is_primary=False,
            verification=verification, **given,
        )  # fmt: skip
        if made.is_default:
            _take_default(tx, world, person)
        tx.insert(made)
        if verification == PENDING:
            confirming.ask(tx, world, person, made)
        return made


_DEFAULTS: dict[str, Any] = {
    "display_name": "", "reply_to": "", "signature": "", "is_default": False, "treat_as_alias": True,
    "smtp_host": "", "smtp_port": 0, "smtp_username": "", "smtp_security": "",
}  # fmt: skip
SEND_AS_DEFAULTS = {name: value for name, value in _DEFAULTS.items() if name != "is_default"}
"""What an update sets where it says nothing."""


def _is_free(world: World, person: Person, email: str) -> bool:
    owner = owner_of(world, email)
    return owner is None or owner.id == person.id


def _cleaned(columns: dict[str, Any]) -> dict[str, Any]:
    """The same, its signature sanitised; out of the sanitiser's bounds it is left out.

    Raises NoEmail, NameTooLong.
    """
    reply_to = columns.get("reply_to", "")
    if reply_to and not is_address(reply_to):
        raise NoEmail()
    if len(columns.get("display_name", "")) > LONGEST_LINE:
        raise NameTooLong()
    signature = columns.get("signature")
    return {**columns, "signature": safe(signature) or ""} if signature else dict(columns)


def change_send_as(world: World, person: Person, row: SendAs, **columns: Any) -> SendAs:
    """Sets columns of an address; one that becomes the default takes that from the one before.

    Raises NoEmail, NameTooLong.
    """
    columns = _cleaned(columns)
    if row.verification == PENDING:
        columns.pop("is_default", None)  # nobody writes from it yet
    if row.is_primary:
        columns = {**columns, "treat_as_alias": False, "smtp_host": "", "smtp_port": 0, "smtp_username": "",
                   "smtp_security": ""}  # fmt: skip
    with world.tx() as tx:
        if columns.get("is_default") and not row.is_default:
            _take_default(tx, world, person)
        if world.get(SendAs, row.owner, row.email) is None:
            tx.insert(row)
        return tx.update(row, **columns) if columns else row


def _take_default(tx: Tx, world: World, person: Person) -> None:
    for row in world.all(SendAs, "WHERE owner = ? AND is_default = 1", (person.id,)):
        tx.update(row, is_default=False)


def remove_send_as(world: World, person: Person, row: SendAs) -> None:
    """Removes an address; if it was the default, the account's own is that again. Raises PrimarySendAs."""
    if row.is_primary:
        raise PrimarySendAs()
    with world.tx() as tx:
        tx.delete(row)
        if row.is_default:
            own = world.get(SendAs, person.id, person.email)
            if own is not None:
                tx.update(own, is_default=True)
