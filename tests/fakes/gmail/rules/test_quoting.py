from __future__ import annotations

import pytest

from fakes.gmail.rules.html import safe
from fakes.gmail.rules.plain import as_html, as_text
from fakes.gmail.rules.quoting import (
    Quoted,
    folded,
    forward_html,
    forward_text,
    quote_html,
    quote_text,
    split_html,
    split_text,
)

TOM = Quoted(
    sender="Tom Reyes",
    address="tom@harborlight.example",
    at="Tue, Oct 21, 2025 at 9:30 AM",
    subject="Lunch <now>",
    to="Mira Okafor <mira@harborlight.example>",
    cc="",
    text="At noon?\n> or later\n",
    html="At <b>noon</b>?",
)
SAID = "On Tue, Oct 21, 2025 at 9:30 AM Tom Reyes <tom@harborlight.example> wrote:"


@pytest.mark.parametrize(
    ("text", "new"),
    [
        (f"Yes\n\n{SAID}\n\n> At noon?\n", "Yes\n"),
        ("Yes\n\nOn Tuesday, 21 October, Tom Reyes <tom@harborlight.example>\nwrote:\n> At noon?", "Yes\n"),
        ("Yes\n> At noon?\n>\n> Tom", "Yes"),
        ("Yes\n-----Original Message-----\nFrom: Tom", "Yes"),
    ],
)
def test_the_quote_at_the_end_of_a_text_is_told_apart(text: str, new: str) -> None:
    assert split_text(text)[0] == new
    assert "\n".join(split_text(text)) == text


@pytest.mark.parametrize("text", ["", "Yes", "> At noon?\nYes, and\n> Where?\nHere", f"{SAID}\n> At noon?"])
def test_what_is_no_quote_at_the_end_stays(text: str) -> None:
    assert split_text(text) == (text, "")


def test_a_quote_may_stand_alone_in_a_draft() -> None:
    assert split_text(quote_text(TOM), alone=True) == ("", quote_text(TOM))
    assert split_html(safe(quote_html(TOM)) or "", alone=True)[0] == ""


def test_an_answer_quotes_what_it_answers() -> None:
    assert quote_text(TOM) == f"{SAID}\n\n> At noon?\n>> or later"
    assert as_text(quote_html(TOM)) == f"{SAID}\n> At noon?"


def test_a_forward_tells_the_headers_and_is_not_folded() -> None:
    assert "Subject: Lunch <now>\nTo: Mira Okafor" in forward_text(TOM)
    assert "Cc:" not in forward_text(TOM)
    clean = safe(f"<div>See below</div>{forward_html(TOM)}") or ""
    assert "Lunch &lt;now&gt;" in clean and folded(clean) == clean
    assert "At noon?" in split_text(f"See below\n\n{forward_text(TOM)}")[0]


def test_a_quote_in_html_is_folded() -> None:
    clean = safe(f"<div>Yes</div><br>{quote_html(TOM)}") or ""
    before, quote, after = split_html(clean)
    assert (before, after) == ("<div>Yes</div><br>", "") and quote.startswith('<div class="gmail_quote">')
    assert folded(clean).endswith("</div></details>")


def test_what_announces_a_bare_quote_is_folded_with_it() -> None:
    clean = safe(
        '<p>Yes</p><p>On Tuesday <a href="mailto:t@x.example">Tom</a> wrote:</p><blockquote>1</blockquote>'
    )
    assert split_html(clean or "")[0] == "<p>Yes</p>"


@pytest.mark.parametrize(
    "html", ["<blockquote>1</blockquote>Yes", "<blockquote>1</blockquote>", "<p>Yes</p>"]
)
def test_html_without_a_quote_at_its_end_stays(html: str) -> None:
    assert folded(safe(html) or "") == html


def test_markup_in_an_attribute_begins_no_quote() -> None:
    clean = safe('x<a title="<blockquote>" href="http://x.example/<blockquote>">y</a>') or ""
    assert folded(clean) == clean


@pytest.mark.parametrize(
    "html", ["<blockquote>x</blockquote>y" * 4000, '<div class="gmail_quote">' * 190 + "x", "On " * 60_000]
)
def test_odd_mails_take_no_time(html: str) -> None:
    clean = safe(html)
    assert clean is None or folded(clean)


def test_html_is_read_as_people_write_text() -> None:
    html = (
        "<div>Hi</div><div><br></div><div>two <b>words</b></div><ul><li>a</li><li>b</li></ul>"
        "<ol><li>c<ul><li>d</li></ul></li></ol><p>P1</p><p><a href='http://x.example/'>site</a></p>"
        "<blockquote>q<blockquote>n</blockquote></blockquote><pre>a\n  b</pre>"
    )
    lines = "Hi||two words|- a|- b|1. c|  - d||P1||site <http://x.example/>|> q|> > n|a|  b"
    assert as_text(html) == lines.replace("|", "\n")


def test_text_looks_the_same_in_html() -> None:
    assert as_html("a <b>\n  c") == "a &lt;b&gt;<br>&nbsp;&nbsp;c"
    assert as_text(as_html("a <b>\n  c")) == "a <b>\n  c"
