"""What went on in an attempt, in lines of JSON for people to read: bounded, and without our callers' keys."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Mapping

NAME = "transcript.jsonl"
MOST = 4 * 1024 * 1024  # letters of lines that are kept of one attempt
SHORTEST = 8  # letters; a shorter value is no key, and would blot out words


class Transcript:
    """Entries `{"at_ms": since the start, "kind": …, "text": …}`; `secrets` are kept out, by their names."""

    def __init__(self, secrets: Mapping[str, str] | None = None) -> None:
        self._clock = asyncio.get_running_loop().time
        self._start = self._clock()
        known = sorted((secrets or {}).items(), key=lambda each: -len(each[1]))  # one may begin another
        self._secrets = {v: f"[{n}]" for n, v in known if len(v) >= SHORTEST}
        self._lines: list[str] = []
        self._kept = self._dropped = 0

    def add(self, kind: str, text: str) -> None:
        """Notes something. What comes after the bound is counted; how it ended is always kept."""
        if self._kept > MOST and kind not in ("exit", "cut"):
            self._dropped += 1
            return
        at_ms = round((self._clock() - self._start) * 1000)
        line = json.dumps({"at_ms": at_ms, "kind": kind, "text": self.hidden(text)}, ensure_ascii=False)
        if self._kept + len(line) > MOST and kind not in ("exit", "cut"):
            self._dropped += 1
            return
        self._kept += len(line)
        self._lines.append(line)

    def extend(self, entries: Iterable[tuple[str, str]]) -> None:
        """Notes several things."""
        for kind, text in entries:
            self.add(kind, text)

    def content(self) -> bytes:
        """All of it."""
        if self._dropped:
            self.add("cut", f"{self._dropped} entries more were not kept")
            self._dropped = 0
        return "".join(f"{line}\n" for line in self._lines).encode(errors="replace")

    def hidden(self, text: str) -> str:
        """A text without the keys."""
        for value, name in self._secrets.items():
            text = text.replace(value, name)
        return text
