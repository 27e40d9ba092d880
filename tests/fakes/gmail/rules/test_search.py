"""Searches as trees."""

from __future__ import annotations

from datetime import date
from zoneinfo import ZoneInfo

import pytest

from fakes.gmail.rules.search import Query, parse
from fakes.gmail.rules.search.moments import Ago, Epoch, instant_of
from fakes.gmail.rules.search.nodes import (
    ANYWHERE,
    NOTHING,
    All,
    Any,
    Labelled,
    Named,
    Near,
    Node,
    Not,
    OwnLabels,
    Phrase,
    Received,
    Sized,
    WithId,
)
from fakes.gmail.rules.search.words import words_of

UTC = ZoneInfo("UTC")


def said(*words: str) -> Phrase:
    """Words that may stand anywhere."""
    return Phrase(ANYWHERE, words)


def tree(text: str) -> Node:
    return parse(text, "mira@x.example").tree


def test_words_stand_together_and_phrases_in_order() -> None:
    assert tree('lunch "exact phrase"') == All((said("lunch"), said("exact", "phrase")))


def test_or_binds_closer_than_standing_beside_each_other() -> None:
    assert tree("a b OR c") == All((said("a"), Any((said("b"), said("c")))))
    assert tree("from:ana OR from:bo") == Any(
        (Phrase(("sender",), ("ana",)), Phrase(("sender",), ("bo",)))
    ) == tree("{from:ana from:bo}") == tree("from:{ana bo}") == tree("from:(ana OR bo)")


def test_an_operator_goes_for_all_of_its_brackets() -> None:
    assert tree("subject:(dinner movie)") == All(
        (Phrase(("subject",), ("dinner",)), Phrase(("subject",), ("movie",)))
    )
    assert tree("-subject:(dinner movie)") == Not(tree("subject:(dinner movie)"))


def test_a_minus_turns_round_words_operators_and_groups() -> None:
    assert tree("-lunch") == Not(said("lunch"))
    assert tree("-in:inbox") == Not(Labelled("INBOX"))
    assert tree("-(a b)") == Not(All((said("a"), said("b"))))
    assert tree("half-done") == said("half", "done")


def test_me_is_the_address_of_whoever_asks() -> None:
    assert tree("from:me") == Phrase(("sender",), ("mira", "x", "example"))
    assert tree("subject:me") == Phrase(("subject",), ("me",))


@pytest.mark.parametrize(
    ("text", "node"),
    [
        ("is:unread", Labelled("UNREAD")),
        ("is:read", Not(Labelled("UNREAD"))),
        ("in:INBOX", Labelled("INBOX")),
        ("in:drafts", Labelled("DRAFT")),
        ("is:muted", Labelled("MUTED")),
        ("in:snoozed", Labelled("SNOOZED")),
        ("in:scheduled", Labelled("SCHEDULED")),
        ("category:promotions", Labelled("CATEGORY_PROMOTIONS")),
        ("category:primary", Labelled("CATEGORY_PERSONAL")),
        ("label:work-stuff", Named("work-stuff")),
        ('label:"Work stuff"', Named("Work stuff")),
        ("in:receipts", Named("receipts")),
        ("label:starred", Labelled("STARRED")),
        ("has:attachment", Phrase(("marks",), ("attachment",))),
        ("has:spreadsheet", Phrase(("marks",), ("spreadsheet",))),
        ("has:userlabels", OwnLabels()),
        ("has:nouserlabels", Not(OwnLabels())),
        ("has:yellow-star", Labelled("STARRED")),
        ("has:blue-info", NOTHING),
        ("filename:pdf", Phrase(("files",), ("pdf",))),
        ("filename:report-3.pdf", Phrase(("files",), ("report", "3", "pdf"))),
        ("cc:bo@x.example", Phrase(("cc",), ("bo", "x", "example"))),
        ("bcc:me", Phrase(("bcc",), ("mira", "x", "example"))),
        ("list:news.x.example", Phrase(("list",), ("news", "x", "example"))),
        ("deliveredto:mira@x.example", Phrase(("delivered",), ("mira", "x", "example"))),
        ("rfc822msgid:<1@x>", WithId("<1@x>")),
        ("rfc822msgid:1@x", WithId("<1@x>")),
        ("larger:10M", Sized(over=10 * 1024 * 1024)),
        ("size:1000000", Sized(over=1_000_000)),
        ("smaller:20k", Sized(under=20 * 1024)),
        ("after:2025/04/16", Received(since=date(2025, 4, 16))),
        ("newer:4/16/2025", Received(since=date(2025, 4, 16))),
        ("before:2025-4-6", Received(until=date(2025, 4, 6))),
        ("older:1744786800", Received(until=Epoch(1_744_786_800_000))),
        ("newer_than:2d", Received(since=Ago(2, "d"))),
        ("older_than:1y", Received(until=Ago(1, "y"))),
        ("dinner AROUND 5 movie", Near(ANYWHERE, ("dinner",), ("movie",), 5)),
        ('"secret plan" AROUND "next week"', Near(ANYWHERE, ("secret", "plan"), ("next", "week"), 25)),
        ("+unicorn", said("unicorn")),
        ("$1,840.00", said("1", "840", "00")),
        ("10:30", said("10", "30")),
    ],
)  # fmt: skip
def test_operators(text: str, node: Node) -> None:
    assert tree(text) == node


@pytest.mark.parametrize("text", ["  ", "--", "AND", "OR", "()", "{}", '""', "from:()", "- ", "(", '"'])
def test_nothing_is_everything(text: str) -> None:
    assert parse(text) == Query(), text


def test_a_name_or_an_operator_alone_is_a_word() -> None:
    assert (tree("subject:"), tree("AROUND")) == (said("subject"), said("around"))


@pytest.mark.parametrize(
    "text", ["after:soon", "newer_than:2w", "larger:big", "is:odd", "before:2025/13/40", "has:luck"]
)
def test_what_an_operator_cannot_have_finds_nothing(text: str) -> None:
    assert tree(text) == NOTHING


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("(a b", "a b"),
        ("a b)", "a b"),
        ('"a b', '"a b"'),
        ("{a b", "{a b}"),
        ("a OR", "a"),
        ("OR a", "a"),
        ("a AND b", "a b"),
        ("FROM:ana", "from:ana"),
        ("a | b", "a OR b"),
    ],
)
def test_odd_searches_are_read_as_far_as_they_make_sense(text: str, same: str) -> None:
    assert tree(text) == tree(same)


def test_spam_and_trash_are_searched_when_asked_for() -> None:
    assert parse("lunch").in_sight
    assert not parse("in:anywhere lunch").in_sight
    assert not parse("in:trash").in_sight and not parse("-in:spam lunch").in_sight
    assert not parse("").narrowed(["TRASH"]).in_sight and not parse("").narrowed([], anywhere=True).in_sight


def test_a_deep_search_and_a_long_one_end() -> None:
    for text in ("(" * 5000 + "a", "-" * 5000 + "a", "a OR " * 5000):
        assert isinstance(parse(text), Query)


def test_words_are_folded() -> None:
    assert words_of("Café_au lait, 24h!") == ("cafe", "au", "lait", "24h")
    assert words_of("東京 🎉") == ("東", "京", "u1f389")


def test_months_and_years_are_those_of_the_calendar() -> None:
    new_york = ZoneInfo("America/New_York")
    now = 1_761_053_400_000  # 2025-10-21 09:30 in New York
    assert instant_of(Ago(1, "m"), now, new_york) == now - 30 * 86_400_000
    assert instant_of(Ago(2, "d"), now, new_york) == now - 2 * 86_400_000
    leap = instant_of(date(2024, 2, 29), now, UTC)
    assert instant_of(Ago(1, "y"), leap, UTC) == instant_of(date(2023, 2, 28), now, UTC)
