from __future__ import annotations

import pytest

from fakes.core import auth, people
from fakes.core.world import World
from sites.claims_desk import service
from sites.claims_desk.errors import LockedOut, WrongLogIn
from sites.claims_desk.schema import Operator
from sites.claims_desk.store import accounts
from tests.sites.claims_desk.conftest import Facts, mails


def code_for(world: World, email: str) -> str:
    """The code in the newest mail to this address."""
    text = mails(world, email)[-1].text
    return text.split(" is ")[1].split()[0]


def test_the_right_password_begins_a_log_in(world: World, facts: Facts, me: Operator) -> None:
    begun = accounts.begin_log_in(
        world, " Mira@Harborlight.example ", people.password(world, facts.mira.email)
    )
    assert begun == me


@pytest.mark.parametrize("email", ["mira@harborlight.example", "nobody@harborlight.example", ""])
def test_a_wrong_password_and_an_unknown_address_are_refused_alike(world: World, email: str) -> None:
    with pytest.raises(WrongLogIn) as refused:
        accounts.begin_log_in(world, email, "wrong")
    assert (
        refused.value.sentence == "That address and password do not open the desk. Check both and try again."
    )


def test_a_person_without_a_log_in_is_refused_like_a_wrong_password(world: World, facts: Facts) -> None:
    with pytest.raises(WrongLogIn):
        accounts.begin_log_in(world, facts.visitor.email, people.password(world, facts.visitor.email))


def test_the_authenticators_code_completes_a_log_in(world: World, facts: Facts, me: Operator) -> None:
    assert accounts.check_second_factor(world, me, auth.totp_now(world, facts.mira))
    assert not accounts.check_second_factor(world, me, "000000")


@pytest.mark.parametrize("gap", [" ", "-", "\N{NO-BREAK SPACE}", "\N{EN DASH}", " - "])
def test_a_code_may_be_typed_in_groups(world: World, facts: Facts, me: Operator, gap: str) -> None:
    code = auth.totp_now(world, facts.mira)
    assert accounts.check_second_factor(world, me, f" {code[:3]}{gap}{code[3:]}\n")


def test_the_mailed_code_arrives_and_works_once(world: World, desk_jonas: Operator) -> None:
    accounts.send_mailed_code(world, desk_jonas)
    code = code_for(world, desk_jonas.email)
    assert accounts.check_second_factor(world, desk_jonas, f"{code[:3]} {code[3:]}")
    assert not accounts.check_second_factor(world, desk_jonas, code)


def test_the_mailed_code_expires_by_the_run_clock(world: World, desk_jonas: Operator) -> None:
    accounts.send_mailed_code(world, desk_jonas)
    world.advance(world.now() + auth.CODE_TTL)
    assert not accounts.check_second_factor(world, desk_jonas, code_for(world, desk_jonas.email))


def test_five_wrong_log_ins_lock_until_a_quarter_of_an_hour_is_over(world: World, facts: Facts) -> None:
    password = people.password(world, facts.mira.email)
    for _ in range(4):
        with pytest.raises(WrongLogIn):
            accounts.begin_log_in(world, facts.mira.email, "wrong")
    with pytest.raises(LockedOut) as locked:
        accounts.begin_log_in(world, facts.mira.email, "wrong")
    with pytest.raises(LockedOut):
        accounts.begin_log_in(world, facts.mira.email, password)
    world.advance(locked.value.until)
    assert accounts.begin_log_in(world, facts.mira.email, password).email == facts.mira.email


def test_wrong_codes_lock_the_same_account(world: World, facts: Facts, me: Operator) -> None:
    for _ in range(4):
        assert not accounts.check_second_factor(world, me, "1")
    with pytest.raises(LockedOut):
        accounts.check_second_factor(world, me, "1")
    with pytest.raises(LockedOut):
        accounts.begin_log_in(world, facts.mira.email, people.password(world, facts.mira.email))


def test_a_finished_log_in_forgets_the_failures(world: World, facts: Facts, me: Operator) -> None:
    for _ in range(4):
        accounts.check_second_factor(world, me, "1")
    assert accounts.check_second_factor(world, me, auth.totp_now(world, facts.mira))
    assert not accounts.check_second_factor(world, me, "1")


def test_the_manifest_lists_the_log_ins_with_tenant_and_factor(world: World) -> None:
    assert service.accounts is not None
    assert [(account.email, account.note) for account in service.accounts(world)] == [
        ("mira@harborlight.example", "Harborlight; code from the authenticator"),
        ("jonas@harborlight.example", "Harborlight; code by e-mail"),
        ("olga@cobblestone.example", "Cobblestone Foods; code from the authenticator"),
    ]


@pytest.fixture
def desk_jonas(facts: Facts) -> Operator:
    """The operator whose second factor is a mailed code."""
    return facts.desk.operators[1]
