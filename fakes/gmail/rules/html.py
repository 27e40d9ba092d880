"""The HTML of a mail: made safe for a page, or read as text.

The cleaner's time grows with the square of depth, of attributes and of ampersands. So it is given only what
is within bounds that written mail keeps (Gmail itself clips a mail at 102 KB); the rest is shown as text.
"""

from __future__ import annotations

import html as markup
import re
from collections.abc import Mapping
from functools import lru_cache
from urllib.parse import unquote

import nh3

MOST_CHARACTERS = 200_000
MOST_MARKS = 20_000
"""Tags and character references together."""
MOST_DEPTH = 200
LONGEST_RUN = 30_000
"""Characters between two angle brackets, so that no tag has attributes without end."""
MOST_READ = 400_000
"""Characters that are read as text."""
_TAGS = nh3.ALLOWED_TAGS - {"img", "map", "area"}
_CLASSES = {"gmail_quote", "gmail_attr", "gmail_signature"}
"""What mail programs mark quotes and signatures with; no style sheet of a mail comes along to use it."""
_ATTRIBUTES = {**nh3.ALLOWED_ATTRIBUTES, "img": {"src", "alt", "width", "height"}}
_CID = "cid:"
_PICTURE = re.compile(r"<img[^<>]*>")
_SOURCE = re.compile(r' src="cid:([^"]*)"', re.IGNORECASE)
_WORDS = re.compile(r' alt="([^"]*)"')
_FOREIGN_PICTURE = re.compile(r"<img\b[^<>]*?\bsrc\s*=\s*[\"']?\s*(?:https?:)?//", re.IGNORECASE)
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
def safe(html: str, *, pictures: bool = False) -> str | None:
    """HTML without scripts, forms, styles and pictures, links opening a tab; None if it is out of bounds.

    `pictures` keeps those that are in the mail itself (`cid:`), for `with_pictures`; none is ever fetched
    from elsewhere, so none tells that a mail was opened.
    """
    if not is_within_bounds(html):
        return None
    return nh3.clean(
        html,
        tags=_TAGS | {"img"} if pictures else _TAGS,
        attributes=_ATTRIBUTES,
        attribute_filter=_attribute,
        url_schemes={"http", "https", "mailto", "cid"} if pictures else {"http", "https", "mailto"},
        url_relative="deny",
        allowed_classes={"div": _CLASSES, "blockquote": _CLASSES},
        set_tag_attribute_values={"a": {"target": "_blank"}},
    )


def _attribute(tag: str, attribute: str, value: str) -> str | None:
    """An attribute's value, or None: pictures are the mail's own, and `cid:` is for pictures alone.

    No angle bracket stands in a value, so that in safe HTML each one begins or ends a tag.
    """
    if value.lower().startswith(_CID) != (tag == "img" and attribute == "src"):
        return None
    if "<" in value or ">" in value:
        as_url = attribute in ("href", "src", "cite")
        return value.replace("<", "%3C" if as_url else "").replace(">", "%3E" if as_url else "")
    return value


def with_pictures(clean: str, urls: Mapping[str, str]) -> str:
    """What `safe` made, pictures at the URLs of their Content-IDs; of one without a URL its words stand."""

    def put(found: re.Match[str]) -> str:
        source, words = _SOURCE.search(found[0]), _WORDS.search(found[0])
        url = urls.get(unquote(markup.unescape(source[1]))) if source else None
        if source is None or not url:
            return words[1] if words else ""
        return found[0].replace(source[0], f' src="{markup.escape(url)}"')

    return _PICTURE.sub(put, clean)


def has_foreign_pictures(html: str) -> bool:
    """Whether it asks for pictures from elsewhere, which are not shown."""
    return bool(_FOREIGN_PICTURE.search(html))


def plain_text(html: str) -> str:
    """HTML without its markup: a line for each block. What is beyond MOST_READ is left out."""
    spaced = _BLOCK_END.sub("\n<", " ".join(html[:MOST_READ].split()))
    text = markup.unescape(_without_tags(spaced))
    return "\n".join(filter(None, (_SPACE.sub(" ", line).strip() for line in text.split("\n"))))


def _without_tags(html: str) -> str:
    if not is_within_bounds(html):
        return _ANY_TAG.sub("", html)
    return nh3.clean(html, tags=set(), clean_content_tags={"script", "style", "title"})
