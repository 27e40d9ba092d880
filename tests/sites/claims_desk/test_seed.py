from __future__ import annotations

from datetime import date

import pytest

from fakes.core.world import World
from sites.claims_desk import rules
from sites.claims_desk.schema import Claim, Document, FactAnswer, FactQuestion, FactRequest, Notice, Operator
from sites.claims_desk.seed import Desk
from tests.sites.claims_desk.conftest import Facts, base_on, link_in, mails


def test_four_documents_are_seeded_for_harborlight(world: World, desk: Desk) -> None:
    assert world.count(Document, "WHERE tenant_id = ?", (desk.tenant.id,)) == 4


def test_at_least_eight_claims_in_five_states_make_the_console_look_lived_in(
    world: World, me: Operator
) -> None:
    claims = world.all(Claim, "WHERE tenant_id = ?", (me.tenant_id,))
    assert len(claims) >= 8 and len({claim.state for claim in claims}) >= 5


def test_danas_determination_is_not_recorded_and_prints_an_earlier_day(world: World, desk: Desk) -> None:
    printed = desk.printed
    due = rules.compute("NY", "determination", printed.notice_date, printed.mail_date)
    assert printed.printed_due is not None and printed.printed_due < due.date
    assert printed.claimant_name == desk.dana.name and printed.ssn_last4 == desk.dana.ssn_last4
    assert world.one(Notice, "WHERE document_id = ?", (desk.determination.id,)) is None


def test_the_open_questionnaire_was_mailed_to_the_manager_and_nothing_is_answered(
    world: World, facts: Facts
) -> None:
    request = facts.desk.request
    assert world.count(FactQuestion, "WHERE request_id = ?", (request.id,)) == 11
    assert not world.count(FactAnswer, "WHERE request_id = ?", (request.id,))
    assert request.sent_at is not None and request.expires_at is not None and request.expires_at > world.now()
    (mail,) = mails(world, facts.manager.email)
    assert link_in(mail)


def test_no_flag_stands_without_a_reason(world: World) -> None:
    assert not world.count(Notice, "WHERE needs_human AND coalesce(trim(needs_human_reason), '') = ''")


@pytest.mark.parametrize(
    ("day", "zone"),
    [
        (date(2025, 10, 21), "America/New_York"),
        (date(2028, 2, 29), "Asia/Kolkata"),
        (date(2025, 12, 31), "Pacific/Auckland"),
        (date(2026, 3, 8), "America/Los_Angeles"),
        (date(2025, 11, 2), "America/New_York"),
        (date(2026, 1, 1), "Pacific/Kiritimati"),
        (date(2026, 10, 5), "Europe/Berlin"),
        (date(2026, 5, 31), "UTC"),
    ],
)
def test_the_desk_can_be_seeded_on_any_date_in_any_zone(day: date, zone: str) -> None:
    desk: Desk = base_on(day, zone).facts.desk
    assert len(desk.q3_text.encode()) == rules.Q3_BYTE_SIZE
    assert desk.request.status == "sent" and isinstance(desk.request, FactRequest)
    due = rules.compute("NY", "determination", desk.printed.notice_date, desk.printed.mail_date)
    assert desk.printed.printed_due is not None and desk.printed.printed_due < due.date


def test_the_same_seed_gives_the_same_state() -> None:
    assert (
        base_on().pristine_hash == base_on.__wrapped__(date(2025, 10, 21), "America/New_York").pristine_hash
    )
