"""The search grammar of `q` and of the search box, as far as it goes: support.google.com/mail/answer/7190.

Words and quoted phrases, `from:`, `to:`, `subject:`, `is:` and `in:` with system labels; all must hold. What
else Gmail knows is refused by name, never ignored.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_TOKEN = re.compile(r'(?:(?P<name>[A-Za-z_0-9]+):)?(?:"(?P<phrase>[^"]*)"|(?P<word>[^\s"]+))')
_OPERATORS = frozenset(
    "from to cc bcc subject after before older newer older_than newer_than label category has list filename "
    "in is deliveredto size larger smaller rfc822msgid around".split()
)
_COLUMNS = {"from": "sender", "to": "recipients", "subject": "subject"}
_EVERYWHERE = "{sender recipients subject body}"
_PLACES = {
    ("in", "inbox"): "INBOX", ("in", "sent"): "SENT", ("in", "trash"): "TRASH", ("in", "spam"): "SPAM",
    ("in", "draft"): "DRAFT", ("in", "drafts"): "DRAFT", ("is", "unread"): "UNREAD",
    ("is", "starred"): "STARRED", ("is", "important"): "IMPORTANT",
}  # fmt: skip


class NotSupported(ValueError):
    """The query uses what this grammar lacks; the argument names it."""


@dataclass(frozen=True)
class Query:
    """What a search asks for: `match` is an FTS5 expression, `labels` must be there, `without` must not.

    Spam and trash are left out unless `anywhere`, or unless their label is asked for.
    """

    match: str = ""
    labels: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    anywhere: bool = False


def parse(text: str, me: str = "") -> Query:
    """The query of a search text; `from:me` and `to:me` mean the address `me`. Raises NotSupported."""
    _refuse_grouping(text)
    terms: list[str] = []
    labels: list[str] = []
    without: list[str] = []
    anywhere = False
    for token in _TOKEN.finditer(text):
        name, value = (
            (token["name"] or "").lower(),
            token["phrase"] if token["word"] is None else token["word"],
        )
        if name in _COLUMNS:
            terms += _phrase(
                me if me and value.lower() == "me" and name != "subject" else value, _COLUMNS[name]
            )
        elif (name, value.lower()) in _PLACES:
            labels.append(_PLACES[name, value.lower()])
        elif (name, value.lower()) == ("is", "read"):
            without.append("UNREAD")
        elif (name, value.lower()) == ("in", "anywhere"):
            anywhere = True
        elif name in _OPERATORS:
            raise NotSupported(f"The search {name}:{value}")
        else:
            terms += _words(token)
    return Query(" AND ".join(terms), tuple(dict.fromkeys(labels)), tuple(without), anywhere)


def _refuse_grouping(text: str) -> None:
    unquoted = re.sub(r'"[^"]*"', '""', text)
    if found := re.search(r"[(){}]", unquoted):
        raise NotSupported(f"Grouping with {found[0]!r} in a search")
    if found := re.search(r"(?:^|\s)([-+])[\w\"]", unquoted):
        raise NotSupported(f"The search operator {found[1]!r}")
    if found := re.search(r"\b(OR|AROUND)\b", unquoted):
        raise NotSupported(f"The search operator {found[1]}")


def _words(token: re.Match[str]) -> list[str]:
    """A plain word or phrase; `10:30` is one, `subject:` with nothing after it is a mistake."""
    text: str = token[0].strip('"') if token["name"] or token["word"] else token["phrase"]
    if text.endswith(":") and text[:-1].lower() in _OPERATORS:
        raise NotSupported(f"The search {text} without a value right after it")
    return [] if text == "AND" else _phrase(text)


def _phrase(text: str, column: str = "") -> list[str]:
    """An FTS5 phrase, if there is a word in it."""
    if not any(letter.isalnum() for letter in text):
        return []
    text = text.replace("\0", " ")  # the index's grammar ends at a zero
    quoted = '"' + text.replace('"', '""') + '"'
    return [f"{column or _EVERYWHERE} : {quoted}"]
