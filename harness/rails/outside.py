"""The seat of an actor that is played from outside: signed in everywhere, with no browser of ours."""

from __future__ import annotations

from typing import Literal

from fakes.core import auth
from harness.rails.actor import Actor, Place


class OutsideRail:
    """Hands out a lease whose address is both the host for programs and the proxy for browsers, whichever
    the command uses; its requests tell the surface by themselves.
    """

    name = "command"
    medium: Literal["browser", "client"] = "browser"

    async def enter(self, place: Place) -> Actor:
        """An actor with a token and a session at each of its services."""
        return OutsideActor(place)


class OutsideActor(Actor):
    """A person whose programs and browsers are somebody else's. `sessions` are cookie values by service."""

    def __init__(self, place: Place) -> None:
        super().__init__(place)
        self.sessions = {
            service: auth.start_session(place.world, service, self.person) for service in place.services
        }
