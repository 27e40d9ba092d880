from __future__ import annotations

from datetime import date
from zoneinfo import ZoneInfo

import httpx

from fakes.core.clock import instant
from fakes.core.people import Person
from fakes.core.world import World
from fakes.gmail import store
from fakes.gmail.schema import Message, Settings
from tests.fakes.gmail.town import Cast, raw
from tests.fakes.gmail.web.forms import post

AWAY = {"enabled": "on", "first": "2025-10-21", "last": "2025-10-24", "subject": "Away", "text": "Back soon."}


def _settings(world: World, cast: Cast) -> Settings:
    return store.settings_of(world, cast.mira.id)


def _answers(world: World, person: Person) -> int:
    return world.count(Message, "WHERE owner = ? AND subject LIKE 'Away%'", (person.id,))


async def test_days_are_those_of_the_persons_zone_and_the_last_one_is_whole(
    mira: httpx.AsyncClient, world: World, cast: Cast
) -> None:
    answer = await post(mira, "/settings/vacation", **AWAY, domain_only="1")
    page = (await mira.get(answer.headers["location"])).text
    assert 'value="2025-10-21"' in page and 'value="2025-10-24"' in page
    assert "You are away until Fri 24 Oct 2025" in page and "people at harborlight.example" in page
    row, zone = _settings(world, cast), ZoneInfo(cast.mira.zone)
    assert row.vacation_start_at == instant(date(2025, 10, 21), "00:00", zone)
    assert row.vacation_end_at == instant(date(2025, 10, 25), "00:00", zone)
    assert (row.vacation_text, row.vacation_html, row.vacation_domain_only) == ("Back soon.", "", True)
    assert "On from Tue 21 Oct 2025 to Fri 24 Oct 2025." in (await mira.get("/settings")).text


async def test_who_writes_is_answered_until_the_banner_ends_it(
    mira: httpx.AsyncClient, world: World, cast: Cast
) -> None:
    await post(mira, "/settings/vacation", **AWAY)
    store.send(world, cast.tom, raw("Hi", To=cast.mira.email, Subject="One"))
    assert _answers(world, cast.tom) == 1
    answer = await post(mira, "/settings/vacation/end", back="/sent")
    assert answer.headers["location"] == "/sent?notice=back"
    page = (await mira.get("/sent?notice=back")).text
    assert "You are back" in page and "End now" not in page
    store.send(world, cast.lena, raw("Hi", To=cast.mira.email, Subject="Two"))
    row = _settings(world, cast)
    assert _answers(world, cast.lena) == 0
    assert (row.vacation_enabled, row.vacation_text, row.vacation_subject) == (False, "Back soon.", "Away")


async def test_there_is_no_banner_before_the_first_day(mira: httpx.AsyncClient, world: World) -> None:
    await post(mira, "/settings/vacation", **{**AWAY, "first": "2025-10-23"})
    assert "You are away" not in (await mira.get("/")).text


async def test_a_rich_message_is_kept_in_both_forms(
    mira: httpx.AsyncClient, world: World, cast: Cast
) -> None:
    rich = {"format": "html", "html": "I am <b>away</b>.", "text": "", "last": "", "contacts_only": "1"}
    await post(mira, "/settings/vacation", **{**AWAY, **rich})
    row = _settings(world, cast)
    assert (row.vacation_html, row.vacation_text) == ("I am <b>away</b>.", "I am away.")
    assert row.vacation_end_at is None and row.vacation_contacts_only


async def test_instants_that_a_program_set_stay_while_their_days_do(
    mira: httpx.AsyncClient, world: World, cast: Cast
) -> None:
    begin = world.now() - 1234
    store.set_vacation(
        world, cast.mira.id, enabled=True, subject="Away", text="x", html="", contacts_only=False,
        domain_only=False, start_at=begin, end_at=begin + 3_600_000,
    )  # fmt: skip
    await post(mira, "/settings/vacation", **{**AWAY, "last": "2025-10-21"})
    row = _settings(world, cast)
    assert (row.vacation_start_at, row.vacation_end_at) == (begin, begin + 3_600_000)


async def test_what_is_wrong_is_told_beside_its_field(mira: httpx.AsyncClient, world: World) -> None:
    wrong = (
        ({"first": "soon"}, "first"),
        ({"first": ""}, "first"),
        ({"last": "2025-13-01"}, "last"),
        ({"last": "2025-10-20"}, "last"),
        ({"last": "9999-12-31"}, "last"),
        ({"subject": " ", "text": " "}, "message"),
    )
    before = world.journal.head()
    for change, field in wrong:
        answer = await post(mira, "/settings/vacation", **{**AWAY, **change})
        assert answer.status_code == 400 and f'id="problem-{field}"' in answer.text, change
    assert world.journal.head() == before
