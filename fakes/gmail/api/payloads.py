"""The MIME parts of a message as Gmail's JSON: text is given with them, files are fetched by their ids."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from typing import Any

from fakes.core.world import World
from fakes.gmail.rules.headers import decoded
from fakes.gmail.rules.parts import ATTACHED_MAIL, Part
from fakes.gmail.schema import Message
from fakes.gmail.store.attachments import attachment_id, numbered

MOST_INLINE = 1024 * 1024
"""Bytes of a text that is given with its message; Gmail's own bound is not published."""


def metadata(whole: Part, wanted: Sequence[str]) -> dict[str, Any]:
    """The payload of the metadata format: all headers, or those that are named, in any case."""
    names = {name.lower() for name in wanted}
    headers = [header for header in _headers(whole) if not names or header["name"].lower() in names]
    return {"mimeType": whole.media_type, "headers": headers}


def payload(world: World, row: Message, part: Part, part_id: str = "") -> dict[str, Any]:
    """The payload of the full format: a part and those below it; ids are "", "0", "1", "1.0" …"""
    told: dict[str, Any] = {
        "partId": part_id,
        "mimeType": part.media_type,
        "filename": part.file_name,
        "headers": _headers(part),
        "body": _body(world, row, part, part_id),
    }
    if part.parts:
        below = _below(part, part_id)
        told["parts"] = [payload(world, row, child, child_id) for child_id, child in below]
    return told


def attached(world: World, row: Message, whole: Part, wanted: str) -> bytes | None:
    """The file with this id: its bytes as they were attached. None if the message has no such file."""
    for part_id, part in numbered(whole):
        if _is_separate(part) and attachment_id(world, row, part_id) == wanted:
            return part.octets
    return None


def base64url(content: bytes) -> str:
    """Bytes as the API tells them, with padding."""
    return base64.urlsafe_b64encode(content).decode()


def _below(part: Part, part_id: str) -> Iterator[tuple[str, Part]]:
    prefix = f"{part_id}." if part_id else ""
    return ((f"{prefix}{n}", child) for n, child in enumerate(part.parts))


def _body(world: World, row: Message, part: Part, part_id: str) -> dict[str, Any]:
    if _is_separate(part):
        return {"attachmentId": attachment_id(world, row, part_id), "size": len(part.octets)}
    if part.parts:
        return {"size": 0}
    content = part.content
    return {"size": len(content), "data": base64url(content)}


def _is_separate(part: Part) -> bool:
    """Whether a part is fetched by itself: a file, an attached mail, what is no text, a very long text."""
    if part.parts:
        return part.media_type == ATTACHED_MAIL
    is_text = part.media_type.startswith(("text/", "multipart/"))
    return part.is_attachment or not is_text or len(part.body) > MOST_INLINE


def _headers(part: Part) -> list[dict[str, str]]:
    return [{"name": name, "value": decoded(value)} for name, value in part.headers]
