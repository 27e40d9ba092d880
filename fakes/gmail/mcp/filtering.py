"""Tools for filters: what is done with mail that comes in."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from fakes.core.mcp.tools import Arguments, Nothing, Said, ToolCall, ToolRefused, tool
from fakes.gmail.rules.filtering import criteria_text, told
from fakes.gmail.schema import Filter
from fakes.gmail.store.filters import Wanted, delete_filter, filter_of, filters_of
from fakes.gmail.store.filters import create_filter as create


class Criteria(Arguments):
    """What a mail must be; all that is given must hold."""

    sender: str = Field(default="", alias="from", description="Who it is from")
    recipient: str = Field(default="", alias="to", description="Whom it is to")
    subject: str = Field(default="", description="What its subject says")
    query: str = Field(default="", description="Gmail search syntax")
    negated_query: str = Field(default="", description="A search that must not find it")
    has_attachment: bool | None = Field(default=None, description="Whether it has files")
    exclude_chats: bool | None = Field(default=None, description="Whether chats are left out")
    size: int | None = Field(default=None, ge=0, description="Bytes")
    size_comparison: Literal["larger", "smaller", ""] = Field(default="", description="Than size")


class Action(Arguments):
    """What is done with it."""

    add_label_ids: list[str] = Field(default_factory=list, description="Ids of labels to put on")
    remove_label_ids: list[str] = Field(default_factory=list, description="Ids of labels to take off")
    forward: str = Field(default="", description="An address that mail may be forwarded to")


class CreateFilter(Arguments):
    """A new filter."""

    criteria: Criteria
    action: Action


class FilterId(Arguments):
    """Which filter."""

    filter_id: str = Field(description="The filter's id")


def list_filters(call: ToolCall, asked: Nothing) -> Said:
    """All filters."""
    rows = filters_of(call.world, call.person.id)
    text = "\n".join(map(_line, rows)) or "There are no filters."
    return Said(text, {"filters": [told(row) for row in rows]})


def get_filter(call: ToolCall, asked: FilterId) -> Said:
    """A filter."""
    row = _named(call, asked.filter_id)
    return Said(_line(row), told(row))


def create_filter(call: ToolCall, asked: CreateFilter) -> Said:
    """A new filter, for mail that comes from now on."""
    action = asked.action
    wanted = Wanted(
        **asked.criteria.model_dump(), add_labels=" ".join(action.add_label_ids),
        remove_labels=" ".join(action.remove_label_ids), forward=action.forward.lower(),
    )  # fmt: skip
    row = create(call.world, call.person.id, wanted)
    return Said(f"Made: {_line(row)}", told(row))


def remove_filter(call: ToolCall, asked: FilterId) -> Said:
    """Removes a filter."""
    row = _named(call, asked.filter_id)
    delete_filter(call.world, row)
    return Said(f"Filter {row.id} is gone.", {"id": row.id})


def _named(call: ToolCall, filter_id: str) -> Filter:
    found = filter_of(call.world, call.person.id, filter_id)
    if found is None:
        raise ToolRefused(f"There is no filter {filter_id!r}; list_filters tells the ids.")
    return found


def _line(row: Filter) -> str:
    done = [f"puts {row.add_labels} on"] if row.add_labels else []
    done += [f"takes {row.remove_labels} off"] if row.remove_labels else []
    done += [f"forwards to {row.forward}"] if row.forward else []
    return f"Filter {row.id}: {criteria_text(row)} → {', '.join(done)}"


TOOLS = (
    tool("list_filters", "List filters", "All filters with their ids.", Nothing, list_filters, reads=True),
    tool(
        "get_filter",
        "Read a filter",
        "A filter's criteria and what it does.",
        FilterId,
        get_filter,
        reads=True,
    ),
    tool(
        "create_filter",
        "Make a filter",
        "Makes a filter for mail that comes from now on.",
        CreateFilter,
        create_filter,
    ),
    tool("delete_filter", "Remove a filter", "Removes a filter.", FilterId, remove_filter, destroys=True),
)
