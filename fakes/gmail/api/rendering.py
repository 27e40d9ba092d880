"""Messages as Gmail's JSON: 64-bit numbers are strings, bytes are base64url, links work for who asks."""

from __future__ import annotations

import base64
import html
from collections.abc import Sequence
from typing import Any

from starlette.requests import Request

from fakes.core import links
from fakes.core.ids import BASE62
from fakes.core.world import World
from fakes.gmail import store
from fakes.gmail.rules.headers import decoded
from fakes.gmail.rules.parts import Part, tree
from fakes.gmail.schema import Message

FORMATS = ("minimal", "full", "raw", "metadata")


def reference(world: World, message: Message) -> dict[str, Any]:
    """What send answers: ids and labels."""
    return {
        "id": message.id,
        "threadId": message.thread_id,
        "labelIds": store.labels_of(world, [message.id])[message.id],
    }


def message(request: Request, row: Message, format: str, wanted: Sequence[str]) -> dict[str, Any]:
    """A message in one of FORMATS; `wanted` names the headers of the metadata format (none: all)."""
    world: World = request.state.world
    labels = store.labels_of(world, [row.id])[row.id]
    told: dict[str, Any] = {"id": row.id, "threadId": row.thread_id, "labelIds": labels}
    if not labels:
        del told["labelIds"]
    told["snippet"] = _escaped(links.resolve(request, row.snippet))
    if format != "minimal":
        raw = _resolved(request, store.source_of(world, row).raw)
        told |= (
            {"raw": _text(raw)} if format == "raw" else {"payload": _payload(world, row, raw, format, wanted)}
        )
    told["sizeEstimate"] = row.size
    told["historyId"] = str(store.history_id_of(world, row))
    told["internalDate"] = str(row.received_at)
    return told


def _payload(world: World, row: Message, raw: bytes, format: str, wanted: Sequence[str]) -> dict[str, Any]:
    whole = tree(raw)
    if format == "full":
        return _part(world, row, whole, "")
    names = {name.lower() for name in wanted}
    headers = [header for header in _headers(whole) if not names or header["name"].lower() in names]
    return {"mimeType": whole.media_type, "headers": headers}


def _part(world: World, row: Message, part: Part, part_id: str) -> dict[str, Any]:
    """A part and those below it; ids are "", "0", "1", "1.0" …"""
    told: dict[str, Any] = {
        "partId": part_id,
        "mimeType": part.media_type,
        "filename": part.file_name,
        "headers": _headers(part),
    }
    if not part.parts:
        told["body"] = _body(world, row, part, part_id)
        return told
    prefix = f"{part_id}." if part_id else ""
    told["body"] = {"size": 0}
    told["parts"] = [_part(world, row, child, f"{prefix}{n}") for n, child in enumerate(part.parts)]
    return told


def _body(world: World, row: Message, part: Part, part_id: str) -> dict[str, Any]:
    """Text is given, an attached file is named: Gmail hands it out by attachments.get."""
    content = part.content
    if part.is_attachment:
        return {"attachmentId": attachment_id(world, row, part_id), "size": len(content)}
    return {"size": len(content), "data": _text(content)}


def attachment_id(world: World, row: Message, part_id: str) -> str:
    """The id of an attached file; it follows from the message and the part."""
    return world.ids.text(
        f"gmail_attachment/{row.id}/{part_id}", 0, prefix="ANGj", length=60, alphabet=BASE62
    )


def _headers(part: Part) -> list[dict[str, str]]:
    return [{"name": name, "value": decoded(value)} for name, value in part.headers]


def _resolved(request: Request, raw: bytes) -> bytes:
    """The mail with its stored links made to work; what is no text passes through latin-1 unchanged."""
    return links.resolve(request, raw.decode("latin-1")).encode("latin-1")


def _text(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).decode()


def _escaped(text: str) -> str:
    """Escaped as snippets are, with decimal references."""
    return html.escape(text).replace("&#x27;", "&#39;")
