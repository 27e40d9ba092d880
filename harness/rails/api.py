"""The `api` rail: a program with bearer tokens, over a client lease."""

from __future__ import annotations

from typing import Literal

from harness.rails.actor import Actor, Place


class ApiRail:
    """Plays by HTTP."""

    name = "api"
    medium: Literal["browser", "client"] = "client"

    async def enter(self, place: Place) -> Actor:
        """An actor with a token for each service."""
        return Actor(place)
