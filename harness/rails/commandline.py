"""A recipe: how a known agent is started, as data, and the command line that comes of it.

`{prompt}`, `{file}`, `{model}`, `{turns}`, `{home}`, `{workspace}` and `{tools}` (a file of servers of tools)
in a recipe are filled in for each attempt; `home` is a fresh folder, and HOME too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from harness.rails.reading import Reader

OPTIONS = "{options}"
"""The word of a command line in whose place options for model, turns and tools come."""

_HOLE = re.compile(r"\{(prompt|file|model|turns|home|workspace|tools)\}")


@dataclass(frozen=True)
class Source:
    """A page that a recipe rests on. `grade`: the maker's own documentation, or what others saw it do."""

    address: str
    grade: Literal["documented", "seen"]


@dataclass(frozen=True)
class Recipe:
    """How an agent is started.

    `words` are its command line; `for_model`, `for_turns` and `for_tools` come in the place of OPTIONS where
    a model or a limit of turns is set, or servers of tools are given. The prompt comes by stdin, unless the
    words hold it, or a file with it. `environment` and `files` (below home) keep its configuration apart, and
    `isolates` says what it does not see of its user's. `passes` are variables that it gets of ours, `borrows`
    those that it gets under another name if it has none of its own. `turns_code` is the exit code that says
    that turns ran out. One that is `private` is a stand-in, with a file of facts.
    """

    name: str
    words: tuple[str, ...]
    reader: Reader
    isolates: str
    for_model: tuple[str, ...] = ()
    for_turns: tuple[str, ...] = ()
    for_tools: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    passes: tuple[str, ...] = ()
    borrows: Mapping[str, str] = field(default_factory=dict)
    turns_code: int | None = None
    private: bool = False
    sources: Sequence[Source] = ()

    @property
    def limits_turns(self) -> bool:
        """Whether it can be told a limit of turns; of another, what it does is counted, and it is ended."""
        return bool(self.for_turns) or self.turns_code is not None

    @property
    def by_stdin(self) -> bool:
        """Whether the prompt is written to it."""
        return not any("{prompt}" in word or "{file}" in word for word in self.words) and not self.private


@dataclass(frozen=True)
class Holes:
    """What is filled into a recipe for one attempt."""

    prompt: str
    file: str
    home: str
    workspace: str
    model: str | None = None
    turns: int | None = None
    tools: str | None = None

    def fill(self, text: str) -> str:
        """The text with its holes filled; nothing in what is filled in is a hole."""
        values = {**self.__dict__, "model": self.model or "", "tools": self.tools or ""}
        values["turns"] = -1 if self.turns is None else self.turns  # as agents say "without a limit"
        return _HOLE.sub(lambda hole: str(values[hole[1]]), text)


def command_line(recipe: Recipe, holes: Holes) -> list[str]:
    """The words of a command line."""
    options = [*(recipe.for_model if holes.model else ())]
    options += recipe.for_turns if holes.turns is not None else ()
    options += recipe.for_tools if holes.tools is not None else ()
    words = [each for word in recipe.words for each in (options if word == OPTIONS else [word])]
    return [holes.fill(word) for word in words]
