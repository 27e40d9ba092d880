"""The office: who works at Harborlight, and what a newcomer finds."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest

from fakes.core.capabilities import OutgoingMail
from fakes.core.people import Person
from fakes.core.seeding import Base, build_base
from fakes.core.world import Genesis, World, open_world
from fakes.gmail import store
from fakes.gmail.schema import Message, MessageLabel, Settings, UserLabel
from harness.app import BASE_DATE, FIXED_SECRET, discover_services, morning_of
from scenarios.office.notices import ROADWATCH, SATURDAY, STREAMS, notices
from scenarios.office.people import DOMAIN, Company
from scenarios.office.seed import seed
from scenarios.office.threads import THREADS
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


def subjects_labelled(world: World, person: Person, label: str) -> set[str]:
    """The subjects of what a person has under a label, by its id or its name."""
    own = world.one(UserLabel, "WHERE owner = ? AND name = ?", (person.id, label))
    tail = "WHERE owner = ? AND label = ?"
    found = world.all(MessageLabel, tail, (person.id, own.id if own is not None else label))
    rows = [world.get(Message, row.message_id) for row in found]
    return {row.subject for row in rows if row is not None}


def test_mail_came_in_all_six_weeks(base: Base, world: World) -> None:
    weeks = {(world.now() - row.received_at) // (7 * 86_400_000) for row in world.all(Message)}
    assert weeks >= set(range(6))


def test_a_conversation_is_one_thread_in_each_mailbox(world: World) -> None:
    for subject, lines in THREADS:
        found = world.all(Message, "WHERE subject IN (?, ?)", (subject, f"Re: {subject}"))
        assert len({row.rfc822_id for row in found}) == len(lines), subject
        assert len({row.thread_id for row in found}) == len({row.owner for row in found}), subject


@pytest.mark.parametrize("after", range(7))
def test_each_stream_writes_on_workdays_before_today_whatever_day_it_is(after: int) -> None:
    today = BASE_DATE + timedelta(days=after)
    for stream in STREAMS:
        days = [notice.day for notice in notices(stream, today)]
        assert len(days) >= 3, stream.name
        assert days == sorted(set(days)), stream.name
        assert all(day.weekday() < SATURDAY and day < today for day in days), stream.name


def test_every_stream_is_in_the_mailboxes(world: World) -> None:
    assert {stream.sender for stream in STREAMS} <= {row.sender for row in world.all(Message)}


def test_mira_has_starred_filed_and_begun_some(base: Base, world: World) -> None:
    mira = base.facts.mira
    assert len(subjects_labelled(world, mira, "STARRED")) == 2
    assert "Dock 3" in subjects_labelled(world, mira, "Dock 3")
    assert "Re: Renewal: Brightwater Foods" in subjects_labelled(world, mira, "Customers/Brightwater")
    assert subjects_labelled(world, mira, "DRAFT") == {"Saturdays, if Brightwater signs"}


def test_miras_vacation_answer_is_written_and_off(base: Base, world: World) -> None:
    settings = world.get(Settings, base.facts.mira.id)
    assert settings is not None and settings.vacation_text
    assert not settings.vacation_enabled


def test_a_filter_keeps_daily_reports_out_of_jonas_inbox(base: Base, world: World) -> None:
    jonas = base.facts.jonas
    inbox = subjects_labelled(world, jonas, "INBOX")
    assert not {subject for subject in inbox if "daily report" in subject}
    assert any("tyre pressure" in subject for subject in inbox)
    report = OutgoingMail(ROADWATCH, (jonas.email,), "HL-03: daily report", "No faults.")
    store.deliver(world, report)
    assert subjects_labelled(world, jonas, "INBOX") == inbox


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
