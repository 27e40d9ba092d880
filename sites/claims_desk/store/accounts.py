"""Log-ins at the desk: a password, then a code from an authenticator or from a mail."""

from __future__ import annotations

import re

from fakes.core import auth
from fakes.core.people import Person
from fakes.core.world import World
from sites.claims_desk.errors import LockedOut, WrongLogIn
from sites.claims_desk.schema import Operator, Tenant
from sites.claims_desk.store import SERVICE
from sites.claims_desk.store.mailing import mail

_SPACING = re.compile(r"[\s\-\u2010-\u2015]+")
_WRONG = "That address and password do not open the desk. Check both and try again."


def operator_of(world: World, person: Person | str) -> Operator | None:
    """The log-in of a person (or of the person with this id), unless it was disabled."""
    person_id = person if isinstance(person, str) else person.id
    return world.one(Operator, "WHERE person_id = ? AND disabled_at IS NULL ORDER BY seq", (person_id,))


def operators(world: World) -> list[Operator]:
    """Every log-in that works, oldest first."""
    return world.all(Operator, "WHERE disabled_at IS NULL ORDER BY seq")


def tenant_with(world: World, tenant_id: str) -> Tenant:
    """The tenant with this id; every row of the desk has one."""
    found = world.get(Tenant, tenant_id)
    assert found is not None, f"a row names the tenant {tenant_id!r}, which does not exist"
    return found


def tenant(world: World, me: Operator) -> Tenant:
    """The employer whose claims this operator handles."""
    return tenant_with(world, me.tenant_id)


def begin_log_in(world: World, email: str, password: str) -> Operator:
    """Checks the first factor. Raises WrongLogIn, LockedOut; a failure counts for the lock-out."""
    account = email.strip()[:254]
    _refuse_if_locked(world, account)
    person = auth.check_password(world, account, password)
    found = operator_of(world, person) if person else None
    if found is None:
        _failed(world, account)
        raise WrongLogIn(_WRONG)
    return found


def send_mailed_code(world: World, operator: Operator) -> str:
    """Mails a fresh code to the operator; returns the Message-ID. Raises MailNotTaken, LockedOut."""
    _refuse_if_locked(world, operator.email)
    employer = tenant(world, operator)
    with world.tx():
        code = auth.new_code(world, SERVICE, _person(world, operator), "email")
        text = (
            f"Your code for the claims desk is {code}\n\n"
            "It works once, for ten minutes. If you are not logging in, tell whoever runs your desk.\n"
        )
        return mail(world, employer, operator.email, f"Your code for the {employer.name} claims desk", text)


def check_second_factor(world: World, operator: Operator, code: str) -> bool:
    """Whether the code is right: the newest mailed one or, for those who have one, the authenticator's.

    Authenticators show their code in groups, so blanks and hyphens between digits do not count.
    Raises LockedOut; a failure counts for it.
    """
    _refuse_if_locked(world, operator.email)
    person = _person(world, operator)
    digits = _SPACING.sub("", code)
    right = auth.use_code(world, SERVICE, person, digits)
    if not right and operator.second_factor == "totp":
        right = auth.totp_is_right(world, person, digits)
    if right:
        auth.note_success(world, SERVICE, operator.email)
    else:
        _failed(world, operator.email)
    return right


def _person(world: World, operator: Operator) -> Person:
    person = world.get(Person, operator.person_id)
    assert person is not None, f"operator {operator.id!r} is nobody of this world"
    return person


def _refuse_if_locked(world: World, account: str) -> None:
    until = auth.locked_until(world, SERVICE, account)
    if until is not None:
        raise LockedOut(until)


def _failed(world: World, account: str) -> None:
    until = auth.note_failure(world, SERVICE, account)
    if until is not None:
        raise LockedOut(until)
