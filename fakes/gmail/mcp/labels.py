"""Tools for labels: told, made, changed, removed."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from fakes.core.mcp.tools import Arguments, Nothing, Said, ToolCall, ToolRefused, tool
from fakes.gmail import store
from fakes.gmail.rules.labels import SYSTEM, system_labels
from fakes.gmail.schema import UserLabel

_Shown = Literal["show", "hide"]
_Listed = Literal["labelShow", "labelShowIfUnread", "labelHide"]


class CreateLabel(Arguments):
    """A new label."""

    name: str = Field(description="Its name; slashes nest it")
    message_list_visibility: _Shown = Field(default="show", description="In lists of messages")
    label_list_visibility: _Listed = Field(default="labelShow", description="In the list of labels")


class UpdateLabel(Arguments):
    """What a label is to be from now on; what is left out stays."""

    id: str = Field(description="The label's id")
    name: str | None = Field(default=None, description="Its new name")
    message_list_visibility: _Shown | None = Field(default=None, description="In lists of messages")
    label_list_visibility: _Listed | None = Field(default=None, description="In the list of labels")


class LabelId(Arguments):
    """Which label."""

    id: str = Field(description="The label's id")


def list_email_labels(call: ToolCall, asked: Nothing) -> Said:
    """All labels."""
    system = [{"id": each["id"], "name": each["name"], "type": "system"} for each in system_labels()]
    own = [_row(label) for label in store.own_labels(call.world, call.person.id)]
    lines = ["System labels: " + ", ".join(each["id"] for each in system), "Labels of one's own:"]
    lines += [f"- {row['name']} (ID: {row['id']})" for row in own] or ["- none"]
    return Said("\n".join(lines), {"labels": [*system, *own]})


def _row(label: UserLabel) -> dict[str, Any]:
    return {
        "id": label.id, "name": label.name, "type": "user",
        "messageListVisibility": label.message_list_visibility,
        "labelListVisibility": label.label_list_visibility,
    }  # fmt: skip


def create_label(call: ToolCall, asked: CreateLabel) -> Said:
    """A new label."""
    made = store.create_label(
        call.world, call.person.id, asked.name, message_list=asked.message_list_visibility,
        label_list=asked.label_list_visibility,
    )  # fmt: skip
    return Said(f"Made: {made.name} (ID: {made.id}).", _row(made))


def get_or_create_label(call: ToolCall, asked: CreateLabel) -> Said:
    """The label of this name; a new one where there is none."""
    found = store.label_named(call.world, call.person.id, asked.name)
    if found is not None:
        return Said(f"There is: {found.name} (ID: {found.id}).", _row(found))
    return create_label(call, asked)


def _named(call: ToolCall, label_id: str, deed: str) -> UserLabel:
    found = store.own_label(call.world, call.person.id, label_id)
    if found is None and label_id in SYSTEM:
        raise ToolRefused(f"{label_id} is one of the system's labels, which can't be {deed}.")
    if found is None:
        raise ToolRefused(f"There is no label {label_id!r}; list_email_labels tells the ids.")
    return found


def update_label(call: ToolCall, asked: UpdateLabel) -> Said:
    """Changes a label in what was given."""
    label = _named(call, asked.id, "changed")
    given = asked.model_dump(exclude={"id"}, exclude_none=True)
    label = store.change_label(call.world, label, **given)
    return Said(f"Now: {label.name} (ID: {label.id}).", _row(label))


def delete_label(call: ToolCall, asked: LabelId) -> Said:
    """Removes a label."""
    label = _named(call, asked.id, "removed")
    store.delete_label(call.world, label)
    return Said(f"Label {label.name} is gone; its messages are kept.", {"id": label.id})


TOOLS = (
    tool(
        "list_email_labels",
        "List labels",
        "All labels with their ids.",
        Nothing,
        list_email_labels,
        reads=True,
    ),
    tool(
        "create_label",
        "Make a label",
        "Makes a label; its name must be a new one.",
        CreateLabel,
        create_label,
    ),
    tool(
        "get_or_create_label",
        "Find or make a label",
        "The label of this name; made, where there is none.",
        CreateLabel,
        get_or_create_label,
        repeats=True,
    ),
    tool(
        "update_label",
        "Change a label",
        "Renames a label, or changes where it is shown.",
        UpdateLabel,
        update_label,
        repeats=True,
    ),
    tool(
        "delete_label",
        "Remove a label",
        "Removes a label, from all messages too; the messages stay.",
        LabelId,
        delete_label,
        destroys=True,
    ),
)
