from __future__ import annotations

import pytest

from fakes.gmail.rules import html
from fakes.gmail.rules.html import has_foreign_pictures, is_within_bounds, plain_text, safe, with_pictures

DEEP = "<div>" * (html.MOST_DEPTH + 1)


def test_html_is_read_without_its_markup() -> None:
    assert plain_text("<title>T</title><p>One &amp; two</p><p>Three<br>four</p><script>x</script>") == (
        "One & two\nThree\nfour"
    )


@pytest.mark.parametrize(
    "text",
    ["<div>" * html.MOST_DEPTH, "<div>x</div>" * 5000, "<p>one<p>two<br>" * 1000, "<ul>" + "<li>x" * 1000,
     "<table>" + "<tr><td>x" * 1000, "x" * html.LONGEST_RUN, "&nbsp;<br>" * (html.MOST_MARKS // 2),
     "‹" * 30_000],
)  # fmt: skip
def test_what_people_write_is_within_bounds(text: str) -> None:
    assert is_within_bounds(text)


@pytest.mark.parametrize(
    "text",
    [DEEP, "<div></x>" * 300, "<x><div></x></div>" * 300, "<div/>" * 300, "<DIV>" * 300,
     "<svg>" + "<td>" * 300,
     "<" * (html.MOST_MARKS + 1), "&" * (html.MOST_MARKS + 1),
     ("x" * 95 + "<br> ") * (html.MOST_CHARACTERS // 100 + 1), "x" * (html.LONGEST_RUN + 1)],
)  # fmt: skip
def test_what_would_keep_the_cleaner_busy_is_not(text: str) -> None:
    assert not is_within_bounds(text)
    assert safe(text) is None


def test_html_out_of_bounds_is_still_read_as_text() -> None:
    assert plain_text(f"{DEEP}One &amp; two<br>three<") == "One & two\nthree"


def test_text_is_read_up_to_a_limit() -> None:
    assert len(plain_text("<div>" * 300 + "x" * html.MOST_READ)) == html.MOST_READ - 1500


def test_the_cleaner_is_called_once_for_a_text(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []

    def clean(text: str, **_: object) -> str:
        calls.append(text)
        return text

    monkeypatch.setattr("nh3.clean", clean)
    assert safe("<p>only here</p>") == safe("<p>only here</p>")
    assert calls == ["<p>only here</p>"]


def test_pictures_are_the_mails_own_or_words() -> None:
    html = (
        '<img src="CID:a%40b" alt=x onerror=y><img src="http://t.example/p" alt="a>b"><img src=data:x>'
        '<img src="cid:none" alt="gone"><a href="cid:a@b">k</a>'
    )
    clean = safe(html, pictures=True) or ""
    shown = with_pictures(clean, {"a@b": "/m/1?view=1&x"})
    assert shown.startswith('<img src="/m/1?view=1&amp;x" alt="x">abgone<a ')
    assert "cid:" not in shown and "t.example" not in shown
    assert "<img" not in (safe(html) or "")


@pytest.mark.parametrize(
    ("html", "foreign"),
    [
        ('<img alt="" SRC="https://t.example/p">', True),
        ("<img src=//t.example>", True),
        ("<img src=cid:a>", False),
    ],
)
def test_pictures_from_elsewhere_are_known(html: str, foreign: bool) -> None:
    assert has_foreign_pictures(html) is foreign


def test_no_attribute_holds_markup() -> None:
    clean = safe('<a href="http://x.example/<b>" title="</a><script>">y</a>') or ""
    assert clean.count("<") == clean.count(">") == 2
    assert 'href="http://x.example/%3Cb%3E"' in clean


def test_marks_of_quotes_are_kept_and_no_other_classes() -> None:
    assert safe('<div class="kit-skip gmail_quote" id="to">q</div>') == '<div class="gmail_quote">q</div>'
