"""How commands move jobs: queued, running, then succeeded, failed or cancelled."""

from __future__ import annotations

MOVES: dict[str, tuple[tuple[str | None, ...], str]] = {
    "submit": ((None,), "queued"),
    "start": (("queued",), "running"),
    "succeed": (("running",), "succeeded"),
    "fail": (("running",), "failed"),
    "cancel": (("queued", "running"), "cancelled"),
}
"""The states that a command is good in, None where there is no job yet, and where it leads to."""
