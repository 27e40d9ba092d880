from __future__ import annotations

import pytest

from fakes.gmail.rules.search import NotSupported, Query, parse

ANY = "{sender recipients subject body}"


def test_words_and_phrases_must_all_be_there() -> None:
    assert parse('lunch "exact phrase"').match == f'{ANY} : "lunch" AND {ANY} : "exact phrase"'


def test_operators_ask_a_column() -> None:
    query = parse('from:ana@x.example to:me subject:"Q3 report"', me="mira@x.example")
    assert query.match == (
        'sender : "ana@x.example" AND recipients : "mira@x.example" AND subject : "Q3 report"'
    )


def test_places_and_states_are_labels() -> None:
    assert parse("in:INBOX is:unread") == Query(labels=("INBOX", "UNREAD"))
    assert parse("is:read") == Query(without=("UNREAD",))
    assert parse("in:anywhere") == Query(anywhere=True)


def test_nothing_is_everything() -> None:
    assert parse("  ") == parse("--") == parse("AND") == Query()


def test_a_colon_alone_makes_no_operator() -> None:
    assert parse("10:30 re:budget").match == f'{ANY} : "10:30" AND {ANY} : "re:budget"'


def test_quotes_stay_inside_their_phrase() -> None:
    assert parse('it"s').match == f'{ANY} : "it" AND {ANY} : "s"'


@pytest.mark.parametrize(
    "text",
    ["a OR b", "{a b}", "(a b)", "-a", '-"a b"', "+a", "a AROUND b", "has:attachment", "label:work",
     "in:work", "is:muted", "newer_than:2d", "after:2025/01/01", "rfc822msgid:<1@x>", "subject: lunch"],
)  # fmt: skip
def test_what_is_not_supported_is_refused_by_name(text: str) -> None:
    with pytest.raises(NotSupported):
        parse(text)
