"""A rollout's transcript: what whoever acted said and did, a line each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from harness.hiding import Hiding

NAME = "transcript.jsonl"
MOST_LINES, MOST_LETTERS = 1500, 4000


@dataclass(frozen=True)
class Said:
    """One line: its kind, such as said, tool, result or stderr, and when, in ms since the start."""

    kind: str
    text: str
    at_ms: int | None = None
    more: str = ""


@dataclass(frozen=True)
class Transcript:
    """The lines that are shown, and how many are left out."""

    lines: tuple[Said, ...]
    left_out: int = 0


def transcript_of(extras: Mapping[str, bytes], hiding: Hiding) -> Transcript:
    """What a bundle keeps of it. A line that is no JSON object stands as it is."""
    lines = extras.get(NAME, b"").splitlines()
    lines = [line for line in lines if line.strip()]
    return Transcript(
        tuple(_read(line, hiding) for line in lines[:MOST_LINES]), max(len(lines) - MOST_LINES, 0)
    )


def _read(line: bytes, hiding: Hiding) -> Said:
    try:
        values: Any = orjson.loads(line)
    except orjson.JSONDecodeError:
        values = None
    if not isinstance(values, dict):
        return Said("line", shortened(hiding.text(line.decode("utf-8", "replace"))))
    at, kind = values.pop("at_ms", None), values.pop("kind", "line")
    text = values.pop("text", "")
    more = orjson.dumps(values, option=orjson.OPT_INDENT_2).decode() if values else ""
    return Said(
        kind=str(kind)[:40],
        text=shortened(hiding.text(text if isinstance(text, str) else orjson.dumps(text).decode())),
        at_ms=int(at) if isinstance(at, int | float) and abs(at) < 1e12 else None,
        more=shortened(hiding.text(more)),
    )


def shortened(text: str, most: int = MOST_LETTERS) -> str:
    """A text that is not too long for a page; secrets are taken out before, so that none is cut in half."""
    return text if len(text) <= most else f"{text[:most]}… ({len(text):,} letters)"
