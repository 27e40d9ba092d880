"""The HTML of a mail: made safe for a page, or read as text.

The cleaner's time grows with the square of depth, of attributes and of ampersands. So it is given only what
is within bounds that written mail keeps (Gmail itself clips a mail at 102 KB); the rest is shown as text.
"""

from __future__ import annotations

import html as markup
import re
from functools import lru_cache

import nh3

MOST_CHARACTERS = 200_000
MOST_MARKS = 20_000
"""Tags and character references together."""
MOST_DEPTH = 200
LONGEST_RUN = 30_000
"""Characters between two angle brackets, so that no tag has attributes without end."""
MOST_READ = 400_000
"""Characters that are read as text."""
_TAGS = nh3.ALLOWED_TAGS - {
    "img",
    "map",
    "area",
}  # no picture is fetched, so none tells that a mail was opened
_TAG = re.compile(r"<(/?)([A-Za-z][^\s/>]*)")
_FOREIGN = ("svg", "math")
_ANGLE = re.compile(r"[<>]")
_ANY_TAG = re.compile(r"<[^<>]*>?")
_CLOSED_BY_OTHERS = frozenset(
    "p li dt dd td th tr tbody thead tfoot option optgroup colgroup body html head br hr img input meta link "
    "col area base embed source track wbr param".split()
)
_BLOCK_END = re.compile(r"<(?=br\b|/(?:p|div|tr|li|h[1-6]|table|blockquote)\b)", re.IGNORECASE)
_SPACE = re.compile(r"[^\S\n]+")


def is_within_bounds(html: str) -> bool:
    """Whether the cleaner makes short work of it."""
    return (
        len(html) <= MOST_CHARACTERS
        and html.count("<") + html.count("&") <= MOST_MARKS
        and max(map(len, _ANGLE.split(html))) <= LONGEST_RUN
        and _depth(html) <= MOST_DEPTH
    )


def _depth(html: str) -> int:
    """How deep elements nest; rather too much than too little where they are badly closed."""
    open_tags: list[str] = []
    deepest, foreign = 0, False
    for closing, name in _TAG.findall(html.lower()):
        foreign = foreign or name in _FOREIGN  # no element closes another there
        if name in _CLOSED_BY_OTHERS and not foreign:
            continue
        if not closing:
            open_tags.append(name)
            deepest = max(deepest, len(open_tags))
        elif open_tags and open_tags[-1] == name:
            open_tags.pop()
    return deepest


@lru_cache(maxsize=64)
def safe(html: str) -> str | None:
    """HTML without scripts, forms, styles and pictures, links opening a tab; None if it is out of bounds."""
    if not is_within_bounds(html):
        return None
    return nh3.clean(
        html,
        tags=_TAGS,
        url_schemes={"http", "https", "mailto"},
        url_relative="deny",
        set_tag_attribute_values={"a": {"target": "_blank"}},
    )


def plain_text(html: str) -> str:
    """HTML without its markup: a line for each block. What is beyond MOST_READ is left out."""
    spaced = _BLOCK_END.sub("\n<", " ".join(html[:MOST_READ].split()))
    text = markup.unescape(_without_tags(spaced))
    return "\n".join(filter(None, (_SPACE.sub(" ", line).strip() for line in text.split("\n"))))


def _without_tags(html: str) -> str:
    if not is_within_bounds(html):
        return _ANY_TAG.sub("", html)
    return nh3.clean(html, tags=set(), clean_content_tags={"script", "style", "title"})
