"""The grader of a code environment, read from grader/invariants.py: its invariants and holds by name."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from harness.code.declaring import CodeEnvironment, Hold, Invariant
from harness.code.holds import STANDING
from harness.guards import TaskError


@dataclass(frozen=True)
class Grader:
    """What a solution is held against. `holds` are those of this task alone, beside the standing ones."""

    invariants: Mapping[str, Invariant]
    holds: Mapping[str, Hold]

    @property
    def hold_sentences(self) -> dict[str, str]:
        """All holds, the standing ones too, with their sentences."""
        standing = {name: " ".join((check.__doc__ or "").split()) for name, check in STANDING.items()}
        return {**standing, **{name: hold.sentence for name, hold in self.holds.items()}}


def grader_of(env: CodeEnvironment) -> Grader:
    """The grader, imported; it must fit what the environment declares. Raises TaskError."""
    module = importlib.import_module(f"scenarios.{env.slug}.grader.invariants")
    found = [value for value in vars(module).values() if isinstance(value, Invariant | Hold)]
    grader = Grader(
        {each.name: each for each in found if isinstance(each, Invariant)},
        {each.name: each for each in found if isinstance(each, Hold)},
    )
    _check(env, grader)
    return grader


def _check(env: CodeEnvironment, grader: Grader) -> None:
    known, holds = set(grader.invariants), set(grader.hold_sentences)
    for task in env.tasks.values():
        if not task.instance.invariants:
            raise TaskError(f"{task.name} asks for no invariant; name those that it asks for.")
        _check_names(f"{task.name} asks for", task.instance.invariants, known)
    for witness in env.witnesses.values():
        _check_names(f"Witness {witness.slug} of {env.slug} fails", witness.fails, known)
        broken = [witness.breaks] if witness.breaks else []
        _check_names(f"Witness {witness.slug} of {env.slug} breaks", broken, holds)
        if bool(witness.fails) == bool(witness.breaks):
            raise TaskError(
                f"Witness {witness.slug} of {env.slug} must fail an invariant or break a hold: say which."
            )
        if not (env.folder / "witnesses" / witness.slug).is_dir():
            raise TaskError(f"Witness {witness.slug} of {env.slug} has no folder in witnesses/; make it.")


def _check_names(who: str, names: Iterable[str], known: set[str]) -> None:
    for name in names:
        if name not in known:
            raise TaskError(f"{who} {name!r}; the grader has {', '.join(sorted(known)) or 'none'}.")
