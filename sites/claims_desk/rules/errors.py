"""What the rules refuse, one small class per reason.

RulesError
├── UnknownState      a code that no rule table has
├── UnknownType       a notice type that a state has no deadline rule for
├── UnknownCategory   a separation category without questions
├── MissingDate       the date that a rule counts from was not given
├── DateOutOfRange    a year in which unemployment insurance did not or will not print papers
├── DoesNotFit        a value that a fixed-width field of a paper cannot hold
└── UnreadablePaper
    ├── NotAStatement the text is no charge statement
    └── NotANotice    the text is no notice

Every message is a sentence that says what to do next.
"""

from __future__ import annotations

from collections.abc import Iterable


def _listed(known: Iterable[str]) -> str:
    return ", ".join(sorted(known))


class RulesError(ValueError):
    """Something that the rules cannot work with; the message is fit to show to an operator."""


class UnknownState(RulesError):
    """No rule table has this state code."""

    def __init__(self, state: str, known: Iterable[str]) -> None:
        self.state = state
        super().__init__(f"There are no rules for the state {state!r}. Use one of {_listed(known)}.")


class UnknownType(RulesError):
    """The state has no deadline rule for this type of notice."""

    def __init__(self, notice_type: str, known: Iterable[str]) -> None:
        self.notice_type = notice_type
        super().__init__(f"There is no notice type {notice_type!r}. Use one of {_listed(known)}.")


class UnknownCategory(RulesError):
    """No question set is kept for this category."""

    def __init__(self, category: str, known: Iterable[str]) -> None:
        self.category = category
        super().__init__(f"There are no questions for {category!r}. Use one of {_listed(known)}.")


class MissingDate(RulesError):
    """The date that the rule counts from was not given; the rules never put another one in its place."""

    def __init__(self, field: str, sentence: str) -> None:
        self.field = field
        super().__init__(sentence)


class DateOutOfRange(RulesError):
    """A date whose year is most likely a slip of the keyboard."""


class DoesNotFit(RulesError):
    """A paper's fixed-width field cannot hold this value."""

    def __init__(self, field: str, value: object, why: str) -> None:
        self.field = field
        super().__init__(f"The {field} {value!r} cannot be printed: {why}")


class UnreadablePaper(RulesError):
    """The text is not the paper that it was read as."""


class NotAStatement(UnreadablePaper):
    """The text is no charge statement, or one that cannot be read whole."""


class NotANotice(UnreadablePaper):
    """The text is no notice, or one that cannot be read whole."""
