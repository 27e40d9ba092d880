"""Labels: the system's, which nobody changes, and a mailbox's own."""

from __future__ import annotations

from typing import Any

from fakes.gmail import store
from fakes.gmail.api.calls import Call
from fakes.gmail.errors import InvalidLabelColor, LabelIsSystems, NotFound
from fakes.gmail.rules.colors import PALETTE
from fakes.gmail.rules.labels import SYSTEM, system_labels
from fakes.gmail.schema import UserLabel

_COLUMNS = {
    "name": "name",
    "messageListVisibility": "message_list_visibility",
    "labelListVisibility": "label_list_visibility",
}
_COLORS = ("textColor", "backgroundColor")


async def list_labels(call: Call) -> dict[str, Any]:
    """users.labels.list: the system's, then the mailbox's own by name."""
    own = store.own_labels(call.world, call.person.id)
    return {"labels": [*system_labels(), *map(_told, own)]}


async def get(call: Call) -> dict[str, Any]:
    """users.labels.get: with the counts that lists leave out."""
    label_id = call.path("id")
    counts = store.counts(call.world, call.person.id, label_id)
    return {
        **(_system(label_id) or _told(_own(call, "get"))),
        "messagesTotal": counts.messages,
        "messagesUnread": counts.unread,
        "threadsTotal": counts.threads,
        "threadsUnread": counts.threads_unread,
    }


async def create(call: Call) -> dict[str, Any]:
    """users.labels.create."""
    given = _whole(await call.json())
    made = store.create_label(
        call.world, call.person.id, given["name"] or "",
        message_list=given["message_list_visibility"] or "",
        label_list=given["label_list_visibility"] or "",
        text_color=given["text_color"], background_color=given["background_color"],
    )  # fmt: skip
    return _told(made)


async def update(call: Call) -> dict[str, Any]:
    """users.labels.update: what the body leaves out is as in a new label, a colour gone."""
    body = await call.json()
    label = _own(call, "update")
    return _told(store.change_label(call.world, label, **_whole(body)))


async def patch(call: Call) -> dict[str, Any]:
    """users.labels.patch: what the body leaves out stays."""
    body = await call.json()
    label = _own(call, "update")
    return _told(store.change_label(call.world, label, **_parts(body)))


async def delete(call: Call) -> None:
    """users.labels.delete: off all messages too."""
    store.delete_label(call.world, _own(call, "delete"))


def _own(call: Call, deed: str) -> UserLabel:
    """The own label that the path names. Raises LabelIsSystems, NotFound."""
    label_id = call.path("id")
    if label_id in SYSTEM:
        raise LabelIsSystems(deed)
    label = store.own_label(call.world, call.person.id, label_id)
    if label is None:
        raise NotFound()
    return label


def _parts(body: dict[str, Any]) -> dict[str, str | None]:
    """The columns that a body sets. Raises InvalidLabelColor."""
    return {**{column: body[name] for name, column in _COLUMNS.items() if name in body}, **_color(body)}


def _whole(body: dict[str, Any]) -> dict[str, str | None]:
    """All columns that a body may set."""
    plain: dict[str, str | None] = {
        "name": "", "message_list_visibility": "show", "label_list_visibility": "labelShow",
        "text_color": None, "background_color": None,
    }  # fmt: skip
    return {**plain, **_parts(body)}


def _color(body: dict[str, Any]) -> dict[str, str | None]:
    """Both colours, or neither. Raises InvalidLabelColor: the reference asks for both."""
    color = body.get("color")
    if not color:
        return {}
    text, background = (color.get(name, "") for name in _COLORS)
    for each in (text, background):
        if each not in PALETTE:
            raise InvalidLabelColor(each)
    return {"text_color": text, "background_color": background}


def _system(label_id: str) -> dict[str, str] | None:
    return next((label for label in system_labels() if label["id"] == label_id), None)


def _told(label: UserLabel) -> dict[str, Any]:
    told: dict[str, Any] = {
        "id": label.id,
        "name": label.name,
        "messageListVisibility": label.message_list_visibility,
        "labelListVisibility": label.label_list_visibility,
        "type": "user",
    }
    if label.background_color is not None:
        told["color"] = {"textColor": label.text_color, "backgroundColor": label.background_color}
    return told


FAKED = {
    "users.labels.create": create,
    "users.labels.delete": delete,
    "users.labels.get": get,
    "users.labels.list": list_labels,
    "users.labels.patch": patch,
    "users.labels.update": update,
}
