"""What the desk asks a manager about a separation: question sets per state and category.

A set is the category's general questions plus what the state wants to know beyond them. Pennsylvania's sets
end with a question on relief of charges because there relief is requested on a form of its own (UC-44FR),
separately from the answer on eligibility; New York decides both on the one protest, so its sets do not ask.
The wording is ours.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from sites.claims_desk.rules.errors import UnknownCategory
from sites.claims_desk.rules.states import state_name

Kind = Literal["text", "date", "yes_no"]
Category = Literal["discharge_misconduct", "voluntary_quit", "lack_of_work"]

CATEGORIES: Final[tuple[Category, ...]] = ("discharge_misconduct", "voluntary_quit", "lack_of_work")


@dataclass(frozen=True)
class Question:
    """One question. `code` never changes once published: answers are kept under it."""

    code: str
    text: str
    kind: Kind


_MISCONDUCT: Final = (
    Question("last_day_worked", "What was the last day on which the employee worked?", "date"),
    Question("final_incident_date", "On what date was the incident that led to the discharge?", "date"),
    Question("final_incident", "What happened? Say who did what, where, and who saw it.", "text"),
    Question("rule_broken", "Which rule or instruction did the employee break?", "text"),
    Question("rule_known", "Had the employee been told of that rule in writing?", "yes_no"),
    Question("prior_warnings", "Which warnings were given before, on which dates, and for what?", "text"),
    Question("employee_explanation", "What did the employee say about the incident?", "text"),
    Question("discharged_by", "Who told the employee of the discharge, and in what words?", "text"),
)

_MISCONDUCT_CLOSER: Final = (
    Question("harm_done", "What harm did the incident do, or could it have done, to the business?", "text"),
    Question("same_treatment", "Have others been discharged for the same conduct?", "yes_no"),
)

_QUIT: Final = (
    Question("last_day_worked", "What was the last day on which the employee worked?", "date"),
    Question("notice_given_on", "On what date did the employee say that he or she was leaving?", "date"),
    Question("reason_given", "What reason did the employee give for leaving?", "text"),
    Question("work_was_available", "Would work have been available had the employee stayed?", "yes_no"),
    Question("complaint_before", "What had the employee complained of, and what was done about it?", "text"),
    Question("terms_changed", "Had pay, hours, place or duties been changed, and when?", "text"),
    Question("resignation_in_writing", "Is there a resignation in writing?", "yes_no"),
)

_QUIT_CLOSER: Final = (
    Question("leave_offered", "Was a leave or a transfer offered, and what was the answer?", "text"),
)

_LACK_OF_WORK: Final = (
    Question("last_day_worked", "What was the last day on which the employee worked?", "date"),
    Question("why_no_work", "Why was there no more work for the employee?", "text"),
    Question("return_date_known", "Has the employee been given a date to return?", "yes_no"),
    Question("return_date", "If so, which date? If not, when will that be looked at again?", "date"),
    Question("pay_after_last_day", "What was paid beyond that day (severance, vacation)?", "text"),
    Question("other_work_offered", "Was other work offered, and what was the answer?", "text"),
)

_RELIEF_OF_CHARGES: Final = Question(
    "relief_of_charges",
    "Is relief of charges to be requested for this claim? In Pennsylvania that is filed separately, on Form "
    "UC-44FR.",
    "yes_no",
)

_GENERAL: Final[dict[Category, tuple[Question, ...]]] = {
    "discharge_misconduct": _MISCONDUCT,
    "voluntary_quit": _QUIT,
    "lack_of_work": _LACK_OF_WORK,
}

_OF_A_STATE: Final[dict[tuple[str, Category], tuple[Question, ...]]] = {
    ("NY", "discharge_misconduct"): (*_MISCONDUCT, *_MISCONDUCT_CLOSER),
    ("NY", "voluntary_quit"): (*_QUIT, *_QUIT_CLOSER),
    ("PA", "discharge_misconduct"): (*_MISCONDUCT, *_MISCONDUCT_CLOSER, _RELIEF_OF_CHARGES),
    ("PA", "voluntary_quit"): (*_QUIT, *_QUIT_CLOSER, _RELIEF_OF_CHARGES),
}


def category(text: str) -> Category:
    """`text` as a category; raises `UnknownCategory`."""
    for known in CATEGORIES:
        if known == text:
            return known
    raise UnknownCategory(text, CATEGORIES)


def question_set(state: str, category_name: str) -> tuple[Question, ...]:
    """The whole set, in the order of asking; states without a set of their own get the general one.

    Raises `UnknownState` for what is no state at all, `UnknownCategory` for a category without questions.
    """
    state_name(state)
    kept = category(category_name)
    return _OF_A_STATE.get((state, kept), _GENERAL[kept])
