"""Refusals of the kernel itself: one small class each, with status, code and a sentence that says what to do.

Refused
├── UnknownWorld      404  no world of that name
├── UnknownHost       403  a host that is not faked
├── UnknownService    404  the world has no such service or path
├── ForeignLease      403  a browser or client of another world
├── BadWorldName      400  a name that is none
├── WorldExists       409  the name is taken
└── TooManyWorlds     429  the server's limit
"""

from __future__ import annotations

from typing import ClassVar


class Refused(Exception):
    """A request that the gateway does not pass on."""

    status: ClassVar[int] = 400
    code: ClassVar[str] = "refused"

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence

    def body(self) -> dict[str, dict[str, str]]:
        """The JSON that programs get."""
        return {"error": {"code": self.code, "message": self.sentence}}


class UnknownWorld(Refused):
    """No world of that name."""

    status, code = 404, "unknown_world"


class UnknownHost(Refused):
    """A host that is not faked: nothing leaves the machine."""

    status, code = 403, "unknown_host"


class UnknownService(Refused):
    """The world has no such service, or none answers at that path."""

    status, code = 404, "unknown_service"


class ForeignLease(Refused):
    """The browser or client belongs to another world."""

    status, code = 403, "foreign_lease"


class BadWorldName(Refused):
    """World names match [a-z0-9-]{1,32} and are not reserved."""

    status, code = 400, "bad_world_name"


class WorldExists(Refused):
    """There is a world of that name already."""

    status, code = 409, "world_exists"


class TooManyWorlds(Refused):
    """The server holds as many worlds as it was told to."""

    status, code = 429, "too_many_worlds"
