"""An environment: a product and the tasks that are set in it.

`scenarios/<name>/environment.py` exports `env`; each `scenarios/<name>/tasks/<task>.py` declares one task
with `env.task`.
"""

from __future__ import annotations

import hashlib
import string
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from fakes.core.requests import Surface
from fakes.core.seeding import Seed
from fakes.core.store import Row
from harness.guards import Along, TaskError, kebab
from harness.task import Role, Task


@dataclass(frozen=True)
class NotGradable:
    """A route that no task grades, and why; `state` is "open" or tells how it was closed."""

    route: str
    reason: str
    state: str = "open"


@dataclass(frozen=True)
class Finding:
    """A defect that was met on the way: what, where, how bad, and whether it is open or fixed."""

    title: str
    state: Literal["open", "fixed"]
    severity: str
    where: str
    what: str


class Environment:
    """A product, how its world is seeded, and its tasks.

    `facts` is the frozen dataclass that `seed` returns: task texts and guards take their values from it.
    `product` is the service that plays talk to, `services` are further ones at which actors have accounts.
    """

    def __init__(
        self,
        *,
        name: str,
        product: str,
        facts: type[Any],
        seed: Callable[[Seed], Any],
        services: Sequence[str] = (),
        summary: str = "",
        not_gradable: Sequence[NotGradable] = (),
        findings: Sequence[Finding] = (),
        slug: str | None = None,
    ) -> None:
        if not is_dataclass(facts):
            raise TaskError(f"The facts of {name!r} must be a dataclass, not {facts!r}.")
        self.file = _calling_file()
        self.slug = slug or self.file.parent.name
        self.name, self.product, self.facts, self.seed, self.summary = name, product, facts, seed, summary
        self.services = tuple(dict.fromkeys((product, *services)))
        self.not_gradable, self.findings = tuple(not_gradable), tuple(findings)
        self.tasks: dict[str, Task] = {}

    def task(
        self,
        *,
        surface: Surface,
        route: str,
        writes: Iterable[type[Row]],
        actors: Mapping[str, str | Role],
        instruction: str,
        along: Mapping[str, str | Along] | None = None,
        inputs: Mapping[str, str] | None = None,
        neighbours: Mapping[str, str] | None = None,
        answer: type[Any] | None = None,
        title: str | None = None,
        slug: str | None = None,
    ) -> Task:
        """Declares the task of the calling file; its slug is the file's name.

        `actors` name a Person among the facts each, `inputs` a fact whose bytes or text an actor may use;
        `instruction` is filled in from the facts: "… {dana.name}'s claim …". `neighbours` name pairs of facts
        that are easily taken for each other: `prove` plays the reference with the two exchanged, which must
        not pass.
        """
        file = _calling_file()
        slug = slug or kebab(file.stem)
        if slug in self.tasks:
            raise TaskError(f"{self.slug} has a task {slug!r} already; give this one another file name.")
        if surface not in get_args(Surface):
            raise TaskError(f"The surface of {slug} is browser, api or mcp, not {surface!r}.")
        self._check_fields(slug, instruction, actors, inputs or {}, neighbours or {})
        made = Task(
            env=self,
            slug=slug,
            file=file,
            line=sys._getframe(1).f_lineno,
            title=title or slug.replace("-", " ").capitalize(),
            surface=surface,
            route=route,
            writes=frozenset(writes),
            along={n: Along(a) if isinstance(a, str) else a for n, a in (along or {}).items()},
            actors={n: Role(a) if isinstance(a, str) else a for n, a in actors.items()},
            inputs=dict(inputs or {}),
            neighbours=dict(neighbours or {}),
            answer=answer,
            instruction=instruction,
        )
        self.tasks[slug] = made
        return made

    def _check_fields(
        self, slug: str, instruction: str, actors: Mapping[str, str | Role], inputs: Mapping[str, str],
        neighbours: Mapping[str, str],
    ) -> None:  # fmt: skip
        known = {field.name for field in fields(self.facts)}
        asked = [(f"actor {n!r}", a if isinstance(a, str) else a.person) for n, a in actors.items()]
        asked += [(f"input {n!r}", name) for n, name in inputs.items()]
        asked += [("neighbours=", name) for pair in neighbours.items() for name in pair]
        asked += [
            ("instruction", name)
            for _, name, _, _ in string.Formatter().parse(instruction)
            if name is not None
        ]
        for what, name in asked:
            first = name.removeprefix("facts.").split(".")[0].split("[")[0]
            if first not in known:
                raise TaskError(
                    f"The {what} of {slug} names {name!r}; the facts have {', '.join(sorted(known))}."
                )
        for name, other in neighbours.items():
            if name == other:
                raise TaskError(f"{slug} names {name!r} its own neighbour; name the fact that tempts.")
        if not actors:
            raise TaskError(f"{slug} has no actors; name at least one: actors={{'desk': 'mira'}}.")

    @property
    def seed_files(self) -> set[Path]:
        """The seed's file, and those of other scenarios that it takes something from."""
        return _files_behind(self.seed)

    def revision(self, task: Task | None = None) -> str:
        """A hash of the seed, the environment and the task's file (None: of all tasks' files)."""
        tasks = self.tasks.values() if task is None else [task]
        files = {self.file, *(t.file for t in tasks), *self.seed_files}
        return hash_of(sorted(files))


def _files_behind(seed: Callable[[Seed], Any]) -> set[Path]:
    """The seed's file, and those of other scenarios that it takes something from."""
    if isinstance(path := getattr(seed, "path", None), Path):  # a seed.yaml
        return {path}
    shared = {value.__module__ for value in seed.__globals__.values() if hasattr(value, "__module__")}
    names = {seed.__module__, *(name for name in shared if str(name).startswith("scenarios."))}
    found = (getattr(sys.modules.get(name), "__file__", None) for name in names)
    return {Path(file) for file in found if file}


def hash_of(files: Iterable[Path]) -> str:
    """Sixteen hex digits over the contents of files that are there."""
    digest = hashlib.sha256()
    for file in files:
        if file.is_file():
            digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def _calling_file() -> Path:
    """The file of the code that called our caller."""
    return Path(sys._getframe(2).f_globals.get("__file__", "unnamed.py"))
