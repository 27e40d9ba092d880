"""Whether a filter takes a mail."""

from __future__ import annotations

import pytest

from fakes.gmail.rules.filtering import catches, criteria_text, seen_of
from fakes.gmail.rules.mime import read
from fakes.gmail.schema import Filter
from tests.fakes.gmail.town import raw

ME = "mira@harborlight.example"
MAIL = read(raw("by the harbour", From="Tom <tom@x.example>", To=ME, Subject='The "quarterly" numbers'))


def _filter(**columns: object) -> Filter:
    empty: dict[str, object] = {
        "owner": "per_1", "id": "f", "seq": 1, "sender": "", "recipient": "", "subject": "", "query": "",
        "negated_query": "", "has_attachment": None, "exclude_chats": None, "size": None,
        "size_comparison": "", "add_labels": "STARRED", "remove_labels": "", "forward": "",
    }  # fmt: skip
    return Filter(**{**empty, **columns})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("columns", "caught"),
    [
        ({"sender": "tom OR lena", "recipient": "me"}, True),
        ({"sender": '"unclosed', "subject": "quarterly"}, False),
        ({"subject": "(quarterly", "query": "harbour"}, True),
        ({"query": "subject:numbers -harbour"}, False),
        ({"negated_query": "ship harbour"}, True),
        ({"negated_query": "the harbour"}, False),
        ({"size_comparison": "larger", "size": 0}, True),
        ({"has_attachment": False, "query": "harbour"}, True),
    ],
)
def test_all_criteria_must_hold(columns: dict[str, object], caught: bool) -> None:
    assert catches(_filter(**columns), seen_of(MAIL), ME) is caught


def test_spam_is_filtered_too() -> None:
    assert catches(_filter(sender="tom"), seen_of(MAIL, labels=["SPAM"]), ME)


def test_the_address_that_a_mail_came_to_is_a_criterion() -> None:
    wanted = _filter(query="deliveredto:mira+news@harborlight.example")
    assert catches(wanted, seen_of(MAIL, delivered_to="mira+news@harborlight.example"), ME)
    assert not catches(wanted, seen_of(MAIL, delivered_to=ME), ME)


def test_criteria_read_as_one_search() -> None:
    wanted = _filter(
        sender="tom", subject="report", query="a OR b", negated_query="c", size=5, size_comparison="smaller",
        has_attachment=True,
    )  # fmt: skip
    assert criteria_text(wanted) == "from:(tom) subject:(report) (a OR b) has:attachment smaller:5 -(c)"
