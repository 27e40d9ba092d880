"""Messages as Gmail's JSON: 64-bit numbers are strings, bytes are base64url, links work for who asks."""

from __future__ import annotations

import html
from collections.abc import Collection, Sequence
from typing import Any

from starlette.requests import Request

from fakes.core import links
from fakes.core.world import World
from fakes.gmail import store
from fakes.gmail.api import payloads
from fakes.gmail.errors import InvalidValue
from fakes.gmail.rules.labels import INTERNAL
from fakes.gmail.rules.parts import Part, tree
from fakes.gmail.schema import Message

FORMATS = ("minimal", "full", "raw", "metadata")
_LINKED = f".{links.HERE}.localhost".encode()


def format_asked(given: str, formats: Collection[str] = FORMATS) -> str:
    """The format that was asked for, in lower case. Raises InvalidValue."""
    if given.lower() not in formats:
        raise InvalidValue("format", "TYPE_ENUM", f'"{given[:80]}"')
    return given.lower()


def reference(world: World, row: Message) -> dict[str, Any]:
    """What send and changes of a message answer: ids and labels."""
    return references(world, [row])[0]


def references(world: World, rows: Sequence[Message]) -> list[dict[str, Any]]:
    """The same of several messages."""
    labels = store.labels_of(world, [row.id for row in rows])
    return [_reference(row, labels[row.id]) for row in rows]


def _reference(row: Message, labels: Sequence[str]) -> dict[str, Any]:
    told: dict[str, Any] = {"id": row.id, "threadId": row.thread_id}
    if shown := [label for label in labels if label not in INTERNAL]:
        told["labelIds"] = shown
    return told


def message(request: Request, row: Message, format: str, wanted: Sequence[str]) -> dict[str, Any]:
    """A message in one of FORMATS; `wanted` names the headers of the metadata format (none: all)."""
    return messages(request, [row], format, wanted)[0]


def messages(
    request: Request, rows: Sequence[Message], format: str, wanted: Sequence[str]
) -> list[dict[str, Any]]:
    """The same of several messages."""
    world: World = request.state.world
    ids = [row.id for row in rows]
    labels, histories = store.labels_of(world, ids), store.history_ids_of(world, ids)
    return [
        {
            **_reference(row, labels[row.id]),
            "snippet": snippet(request, row),
            **_content(request, row, format, wanted),
            "sizeEstimate": row.size,
            "historyId": str(histories[row.id]),
            "internalDate": str(row.received_at),
        }
        for row in rows
    ]


def snippet(request: Request, row: Message) -> str:
    """The beginning of the text, escaped as snippets are: with decimal references."""
    return html.escape(links.resolve(request, row.snippet)).replace("&#x27;", "&#39;")


def parts_of(request: Request, row: Message) -> Part:
    """The MIME parts of a message as its reader gets them."""
    return tree(_raw(request, row))


def _content(request: Request, row: Message, format: str, wanted: Sequence[str]) -> dict[str, Any]:
    if format == "minimal":
        return {}
    if format == "raw":
        return {"raw": payloads.base64url(_raw(request, row))}
    whole = parts_of(request, row)
    if format == "metadata":
        return {"payload": payloads.metadata(whole, wanted)}
    return {"payload": payloads.payload(request.state.world, row, whole)}


def _raw(request: Request, row: Message) -> bytes:
    """The mail with its stored links made to work; what is no text passes through latin-1 unchanged."""
    raw = store.source_of(request.state.world, row).raw
    if _LINKED not in raw:
        return raw
    return links.resolve(request, raw.decode("latin-1")).encode("latin-1")
