"""Changes to messages: their labels, into the trash and out of it, gone for good; singly or in batches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fakes.gmail import store
from fakes.gmail.api import rendering
from fakes.gmail.api.calls import Call
from fakes.gmail.errors import (
    InvalidId,
    InvalidIds,
    LabelBothWays,
    NoIds,
    NoLabelChange,
    NotFaked,
    NotFound,
    TooManyIds,
    TooManyLabels,
)
from fakes.gmail.rules.threads import is_id
from fakes.gmail.schema import Message

MOST_IDS = 1000
MOST_LABELS = 100
_LABELS = ("addLabelIds", "removeLabelIds")
_CLASSIFICATION = ("addClassificationLabels", "removeClassificationLabelIds")


@dataclass(frozen=True)
class Change:
    """Labels, by their ids, to put on and to take off."""

    add: list[str]
    remove: list[str]


def change_in(body: dict[str, Any], *, most: int | None = MOST_LABELS) -> Change:
    """The change that a body asks for, of at most so many labels either way.

    Raises NoLabelChange, LabelBothWays, TooManyLabels; NotFaked for classification labels.
    """
    if any(name in body for name in _CLASSIFICATION):
        raise NotFaked("A classification label")
    change = Change(*(body.get(name, []) for name in _LABELS))
    if not change.add and not change.remove:
        raise NoLabelChange()
    if most is not None and max(len(change.add), len(change.remove)) > most:
        raise TooManyLabels()
    if set(change.add) & set(change.remove):
        raise LabelBothWays()
    return change


def named(call: Call) -> Message:
    """The message that the path names. Raises InvalidId, NotFound."""
    message_id = call.path("id")
    if not is_id(message_id):
        raise InvalidId()
    message = store.message_in(call.world, call.person.id, message_id)
    if message is None:
        raise NotFound()
    return message


async def modify(call: Call) -> dict[str, Any]:
    """users.messages.modify."""
    change = change_in(await call.json())
    message = named(call)
    store.relabel(call.world, call.person.id, [message.id], add=change.add, remove=change.remove)
    return rendering.reference(call.world, message)


async def trash(call: Call) -> dict[str, Any]:
    """users.messages.trash."""
    message = named(call)
    store.trash(call.world, call.person.id, [message.id])
    return rendering.reference(call.world, message)


async def untrash(call: Call) -> dict[str, Any]:
    """users.messages.untrash."""
    message = named(call)
    store.untrash(call.world, call.person.id, [message.id])
    return rendering.reference(call.world, message)


async def delete(call: Call) -> None:
    """users.messages.delete: for good."""
    store.delete(call.world, call.person.id, [named(call).id])


async def batch_modify(call: Call) -> None:
    """users.messages.batchModify; ids of no message here are passed over."""
    body = await call.json()
    change = change_in(body, most=None)
    store.relabel(call.world, call.person.id, _ids(body), add=change.add, remove=change.remove)


async def batch_delete(call: Call) -> None:
    """users.messages.batchDelete; ids of no message here are passed over."""
    store.delete(call.world, call.person.id, _ids(await call.json()))


def _ids(body: dict[str, Any]) -> Sequence[str]:
    """The messages of a batch. Raises NoIds, TooManyIds, InvalidIds."""
    ids: list[str] = body.get("ids", [])
    if not ids:
        raise NoIds()
    if len(ids) > MOST_IDS:
        raise TooManyIds()
    if not all(map(is_id, ids)):
        raise InvalidIds()
    return ids


FAKED = {
    "users.messages.batchDelete": batch_delete,
    "users.messages.batchModify": batch_modify,
    "users.messages.delete": delete,
    "users.messages.modify": modify,
    "users.messages.trash": trash,
    "users.messages.untrash": untrash,
}
