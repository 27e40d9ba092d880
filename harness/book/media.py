"""Pictures and films of a rollout: told by their first bytes, never by the name that a bundle gives them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import orjson

MOST_BYTES = 64 << 20
MOST = 1000
_PNG, _JPEG, _WEBM = b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"\x1a\x45\xdf\xa3"
_NUMBER = re.compile(r"(\d+)")


@dataclass(frozen=True)
class Medium:
    """A picture or a film. `file` is a name of our own making; `caption` is what is said of it, and `request`
    the newest in the log then."""

    kind: Literal["picture", "film"]
    file: str
    caption: str
    content: bytes
    request: int | None = None


@dataclass(frozen=True)
class Listed:
    """Another file that the bundle keeps, which the book does not show."""

    name: str
    size: int


def kind_of(content: bytes) -> tuple[Literal["picture", "film"], str] | None:
    """Whether bytes are a picture or a film that browsers show, and the ending for it; None for all else."""
    if content.startswith(_PNG):
        return "picture", "png"
    if content.startswith(_JPEG):
        return "picture", "jpg"
    if content.startswith(_WEBM):
        return "film", "webm"
    if content[4:8] == b"ftyp":
        return "film", "mp4"
    return None


def media_of(extras: Mapping[str, bytes]) -> tuple[list[Medium], list[Listed]]:
    """What of a bundle's extras can be shown, by the numbers in their names, and what is left."""
    shown: list[Medium] = []
    rest: list[Listed] = []
    said = _captions(extras)
    for name in sorted(extras, key=_in_order):
        content = extras[name]
        kind = kind_of(content) if len(content) <= MOST_BYTES else None
        if kind is None:
            if not _is_list(name):
                rest.append(Listed(name, len(content)))
        else:
            file, (caption, request) = f"{kind[0]}-{len(shown) + 1}.{kind[1]}", said.get(name, (name, None))
            shown.append(Medium(kind[0], file, caption, content, request))
    return shown, rest


def _is_list(name: str) -> bool:
    return name.startswith("shots/") and name.endswith(".jsonl")


def _captions(extras: Mapping[str, bytes]) -> dict[str, tuple[str, int | None]]:
    """What the lists beside screenshots say of them: the page, when, and the newest request then."""
    found = {}
    for line in (line for name in extras if _is_list(name) for line in extras[name].splitlines()[:MOST]):
        try:
            said = orjson.loads(line)
            at = f", {said['at_ms'] / 1000:.1f} s"
            request = said["request"] if isinstance(said["request"], int) else None
            found[str(said["file"])] = (f"{said['path']}{at}", request)
        except (orjson.JSONDecodeError, KeyError, TypeError):
            continue
    return found


def _in_order(name: str) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in _NUMBER.split(name)]
