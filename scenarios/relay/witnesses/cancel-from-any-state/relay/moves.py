"""How commands move jobs; whatever there is can be cancelled."""

from __future__ import annotations

STATES = ("queued", "running", "succeeded", "failed", "cancelled")
MOVES = {
    "submit": ((None,), "queued"),
    "start": (("queued",), "running"),
    "succeed": (("running",), "succeeded"),
    "fail": (("running",), "failed"),
    "cancel": (STATES, "cancelled"),
}
