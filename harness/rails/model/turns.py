"""What a model and we tell each other, whatever the wire format: turns, calls of tools, outcomes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

Stop = Literal["calls", "end", "cut", "refused"]
"""Why a turn ended: it calls tools, has nothing to add, ran out of tokens, or the model would not go on."""


class ModelError(Exception):
    """A model can't be asked, or what it answers can't be gone on with; the sentence says why."""


@dataclass(frozen=True)
class Call:
    """A tool that the model wants used. `arguments` None: what it `sent` is no JSON object."""

    id: str
    name: str
    arguments: Mapping[str, Any] | None
    sent: str = ""


@dataclass(frozen=True)
class Outcome:
    """What came of a call, for the model to read; an `image` is a PNG."""

    text: str
    failed: bool = False
    image: bytes | None = None


@dataclass(frozen=True)
class Tokens:
    """What a turn took. Of `asked`, all that was sent, `cached` came from a cache, `written` went into it."""

    asked: int = 0
    made: int = 0
    cached: int = 0
    written: int = 0

    def __add__(self, other: Tokens) -> Tokens:
        return Tokens(
            self.asked + other.asked,
            self.made + other.made,
            self.cached + other.cached,
            self.written + other.written,
        )


@dataclass(frozen=True)
class Turn:
    """What a model said, and what it wants done. `tokens` None: its endpoint does not count them."""

    text: str
    calls: tuple[Call, ...]
    stop: Stop
    tokens: Tokens | None


class Talk(Protocol):
    """A conversation in one wire format. It keeps every message and makes requests of them."""

    path: str

    def headers(self, key: str) -> dict[str, str]:
        """What goes with a request to say who asks; nothing for an empty key."""
        ...

    def body(self) -> dict[str, Any]:
        """The next request."""
        ...

    def hear(self, answer: Any) -> Turn:
        """Takes what was answered as the model's turn. Raises ModelError."""
        ...

    def say(self, text: str) -> None:
        """Tells the model something."""
        ...

    def tell(self, outcomes: Sequence[tuple[Call, Outcome]]) -> None:
        """Tells what came of every call of its last turn."""
        ...

    def blind(self) -> bool:
        """Takes all images out; whether there were some."""
        ...


def unlike(answer: Any) -> ModelError:
    """What is to be said of an answer that has not the wire format's shape."""
    return ModelError(f"The endpoint's answer is none of a model's: {str(answer)[:200]}.")


def count(values: Any, *path: str) -> int:
    """A number in nested objects; 0 where there is none."""
    for name in path:
        values = values.get(name) if isinstance(values, dict) else None
    return values if isinstance(values, int) and not isinstance(values, bool) and values > 0 else 0
