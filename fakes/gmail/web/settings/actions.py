"""What a filter's form says is done with the mail, and the labels that mean it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

from fakes.gmail.rules.labels import (
    CATEGORIES,
    IMPORTANT,
    INBOX,
    SPAM,
    STARRED,
    TRASH,
    UNREAD,
    is_own_id,
)
from fakes.gmail.schema import Filter
from fakes.gmail.web.visits import Visit

NEW = "new"
"""The choice of a label that is to be made first."""
_PUT_ON = {"star": STARRED, "trash": TRASH}
_TAKEN_OFF = {"archive": INBOX, "read": UNREAD, "not_spam": SPAM}
TICKED = (*_TAKEN_OFF, *_PUT_ON)
"""The fields that are ticked or not; the template has their words."""


@dataclass(frozen=True)
class Actions:
    """The fields: which boxes are ticked, ids of a label and of a category, an address to forward to.

    `importance` is "always", "never" or "". `more_add` and `more_remove` are labels that only the API names.
    """

    ticked: frozenset[str] = frozenset()
    label: str = ""
    new_label: str = ""
    forward: str = ""
    importance: str = ""
    category: str = ""
    more_add: tuple[str, ...] = ()
    more_remove: tuple[str, ...] = ()

    def with_label(self, label: str) -> Actions:
        """The same with a label that was made meanwhile."""
        return replace(self, label=label, new_label="")

    @property
    def columns(self) -> dict[str, Any]:
        """The columns of Filter that it sets."""
        add = [label for name, label in _PUT_ON.items() if name in self.ticked]
        remove = [label for name, label in _TAKEN_OFF.items() if name in self.ticked]
        add += [self.label] if self.label not in ("", NEW) else []
        add += [self.category] if self.category else []
        add += [IMPORTANT] if self.importance == "always" else []
        remove += [IMPORTANT] if self.importance == "never" else []
        return {
            "add_labels": " ".join(dict.fromkeys((*add, *self.more_add))),
            "remove_labels": " ".join(dict.fromkeys((*remove, *self.more_remove))),
            "forward": self.forward,
        }


def sent(visit: Visit) -> Actions:
    """What the form sent."""
    importance, category = visit.field("importance"), visit.field("category")
    new_label = visit.field("new_label").strip()
    return Actions(
        frozenset(name for name in TICKED if visit.field(name)),
        visit.field("label") or (NEW if new_label else ""),
        new_label,
        visit.field("forward").strip().lower(),
        importance if importance in ("always", "never") else "",
        category if category in CATEGORIES else "",
        _listed(visit, "more_add"),
        _listed(visit, "more_remove"),
    )


def _listed(visit: Visit, field: str) -> tuple[str, ...]:
    return tuple("".join(each.split()) for name, each in visit.fields if name == field and each.strip())


def of_filter(row: Filter) -> Actions:
    """The form's fields as a stored filter has them."""
    add, remove = row.add_labels.split(), row.remove_labels.split()
    own = next((label for label in add if is_own_id(label)), "")
    category = next((label for label in add if label in CATEGORIES), "")
    importance = "always" if IMPORTANT in add else "never" if IMPORTANT in remove else ""
    return Actions(
        frozenset(
            [name for name, label in _PUT_ON.items() if label in add]
            + [name for name, label in _TAKEN_OFF.items() if label in remove]
        ),
        own, "", row.forward, importance, category,
        _others(add, {own, category, IMPORTANT, *_PUT_ON.values()}),
        _others(remove, {IMPORTANT, *_TAKEN_OFF.values()}),
    )  # fmt: skip


def _others(labels: list[str], known: Collection[str]) -> tuple[str, ...]:
    return tuple(label for label in labels if label not in known)
