"""What the tests of the API share: a mail received, an answer read."""

from __future__ import annotations

from typing import Any

import httpx

from fakes.core.world import World
from fakes.gmail import store
from fakes.gmail.schema import Message
from tests.fakes.gmail.town import Cast, raw


def received(world: World, cast: Cast, text: str = "Hello", **headers: str) -> Message:
    """A mail from Tom in Mira's mailbox."""
    return from_tom(world, cast, raw(text, **{"To": cast.mira.email, **headers}))


def from_tom(world: World, cast: Cast, mail: bytes) -> Message:
    """The copy that Mira gets of Tom's mail."""
    store.send(world, cast.tom, mail)
    return world.all(Message, "WHERE owner = ? ORDER BY seq DESC LIMIT 1", (cast.mira.id,))[0]


def told(answer: httpx.Response, status: int = 200) -> dict[str, Any]:
    """The body of an answer that went well."""
    assert answer.status_code == status, answer.text
    body: dict[str, Any] = answer.json()
    return body


def refused(answer: httpx.Response, status: int = 400) -> str:
    """What an answer in Google's envelope says went wrong."""
    assert answer.status_code == status, answer.text
    error = answer.json()["error"]
    assert error["code"] == status
    return str(error["message"])
