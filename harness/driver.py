"""Who acts in an attempt, and by what: as it is asked for, kept with a run and sent to processes."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

RAILS = ("api", "browser", "mcp", "command", "model", "manual")
"""What an attempt can be driven by. Python agents and plays go by IN_PYTHON."""

IN_PYTHON = ("api", "browser", "mcp")


@dataclass(frozen=True)
class Driver:
    """One of `play`, `agent`, `command` or `recipe`, or the rail `model` or `manual`, says who acts.

    `play` is reference, null, done, cheat:NAME or variant:NAME, for a code task also witness:NAME; `agent` is
    FILE.py:FUNCTION; `command` are the words of a command line and `recipe` is a known agent's name;
    `model` names the model, also what a recipe is told to use. `rail` None is the task's own surface.
    Attempts end after `timeout` seconds, and models after `max_turns` turns. `recording` keeps a Playwright
    `trace` or a `video` of each browser.
    """

    rail: str | None = None
    play: str | None = None
    agent: str | None = None
    command: tuple[str, ...] = ()
    recipe: str | None = None
    model: str | None = None
    timeout: float = 60.0
    max_turns: int | None = None
    recording: str | None = None

    @property
    def label(self) -> str:
        """What results are shown under: the model if one is named, else who acts."""
        named = self.model or self.recipe or self.play or self.agent
        return named or (self.command[0] if self.command else self.rail or "nobody")

    def plain(self) -> dict[str, Any]:
        """As plain values, which `Driver.read` takes back."""
        return asdict(self)

    @classmethod
    def read(cls, values: dict[str, Any]) -> Driver:
        """A driver from plain values."""
        return cls(**{**values, "command": tuple(values.get("command", ()))})
