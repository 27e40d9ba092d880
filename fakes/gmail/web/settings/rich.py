"""Text that may be rich: the editable sheet of the writing page, as settings use it, and what it sends."""

from __future__ import annotations

from dataclasses import dataclass

from fakes.gmail.rules.html import plain_text, safe
from fakes.gmail.rules.plain import as_html, as_text
from fakes.gmail.web.visits import Visit


@dataclass(frozen=True)
class Rich:
    """A text in both forms; `html` is "" for one that was written as plain text."""

    text: str
    html: str

    @property
    def shown(self) -> str:
        """Its HTML, safe to be put into a page."""
        return (safe(self.html) or "") if self.html else as_html(self.text)

    @property
    def is_plain(self) -> bool:
        """Whether the sheet opens as plain text."""
        return bool(self.text) and not self.html

    def __bool__(self) -> bool:
        return bool(self.text.strip() or self.html.strip())


def of(html: str, text: str = "") -> Rich:
    """A stored text."""
    return Rich(as_text(html) if html else text, html)


def sent(visit: Visit, before: Rich) -> Rich:
    """What the form sent; a text that a form without scripts sends back as it was keeps its HTML."""
    if visit.field("format") == "html":
        html = visit.field("html")
        return of(html) if _says_something(html) else Rich("", "")
    text = visit.field("text").replace("\r\n", "\n")
    return before if text.strip() == before.text.strip() else Rich(text, "")


def _says_something(html: str) -> bool:
    return bool(plain_text(html).strip() or "<img" in html)
