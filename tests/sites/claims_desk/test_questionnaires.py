"""Question sets per state and category."""

from __future__ import annotations

import pytest

from sites.claims_desk.rules import (
    CATEGORIES,
    STATE_NAMES,
    UnknownCategory,
    UnknownState,
    category,
    question_set,
)


def codes(state: str, category_name: str) -> list[str]:
    return [question.code for question in question_set(state, category_name)]


def test_pennsylvania_asks_eleven_questions_about_misconduct() -> None:
    assert len(question_set("PA", "discharge_misconduct")) == 11


def test_new_york_asks_ten() -> None:
    assert len(question_set("NY", "discharge_misconduct")) == 10


def test_the_one_that_new_york_lacks_is_about_relief_of_charges() -> None:
    only_there = set(question_set("PA", "discharge_misconduct")) - set(
        question_set("NY", "discharge_misconduct")
    )
    (question,) = only_there
    assert question.code == "relief_of_charges"
    assert "relief of charges" in question.text and "separately" in question.text


def test_new_york_asks_nothing_that_pennsylvania_does_not() -> None:
    assert codes("PA", "discharge_misconduct")[:10] == codes("NY", "discharge_misconduct")


@pytest.mark.parametrize("name", CATEGORIES)
def test_other_states_share_the_general_set(name: str) -> None:
    assert question_set("OH", name) == question_set("WY", name)


def test_the_general_set_is_neither_of_the_two() -> None:
    assert len(question_set("OH", "discharge_misconduct")) == 8


@pytest.mark.parametrize("name", CATEGORIES)
@pytest.mark.parametrize("state", sorted(STATE_NAMES))
def test_every_set_has_unique_codes_and_whole_questions(state: str, name: str) -> None:
    questions = question_set(state, name)
    assert len(set(codes(state, name))) == len(questions) >= 6
    assert all(q.text.endswith((".", "?")) and q.kind in ("text", "date", "yes_no") for q in questions)


def test_a_code_means_the_same_question_in_every_set() -> None:
    every = {q for state in STATE_NAMES for name in CATEGORIES for q in question_set(state, name)}
    assert len({q.code for q in every}) == len(every)


def test_the_codes_are_those_that_answers_are_kept_under() -> None:
    assert codes("PA", "discharge_misconduct") == [
        "last_day_worked",
        "final_incident_date",
        "final_incident",
        "rule_broken",
        "rule_known",
        "prior_warnings",
        "employee_explanation",
        "discharged_by",
        "harm_done",
        "same_treatment",
        "relief_of_charges",
    ]


def test_an_unknown_category_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownCategory, match="discharge_misconduct, lack_of_work, voluntary_quit"):
        question_set("PA", "retired")


def test_what_is_no_state_is_refused() -> None:
    with pytest.raises(UnknownState):
        question_set("pa", "voluntary_quit")


def test_a_category_is_read_from_text() -> None:
    assert category("lack_of_work") == "lack_of_work"
