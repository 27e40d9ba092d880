"""What a mail quotes of an earlier one: told apart from what is new in it, and written into answers.

Quotes are marked as Gmail marks them: "On ... wrote:" and lines that begin with ">" in text, an element of
class gmail_quote in HTML, so that other readers fold them too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape

from fakes.gmail.rules.html import plain_text

_ATTRIBUTION = re.compile(r"On .{4,300} wrote:\s*")
_ORIGINAL = re.compile(r"-{2,} ?Original Message ?-{2,}\s*", re.IGNORECASE)
_FORWARDED = re.compile(r"\s*-{2,} ?(?:Forwarded|Original) message ?-{2,}", re.IGNORECASE)
_QUOTE = re.compile(r'<(div|blockquote)(?: [^<>]*?)?(?: class="[^"<>]*gmail_quote[^"<>]*"[^<>]*)?>')
_ANNOUNCED = re.compile(
    r"(?:<(p|div)(?: [^<>]*)?>)?On (?:(?!On )[^<>]|<a [^<>]*>|</a>){4,400} wrote:(?:<br>)?(?:</\1>)?\s*$"
)
_MARKUP = re.compile(r"<[^<>]*>|&nbsp;|\s+")
_MOST_ANNOUNCED = 800
_SUMMARY = '<details class="quoted"><summary title="Show trimmed content">…</summary>'


@dataclass(frozen=True)
class Quoted:
    """A mail that is quoted: who wrote it and when (as people read it), its headers for a forward, its
    bodies; `html` is made safe already.
    """

    sender: str
    address: str
    at: str
    subject: str
    to: str
    cc: str
    text: str
    html: str


# telling apart


def split_text(text: str, *, alone: bool = False) -> tuple[str, str]:
    """What is new in a text, and the quote that it ends with, or "".

    A mail that only quotes is all new, unless a quote may stand `alone`.
    """
    lines = text.split("\n")
    begin = _original(lines)
    if begin is None:
        begin = _tail(lines)
    if begin is None or not (alone or "".join(lines[:begin]).strip()):
        return text, ""
    return "\n".join(lines[:begin]), "\n".join(lines[begin:])


def _original(lines: list[str]) -> int | None:
    return next((n for n, line in enumerate(lines) if _ORIGINAL.fullmatch(line)), None)


def _tail(lines: list[str]) -> int | None:
    """Where the lines that end the text and begin with ">" begin, with those that announce them."""
    begin = len(lines)
    while begin and (not lines[begin - 1].strip() or lines[begin - 1].startswith(">")):
        begin -= 1
    if not any(line.startswith(">") for line in lines[begin:]):
        return None
    for count in (1, 2):  # mail programs fold long lines
        if begin >= count and _ATTRIBUTION.fullmatch(" ".join(lines[begin - count : begin])):
            return begin - count
    return begin


def split_html(clean: str, *, alone: bool = False) -> tuple[str, str, str]:
    """Safe HTML before the quote that it ends with, the quote or "", and what closes after it; as above."""
    first, last = _said(clean)
    at = 0
    while found := _QUOTE.search(clean, at):
        if found[1] == "div" and "gmail_quote" not in found[0]:
            at = found.end()
            continue
        end = _end_of(clean, found)
        if end < last:
            at = end
            continue
        begin = _announcement(clean, found.start()) if found[1] == "blockquote" else found.start()
        if (begin <= first and not alone) or _FORWARDED.match(plain_text(clean[begin : begin + 2000])):
            break
        return clean[:begin], clean[begin:end], clean[end:]
    return clean, "", ""


def _end_of(clean: str, opening: re.Match[str]) -> int:
    """Where an element ends; safe HTML is balanced."""
    depth = 0
    for tag in re.compile(rf"<(/?){opening[1]}\b[^<>]*>").finditer(clean, opening.start()):
        depth += -1 if tag[1] else 1
        if depth == 0:
            return tag.end()
    return len(clean)


def _announcement(clean: str, at: int) -> int:
    base = max(0, at - _MOST_ANNOUNCED)
    found = _ANNOUNCED.search(clean[base:at])
    return base + found.start() if found else at


def _said(clean: str) -> tuple[int, int]:
    """Where the first word or picture begins, and where the last one ends."""
    first, last, at = len(clean), 0, 0
    for mark in _MARKUP.finditer(clean):
        if mark.start() > at:
            first, last = min(first, at), mark.start()
        at = mark.end()
        if mark[0].startswith("<img"):
            first, last = min(first, mark.start()), at
    return (min(first, at), len(clean)) if len(clean) > at else (first, last)


def folded(clean: str) -> str:
    """Safe HTML with the quote that it ends with folded away."""
    before, quote, after = split_html(clean)
    return f"{before}{_SUMMARY}{quote}</details>{after}" if quote else clean


# writing


def quote_text(quoted: Quoted) -> str:
    """The text of an answer's quote."""
    lines = (_quoted_line(line) for line in quoted.text.rstrip("\n").split("\n"))
    return "\n".join([f"On {quoted.at} {_who(quoted)} wrote:", "", *lines])


def _quoted_line(line: str) -> str:
    return f">{line}" if line.startswith(">") else f"> {line}".rstrip()


def _who(quoted: Quoted) -> str:
    return f"{quoted.sender} <{quoted.address}>" if quoted.sender else quoted.address


def quote_html(quoted: Quoted) -> str:
    """The same in HTML."""
    return (
        f'<div class="gmail_quote"><div class="gmail_attr">On {escape(quoted.at)} {escape(_who(quoted))}'
        f' wrote:<br></div><blockquote class="gmail_quote">{quoted.html}</blockquote></div>'
    )


def forward_text(quoted: Quoted) -> str:
    """The text of a forwarded mail."""
    lines = ["---------- Forwarded message ---------", *(f"{name}: {value}" for name, value in _head(quoted))]
    return "\n".join([*lines, "", "", quoted.text.rstrip("\n")])


def forward_html(quoted: Quoted) -> str:
    """The same in HTML."""
    head = "<br>".join(f"{name}: {escape(value)}" for name, value in _head(quoted))
    return (
        '<div class="gmail_quote"><div class="gmail_attr">---------- Forwarded message ---------<br>'
        f"{head}<br></div><br><br>{quoted.html}</div>"
    )


def _head(quoted: Quoted) -> list[tuple[str, str]]:
    found = [("From", _who(quoted)), ("Date", quoted.at), ("Subject", quoted.subject), ("To", quoted.to)]
    return [*found, ("Cc", quoted.cc)] if quoted.cc else found
