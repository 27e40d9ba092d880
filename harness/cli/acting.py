"""Who acts in a run, as the options of `paracosm run` say it: one sentence for what does not go together."""

from __future__ import annotations

import math
import shlex
from dataclasses import dataclass

from harness.cli.words import WrongUse
from harness.driver import RAILS, Driver

WHO = (
    "--agent FILE.py:FUNCTION, --play reference, --command COMMAND, --recipe NAME, "
    "--rail model --model NAME, or --rail manual"
)
TIMEOUTS = {"command": 600.0, "model": 600.0, "manual": 3600.0}
TIMEOUT = 60.0
"""Seconds after which an attempt is ended if nobody says: of a play or a Python agent, and of other rails."""


@dataclass(frozen=True)
class Said:
    """The options that say who acts, as they were given; None or False: not at all."""

    rail: str | None = None
    play: str | None = None
    agent: str | None = None
    command: str | None = None
    recipe: str | None = None
    model: str | None = None
    timeout: float | None = None
    max_turns: int | None = None
    trace: bool = False
    video: bool = False

    @property
    def nothing(self) -> bool:
        """Whether none of them was given."""
        return self == Said()

    def driver(self) -> Driver:
        """Who acts. Raises WrongUse."""
        rail = self._rail()
        if self.timeout is not None and not (math.isfinite(self.timeout) and self.timeout > 0):
            raise WrongUse(f"--timeout takes seconds, more than 0, not {self.timeout:g}.")
        if self.max_turns is not None and self.max_turns < 1:
            raise WrongUse(f"--max-turns takes a number, 1 or more, not {self.max_turns}.")
        if self.recipe is not None:
            _check_recipe(self.recipe)
        return Driver(
            rail, self.play, self.agent, _words(self.command), self.recipe, self.model,
            self.timeout or TIMEOUTS.get(rail or "", TIMEOUT), self.max_turns, self._recording(rail),
        )  # fmt: skip

    def _rail(self) -> str | None:
        """The rail, which some of the others imply."""
        if self.rail not in (None, *RAILS):
            known = f"{', '.join(RAILS[:-1])} and {RAILS[-1]}"
            raise WrongUse(f"There is no rail {self.rail!r}; there are {known}.")
        who = {"play": self.play, "agent": self.agent, "command": self.command, "recipe": self.recipe}
        said = [f"--{name}" for name, value in who.items() if value is not None]
        if len(said) > 1:
            raise WrongUse(f"Say who acts once: {' or '.join(said)}.")
        program = self.command is not None or self.recipe is not None
        rail = "command" if program and self.rail is None else self.rail
        if program != (rail == "command"):
            raise WrongUse("--rail command goes with --command COMMAND or --recipe NAME, and they with it.")
        if rail in ("model", "manual") and said:
            raise WrongUse(f"On --rail {rail} nobody else acts: leave out {said[0]}.")
        if rail not in ("command", "model", "manual") and not said:
            raise WrongUse(f"Say who acts: {WHO}.")
        self._check_model(rail)
        return rail

    def _check_model(self, rail: str | None) -> None:
        if rail == "model" and not self.model:
            raise WrongUse("--rail model needs a model: say --model NAME.")
        for option, value in (("--model", self.model), ("--max-turns", self.max_turns)):
            if value is not None and rail not in ("model", "command"):
                raise WrongUse(f"{option} is about --rail model, --recipe and --command; say one of them.")

    def _recording(self, rail: str | None) -> str | None:
        if self.trace and self.video:
            raise WrongUse("Say --trace or --video, not both: a trace has pictures too.")
        if not (self.trace or self.video):
            return None
        if rail in ("api", "mcp", "command"):
            raise WrongUse(
                f"{'--trace' if self.trace else '--video'} records browsers that the harness opens, "
                f"and on rail {rail} it opens none."
            )
        return "trace" if self.trace else "video"


def _words(command: str | None) -> tuple[str, ...]:
    """A command line as words. Raises WrongUse."""
    if command is None:
        return ()
    try:
        words = tuple(shlex.split(command))
    except ValueError as error:
        raise WrongUse(f"--command can't be read: {error}.") from None
    if not words:
        raise WrongUse("--command is empty; write a program and its arguments, in quotes.")
    return words


def _check_recipe(name: str) -> None:
    """That there is a recipe of that name. Raises WrongUse."""
    from harness.rails.recipes import RECIPES

    if name not in RECIPES:
        raise WrongUse(f"There is no recipe {name!r}; there are {', '.join(RECIPES)}.")
