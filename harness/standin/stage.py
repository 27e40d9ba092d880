"""What a stand-in finds when it is started: the variables that any command has, and its private file."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from harness.rails.environ import STAND_IN, variable


class NoStage(Exception):
    """There is no private file; the sentence says how a stand-in is started."""


@dataclass(frozen=True)
class Stage:
    """The task's name, its facts as tagged JSON (of a code task none), the workspace, and the variables."""

    task_name: str
    facts: str | None
    workspace: Path
    variables: Mapping[str, str]

    @classmethod
    def here(cls) -> Stage:
        """The stage of this process, which moves to where the scenarios are. Raises NoStage."""
        try:
            told = json.loads(Path(os.environ[STAND_IN]).read_text())
        except (KeyError, OSError, ValueError):
            raise NoStage("A stand-in is a recipe of the command rail: --recipe stand-in-honest.") from None
        workspace = Path.cwd()
        os.chdir(told["from"])
        return cls(told["task"], told.get("facts"), workspace, dict(os.environ))

    @property
    def is_code(self) -> bool:
        """Whether it is a code task."""
        return self.facts is None

    def of_actor(self, actor: str, name: str) -> str | None:
        """A variable of an actor, if it has one; with several actors it begins with the actor's name."""
        return self.variables.get(f"{variable(actor)}_{name}" if self.has_several else name)

    @property
    def has_several(self) -> bool:
        """Whether several actors act."""
        return "," in self.variables.get("PARACOSM_ACTORS", "")


def say(kind: str, text: str) -> None:
    """Tells the rail what is done, as a line of JSON."""
    sys.stdout.write(json.dumps({"kind": kind, "text": text}, ensure_ascii=False) + "\n")
    sys.stdout.flush()
