"""What the gateway turned away, kept outside every world: a reset does not forget an attempt."""

from __future__ import annotations

from collections import deque
from dataclasses import asdict, dataclass
from pathlib import Path

import orjson

from fakes.core.clock import wall_ms

KEPT = 10_000


@dataclass(frozen=True)
class Refusal:
    """One attempt: when (wall clock, UTC ms), by which lease, at which host and path, and why it was refused.
    """

    at: int
    lease: str | None
    world: str | None
    method: str
    host: str
    path: str
    reason: str


class Refusals:
    """The newest refusals of a server; with a file, all of them, a JSON line each."""

    def __init__(self, path: Path | None = None) -> None:
        self._newest: deque[Refusal] = deque(maxlen=KEPT)
        self._path = path
        if path is not None and path.exists():
            self._newest.extend(Refusal(**orjson.loads(line)) for line in path.read_bytes().splitlines())

    def add(
        self, *, lease: str | None, world: str | None, method: str, host: str, path: str, reason: str
    ) -> None:
        """Records an attempt."""
        refusal = Refusal(wall_ms(), lease, world, method, host[:300], path[:500], reason)
        self._newest.append(refusal)
        if self._path is not None:
            with self._path.open("ab") as file:
                file.write(orjson.dumps(asdict(refusal)) + b"\n")

    def all(self) -> list[Refusal]:
        """The newest refusals, oldest first."""
        return list(self._newest)

    def of(self, lease: str) -> list[Refusal]:
        """Those of one lease."""
        return [refusal for refusal in self._newest if refusal.lease == lease]
