"""HTML that somebody wrote as the plain text beside it, and plain text as HTML."""

from __future__ import annotations

import re
from html import escape
from html.parser import HTMLParser

from fakes.gmail.rules.html import plain_text, safe

_BLOCKS = frozenset(
    "div p li ul ol blockquote tr table pre h1 h2 h3 h4 h5 h6 hr dl dt dd section article header".split()
)
_SPACE = re.compile(r"[^\S\xa0]+")
_LEADING = re.compile(r"^ +| {2,}")


def as_text(html: str) -> str:
    """HTML as mail programs write it in text: quotes with ">", items with "-", links with their address.

    What is out of the cleaner's bounds is read without any of that.
    """
    clean = safe(html)
    if clean is None:
        return plain_text(html)
    reader = _Reader()
    reader.feed(clean)
    reader.close()
    return reader.text()


def as_html(text: str) -> str:
    """Plain text as HTML that looks the same."""
    lines = (_LEADING.sub(lambda found: "&nbsp;" * len(found[0]), escape(line)) for line in text.split("\n"))
    return "<br>".join(lines)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._lines: list[str] = []
        self._line = ""
        self._depth = self._pre = 0
        self._lists: list[int | None] = []
        self._links: list[tuple[str, int]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begins a line for a block."""
        if tag == "br":
            self._end_line()
            return
        if tag in _BLOCKS:
            self._break()
        if tag == "p" and self._lines and self._lines[-1].strip("> "):
            self._end_line()
        if tag == "a":
            self._links.append((dict(attrs).get("href") or "", len(self._line)))
        elif tag in ("ul", "ol"):
            self._lists.append(0 if tag == "ol" else None)
        elif tag == "li":
            self._line = self._marker()
        elif tag == "blockquote":
            self._depth += 1
        elif tag == "pre":
            self._pre += 1
        elif tag in ("td", "th") and self._line:
            self._line += " "

    def _marker(self) -> str:
        inset = "  " * max(0, len(self._lists) - 1)
        if not self._lists or self._lists[-1] is None:
            return f"{inset}- "
        self._lists[-1] += 1
        return f"{inset}{self._lists[-1]}. "

    def handle_endtag(self, tag: str) -> None:
        """Ends the line of a block, and says where a link leads."""
        if tag == "a" and self._links:
            href, at = self._links.pop()
            if href and self._line[at:].strip() not in (href, href.removeprefix("mailto:")):
                self._line += f" <{href}>"
        if tag not in _BLOCKS:
            return
        self._break()
        if tag in ("ul", "ol") and self._lists:
            self._lists.pop()
        elif tag == "blockquote":
            self._depth = max(0, self._depth - 1)
        elif tag == "pre":
            self._pre = max(0, self._pre - 1)

    def handle_data(self, data: str) -> None:
        """Adds text; white space is one space, as browsers show it."""
        if self._pre:
            first, *others = data.split("\n")
            self._line += first
            for line in others:
                self._end_line()
                self._line = line
            return
        text = _SPACE.sub(" ", data)
        if not self._line:
            text = text.removeprefix(" ")
        self._line += text.replace("\xa0", " ")

    def _break(self) -> None:
        if self._line.strip():
            self._end_line()
        self._line = ""

    def _end_line(self) -> None:
        self._lines.append(f"{'> ' * self._depth}{self._line}".rstrip())
        self._line = ""

    def text(self) -> str:
        """All that was read."""
        self._break()
        return "\n".join(self._lines).strip("\n")
