"""Whether a filter takes a mail: its criteria are searches, which must all hold
(reference of FilterCriteria; support.google.com/mail/answer/6579).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from fakes.gmail.rules.matching import Seen, holds
from fakes.gmail.rules.mime import Letter
from fakes.gmail.rules.search import Query, parse
from fakes.gmail.rules.search.nodes import Not, all_of
from fakes.gmail.rules.search.texts import texts_of
from fakes.gmail.schema import Filter

_parsed = lru_cache(maxsize=1024)(parse)


def catches(row: Filter, seen: Seen, me: str) -> bool:
    """Whether a filter of the address `me` takes a mail, wherever that lies: spam is filtered too."""
    return all(holds(each.tree, seen) for each in _criteria(row, me)) and not (
        row.negated_query.strip() and holds(_parsed(row.negated_query, me).tree, seen)
    )


def criteria_text(row: Filter) -> str:
    """The criteria as one search, for the search box and for mail that is there already."""
    negated = f"-({row.negated_query})" if row.negated_query.strip() else ""
    return " ".join(filter(None, (*_texts(row), negated)))


def query_of(row: Filter, me: str) -> Query:
    """The search for mail that is there and that the filter would take; spam and trash are left out."""
    trees = [each.tree for each in _criteria(row, me)]
    if row.negated_query.strip():
        trees.append(Not(_parsed(row.negated_query, me).tree))
    return Query(all_of(trees))


def _criteria(row: Filter, me: str) -> Iterable[Query]:
    """Each by itself: what is not closed in one of them says nothing about the next."""
    return [_parsed(text, me) for text in _texts(row)]


def _texts(row: Filter) -> list[str]:
    texts = (
        f"from:({row.sender})" if row.sender.strip() else "",
        f"to:({row.recipient})" if row.recipient.strip() else "",
        f"subject:({row.subject})" if row.subject.strip() else "",
        f"({row.query})" if row.query.strip() else "",
        "has:attachment" if row.has_attachment else "",
        f"{row.size_comparison}:{row.size or 0}" if row.size_comparison else "",
        "-in:chats" if row.exclude_chats else "",
    )
    return [text for text in texts if text]


def told(row: Filter) -> dict[str, Any]:
    """A filter as the API's resource: of criteria and action what they say, and nothing that is empty."""
    criteria = {
        "from": row.sender, "to": row.recipient, "subject": row.subject, "query": row.query,
        "negatedQuery": row.negated_query, "hasAttachment": row.has_attachment,
        "excludeChats": row.exclude_chats, "size": row.size, "sizeComparison": row.size_comparison,
    }  # fmt: skip
    action = {
        "addLabelIds": row.add_labels.split(), "removeLabelIds": row.remove_labels.split(),
        "forward": row.forward,
    }  # fmt: skip
    return {"id": row.id, "criteria": _said(criteria), "action": _said(action)}


def _said(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value not in ("", None, [])}


def seen_of(
    letter: Letter, *, delivered_to: str = "", labels: Iterable[str] = (), received_at: int = 0
) -> Seen:
    """A mail as searches see it when it arrives: its own texts, the labels that it came with."""
    texts = texts_of(letter, delivered_to)
    return Seen(
        texts, frozenset(labels), received_at=received_at, size=len(letter.raw),
        rfc822_id=letter.message_id, now=received_at,
    )  # fmt: skip
