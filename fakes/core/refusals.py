"""What the gateway turned away, kept outside every world: a reset does not forget an attempt."""

from __future__ import annotations

import logging
from collections import deque
from dataclasses import asdict, dataclass
from pathlib import Path

import orjson

from fakes.core.clock import wall_ms
from fakes.core.requests import redact_path

log = logging.getLogger("paracosm")
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
    """The newest refusals of a server; with a file, a JSON line each, kept between starts.

    Nothing that is refused can hurt the server: a file that can't be written or read back is done without.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._newest: deque[Refusal] = deque(maxlen=KEPT)
        self._path = path
        self._lines = 0
        if path is not None and path.exists():
            self._newest.extend(_read(path))
            self._rewrite()

    def add(
        self, *, lease: str | None, world: str | None, method: str, host: str, path: str, reason: str
    ) -> None:
        """Records an attempt; words of the path that may be secrets are left out."""
        refusal = Refusal(wall_ms(), lease, world, method, host[:300], redact_path(path)[:500], reason)
        self._newest.append(refusal)
        if self._path is not None:
            self._keep(refusal)

    def _keep(self, refusal: Refusal) -> None:
        assert self._path is not None
        try:
            with self._path.open("ab") as file:
                file.write(orjson.dumps(asdict(refusal)) + b"\n")
        except OSError as error:
            log.warning("A refusal could not be kept: %s", error)
        self._lines += 1
        if self._lines > 2 * KEPT:
            self._rewrite()

    def _rewrite(self) -> None:
        assert self._path is not None
        lines = [orjson.dumps(asdict(refusal)) for refusal in self._newest]
        try:
            self._path.write_bytes(b"".join(line + b"\n" for line in lines))
        except OSError as error:
            log.warning("Refusals could not be kept: %s", error)
        self._lines = len(lines)

    def all(self) -> list[Refusal]:
        """The newest refusals, oldest first."""
        return list(self._newest)

    def of(self, lease: str) -> list[Refusal]:
        """Those of one lease."""
        return [refusal for refusal in self._newest if refusal.lease == lease]


def _read(path: Path) -> list[Refusal]:
    """The refusals in a file; a line that a crash cut short is passed over."""
    found = []
    for line in path.read_bytes().splitlines():
        try:
            found.append(Refusal(**orjson.loads(line)))
        except (orjson.JSONDecodeError, TypeError):
            continue
    return found
