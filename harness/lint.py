"""Lint: what is probably wrong with a task, each with file, line and the edit that puts it right.

Surely wrong, and a problem of the proof, is only a guard that reads nothing of the end: whatever it asserts,
no attempt can fail it. Likely wrong, and a warning: a literal date, an `along` that is wider than honest work
needs, an `also` whose guard did not refuse, an actor that nobody plays, a neighbour that changes nothing.
The rest are notes, of what may be meant so: a pristine row that fits a subject, an actor that only cheats
play, asserts that don't say what they found, facts that nobody reads.
"""

from __future__ import annotations

import dataclasses
import re
import string
from collections.abc import Iterator, Mapping, Sequence

from fakes.core.service import Service
from harness import reads, sources
from harness.environment import Environment
from harness.evidence import Evidence, OpenEvidence
from harness.guards import Subject
from harness.proof import Flaw, TaskProof
from harness.task import Task
from harness.wide import wide

_MONTHS = "January February March April May June July August September October November December".split()
_MONTH = rf"(?:{'|'.join(_MONTHS)}|{'|'.join(f'{m[:3]}[.]?' for m in _MONTHS)})"
_DATE = re.compile(
    rf"\b\d{{4}}-\d\d-\d\d\b|\b\d{{1,2}}/\d{{1,2}}/\d{{2,4}}\b|\b{_MONTH} \d{{1,2}}\b(?!:)"
    rf"|\b\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{_MONTH}\b|\bdate(?:time)?\(\d+, *\d+, *\d+"
)
_BROKEN = re.compile(r": (Attribute|Type|Key|Index|Lookup|Value|Runtime|Assertion)Error\b")


def lint(
    task: Task, proof: TaskProof, honest: Sequence[Evidence], services: Mapping[str, Service]
) -> Iterator[Flaw]:
    """The flaws of a task, by what its proof found; `honest` is evidence of plays that pass, the reference's
    first.
    """
    yield from _dates(task)
    yield from _actors(task)
    yield from _also(task, proof)
    yield from _neighbours(task, proof)
    yield from _mute(task)
    if honest:
        yield from _blind(task, honest[0], services)
        yield from wide(task, honest, services)
        yield from _already_there(task, honest[0], services)


def lint_environment(env: Environment) -> Iterator[Flaw]:
    """The flaws of an environment as a whole: dates in its seed, facts that nobody reads."""
    for file in sorted(file for file in env.seed_files if file.suffix == ".py"):
        for text in sources.texts(file):
            if found := _DATE.search(text.text):
                yield Flaw(
                    f"{text.place}: the seed has the literal date {found[0]!r}, wrong on every other day; "
                    "write w.day(-5), so many days from the run clock's today."
                )
    read = _read_facts(env)
    for name in [field.name for field in dataclasses.fields(env.facts) if field.name not in read]:
        place = sources.place_of_field(env.facts, name)
        yield Flaw(f"{place}: no text, guard or play reads the fact {name!r}; take it out.", "note")


def _read_facts(env: Environment) -> set[str]:
    names = [name for task in env.tasks.values() for name in _named_facts(task)]
    read = {name.removeprefix("facts.").split(".")[0].split("[")[0] for name in names}
    files = {task.file for task in env.tasks.values()}
    if env.file.name == "environment.py":  # a folder of its own, where tasks may share what they do
        files |= {*env.file.parent.rglob("*.py")} - env.seed_files
    return read | sources.attributes(*files)


def _named_facts(task: Task) -> list[str]:
    """The facts that a declaration names."""
    filled = [name for _, name, _, _ in string.Formatter().parse(task.instruction) if name is not None]
    pairs = [name for pair in task.neighbours.items() for name in pair]
    return [*filled, *task.inputs.values(), *(role.person for role in task.actors.values()), *pairs]


# dates


def _dates(task: Task) -> Iterator[Flaw]:
    for literal, _, _, _ in string.Formatter().parse(task.instruction):
        if found := _DATE.search(literal):
            place = sources.place_in(task, found[0])
            yield Flaw(
                f"{place}: the instruction has the literal date {found[0]!r}, wrong on every other day; make "
                "it a fact of the seed, w.day(-5), and write {fact:%Y-%m-%d} here."
            )
    checks = [g.where if isinstance(g, Subject) else g.check for g in task.guards.values()]
    checks += [along.where for along in task.along.values() if along.where is not None]
    nodes = {id(node): node for check in checks for node in sources.nodes_of(check)}
    seen: set[str] = set()
    for text in (text for node in nodes.values() for text in sources.texts(task.file, node)):
        if (found := _DATE.search(text.text)) and text.place not in seen:
            seen.add(text.place)
            yield Flaw(
                f"{text.place}: a guard has the literal date {found[0]!r}, wrong on every other day; compare "
                "with a fact instead, which the seed makes by w.day(-5)."
            )


# guards


def _blind(task: Task, reference: Evidence, services: Mapping[str, Service]) -> Iterator[Flaw]:
    for guard in reads.unread(task, reference, services):
        asks = "asks for no argument" if not guard.params else "reads no row, column, request or answer"
        yield Flaw(
            f"{sources.place_of(guard.check)}: guard {guard.name} {asks}, so nothing can make it refuse; "
            "assert something of `end` or of a subject in it, or delete it.",
            "sure",
        )


def _mute(task: Task) -> Iterator[Flaw]:
    for guard in task.guards.values():
        lines = [] if isinstance(guard, Subject) else sources.mute_asserts(guard.check)
        if lines:
            place = sources.place_of(guard.check).rpartition(":")[0]
            yield Flaw(
                f"{place}:{lines[0]}: guard {guard.name} does not say what it found; write a message: "
                'assert …, f"it is {…!r}".',
                "note",
            )


def _already_there(task: Task, reference: Evidence, services: Mapping[str, Service]) -> Iterator[Flaw]:
    """New rows are never mixed up with old ones, but people and agents do, where both fit."""
    with OpenEvidence(reference, services) as (before, _):
        for subject in task.subjects_by_argument.values():
            rows = [] if subject.changed is not None else before.all(subject.row)
            fitting = [row for row in rows if subject.where(row, reference.facts)]
            if fitting and len(fitting) < len(rows):
                row = f"{subject.table} {', '.join(map(str, fitting[0].key()))}"
                yield Flaw(
                    f"{sources.place_of(subject.where)}: the pristine {row} fits the subject "
                    f"{subject.argument!r}; narrow its where, unless another such row is what is asked.",
                    "note",
                )


# cheats, actors, neighbours


def _also(task: Task, proof: TaskProof) -> Iterator[Flaw]:
    for outcome in proof.cheats:
        cheat = task.cheats[outcome.name]
        for name in sorted(set(cheat.also) - outcome.refused):
            place = sources.place_of(cheat.play.function)
            yield Flaw(f"{place}: {name} does not refuse cheat {cheat.name}; delete it from also=.")


def _actors(task: Task) -> Iterator[Flaw]:
    assert task.the_reference is not None
    honest = [task.the_reference, *task.variants.values()]
    plays = [*honest, *(cheat.play for cheat in task.cheats.values())]
    for name in task.actors:
        place = sources.place_in(task, name)
        if not any(name in play.params for play in plays):
            yield Flaw(f"{place}: no play of {task.slug} has the actor {name!r}; delete it from actors=.")
        elif not any(name in play.params for play in honest):
            yield Flaw(
                f"{place}: only cheats of {task.slug} play the actor {name!r}, and agents get it too; delete "
                "it from actors=, unless that is the temptation.",
                "note",
            )


def _neighbours(task: Task, proof: TaskProof) -> Iterator[Flaw]:
    pairs = zip(task.neighbours.items(), (g for g in proof.generated if g.kind == "neighbour"), strict=False)
    for (name, other), generated in pairs:
        place = sources.place_in(task, name)
        if generated.outcome == "harmless":
            yield Flaw(
                f"{place}: neighbours= exchanges {name!r} and {other!r}, and the reference does what it did; "
                "name a fact that it reads."
            )
        elif broke := _BROKEN.search(generated.error):
            yield Flaw(
                f"{place}: with {other!r} for {name!r} the reference breaks ({broke[0][2:]}) before it can "
                "go wrong; name a fact that it can be mistaken about."
            )
