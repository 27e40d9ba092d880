"""The office: who works at Harborlight, and what a newcomer finds."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from fakes.core.people import Person
from fakes.core.seeding import Base, build_base
from fakes.core.world import Genesis, World, open_world
from fakes.gmail.schema import Message, MessageLabel
from harness.app import BASE_DATE, FIXED_SECRET, discover_services, morning_of
from scenarios.office.people import DOMAIN, Company
from scenarios.office.seed import seed
from sites.claims_desk.schema import Operator

README = Path(__file__).parents[2] / "scenarios" / "office" / "README.md"


def base_at(at_ms: int = morning_of(BASE_DATE), world_seed: int = 1) -> Base:
    genesis = Genesis(world_seed, FIXED_SECRET, at_ms, scenario="office")
    return build_base(discover_services(), genesis, seed)


@pytest.fixture(scope="module")
def base() -> Base:
    return base_at()


@pytest.fixture
def world(base: Base) -> Iterator[World]:
    opened = open_world("office", discover_services(), image=base.image)
    yield opened
    opened.close()


def test_a_dozen_people_work_at_harborlight(base: Base, world: World) -> None:
    staff: Company = base.facts
    assert len(staff.everyone) == 12
    assert world.all(Person, "WHERE email LIKE ? ORDER BY seq", (f"%@{DOMAIN}",)) == list(staff.everyone)


def test_mira_is_the_operator_and_first_on_the_list(base: Base) -> None:
    mira = base.facts.mira
    assert (mira.name, mira.email, mira.seq) == ("Mira Okafor", "mira@harborlight.example", 1)


def test_everyone_has_a_title_and_an_address_of_their_own(base: Base) -> None:
    staff = base.facts.everyone
    assert all(person.title for person in staff)
    assert len({person.email for person in staff}) == len({person.name for person in staff}) == 12


def test_everyone_has_mail(base: Base, world: World) -> None:
    for person in base.facts.everyone:
        assert world.count(Message, "WHERE owner = ?", (person.id,)) > 0, person.email


def test_mira_has_read_and_unread_mail_and_nothing_from_later_than_now(base: Base, world: World) -> None:
    mira = base.facts.mira
    unread = world.count(MessageLabel, "WHERE owner = ? AND label = 'UNREAD'", (mira.id,))
    assert 0 < unread < world.count(Message, "WHERE owner = ?", (mira.id,))
    assert world.count(Message, "WHERE received_at > ?", (world.now(),)) == 0


def test_answers_lie_in_the_thread_that_they_answer(base: Base, world: World) -> None:
    tail = "WHERE owner = ? AND subject LIKE '%Two trucks%'"
    asked, answered = world.all(Message, tail, (base.facts.mira.id,))
    assert asked.thread_id == answered.thread_id


def test_mira_and_nadia_work_at_the_claims_desk(world: World) -> None:
    emails = [operator.email for operator in world.all(Operator, "ORDER BY seq")]
    assert emails[:2] == ["mira@harborlight.example", "nadia@harborlight.example"]


def test_the_same_seed_makes_the_same_office(base: Base) -> None:
    assert base_at().pristine_hash == base.pristine_hash


@pytest.mark.parametrize("day", ["2024-02-29", "2025-03-09", "2025-11-02", "2025-12-31", "2027-05-01"])
def test_it_can_be_seeded_on_odd_days(day: str) -> None:
    assert base_at(morning_of(date.fromisoformat(day))).pristine_hash


def test_a_world_with_no_services_has_the_people_alone() -> None:
    genesis = Genesis(1, FIXED_SECRET, morning_of(BASE_DATE), scenario="office")
    assert len(build_base({}, genesis, seed).facts.everyone) == 12


def test_the_readme_lists_everybody_who_can_log_in(world: World) -> None:
    text = README.read_text()
    for person in world.all(Person):
        assert f"| {person.name} | {person.email} | {person.title} |" in text
