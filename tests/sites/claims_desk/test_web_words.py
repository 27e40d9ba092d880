"""How pages say what rows hold, and what they read out of addresses."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest

from fakes.core.world import World
from sites.claims_desk import rules
from sites.claims_desk.schema import Event, Operator
from sites.claims_desk.store import notices
from sites.claims_desk.web import words
from sites.claims_desk.web.listing import fits

TODAY = date(2025, 10, 21)


@pytest.mark.parametrize(
    ("days", "said", "tone"),
    [
        (-2, "2 days over", "red"),
        (-1, "1 day over", "red"),
        (0, "today", "red"),
        (1, "tomorrow", "red"),
        (3, "3 days left", "red"),
        (4, "4 days left", "amber"),
        (7, "7 days left", "amber"),
        (8, "8 days left", ""),
    ],
)
def test_a_deadline_is_said_in_days(days: int, said: str, tone: str) -> None:
    shown = words.deadline(TODAY + timedelta(days=days), TODAY)
    assert (shown.words, shown.tone, shown.left) == (said, tone, days)


def test_what_is_done_counts_no_days() -> None:
    assert words.deadline(TODAY, TODAY, "Protest filed").words == "Protest filed"
    assert words.deadline(None, TODAY) == words.NO_DEADLINE


def test_days_are_counted_until_a_notice_is_answered_or_protested(world: World, me: Operator) -> None:
    notice = notices.notices(world, me)[0].notice
    assert words.done_words(notice, protested=False) == ""
    assert words.done_words(replace(notice, answered_at=1), protested=False) == "Answered"
    assert words.done_words(notice, protested=True) == "Protest filed"


def test_the_earlier_date_is_the_one_to_keep(world: World, me: Operator) -> None:
    notice = notices.notices(world, me)[0].notice
    early, late = date(2025, 11, 1), date(2025, 11, 9)
    assert words.last_day(replace(notice, due_computed=late, printed_due=early)) == early
    assert words.last_day(replace(notice, due_computed=late, printed_due=None)) == late
    assert words.last_day(replace(notice, due_computed=None, printed_due=None)) is None


@pytest.mark.parametrize(
    ("text", "kind", "said"),
    [
        ("yes", "yes_no", "Yes"),
        ("it depends", "yes_no", "it depends"),
        ("2025-10-21", "date", "Tue 21 Oct 2025"),
        ("last spring", "date", "last spring"),
        (" what happened ", "text", "what happened"),
        (None, "text", ""),
    ],
)
def test_answers_are_said_as_their_question_has_it(text: str | None, kind: str, said: str) -> None:
    assert words.answer_words(text, kind) == said


def test_unknown_codes_are_shown_as_they_stand() -> None:
    assert rules.state_words("XX") == "XX"
    assert rules.type_words("odd") == "odd"
    assert words.status_words("odd") == "odd"
    assert rules.category_words("laid_off") == "Laid off"
    assert rules.category_words(None) == ""


def test_every_code_has_its_words() -> None:
    assert tuple(rules.TYPE_WORDS) == rules.NOTICE_TYPES
    assert tuple(rules.CATEGORY_WORDS) == rules.CATEGORIES


def test_an_event_leads_to_what_it_is_about() -> None:
    event = Event(
        id="evt_1",
        seq=1,
        tenant_id="ten_1",
        at=0,
        actor=None,
        kind="notice.flagged",
        subject_id="ntc_x",
        summary="",
    )
    assert words.subject_path(event) == "/notices/ntc_x"
    assert words.subject_path(replace(event, subject_id="obj_x")) == ""
    assert words.subject_path(replace(event, subject_id=None)) == ""
    assert words.event_icon("notice.flagged") == "flag"
    assert words.event_icon("notice.recorded") == "bell"
    assert words.event_icon("odd") == "activity"


def test_every_word_looked_for_has_to_be_somewhere() -> None:
    assert fits("", None)
    assert fits("whit dana", "Dana Whitfield", None)
    assert not fits("whit marcus", "Dana Whitfield", "NY")
