"""Entries of the environments whose tasks are done in a world."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fakes.core.seeding import build_base
from fakes.core.service import Service
from fakes.core.world import Genesis
from harness import proved
from harness.app import BASE_DATE, ZONE, BrokenScenario, blaming, morning_of
from harness.book.entries import EnvironmentEntry, Honest, Proof, Statement, TaskEntry, Wrong
from harness.discovery import environment_names, load_environment
from harness.environment import Environment
from harness.guards import Along, Subject, TaskError
from harness.task import Task

_SECRET = bytes(32)  # of a base world that nobody enters: an instruction that printed one would print this
Told = Callable[[Task], str]


def world_environments(services: Mapping[str, Service], *, filled: bool = True) -> list[EnvironmentEntry]:
    """Every environment of ours in the order of their names; one that is broken says why.

    Instructions are `filled` in with the facts of a base world, which is made for that, or as declared.
    """
    return [_entry(name, services, filled) for name in environment_names()]


def _entry(name: str, services: Mapping[str, Service], filled: bool) -> EnvironmentEntry:
    try:
        env = load_environment(name)
        return environment_entry(env, services, teller(env, services) if filled else _as_declared)
    except (BrokenScenario, TaskError) as error:
        return EnvironmentEntry(name, name, "world", broken=str(error))


def _as_declared(task: Task) -> str:
    return task.instruction


def teller(env: Environment, services: Mapping[str, Service]) -> Told:
    """How a task's instruction reads in the base world. Raises BrokenScenario and TaskError."""
    genesis = Genesis(1, _SECRET, morning_of(BASE_DATE), ZONE, env.slug)
    with blaming(env.file.parent):
        facts = build_base(dict(services), genesis, env.seed).facts
    return lambda task: task.text(facts)


def environment_entry(
    env: Environment, services: Mapping[str, Service], told: Told = _as_declared
) -> EnvironmentEntry:
    """The entry of an environment."""
    kept = proved.read(env)
    held: Mapping[str, bool] = kept.counts.get("held", {}) if kept and kept.fresh else {}
    product = services.get(env.product)
    return EnvironmentEntry(
        slug=env.slug,
        name=env.name,
        kind="world",
        product=product.title if product else env.product,
        summary=env.summary,
        tables=tuple(row.__table__.name for row in product.tables) if product else (),
        tasks=tuple(task_entry(task, told(task), bool(held.get(task.slug))) for task in env.tasks.values()),
        proof=_proof(env, kept),
        not_gradable=env.not_gradable,
        findings=env.findings,
    )


def _proof(env: Environment, kept: proved.Proved | None) -> Proof:
    total = sum(1 + len(task.cheats) for task in env.tasks.values())
    if kept is None:
        return Proof("never", total)
    counts: dict[str, Any] = kept.counts
    said = (
        ("guards needed", f"{counts.get('needed', '?')}/{counts.get('guards', '?')}"),
        ("generated cheats refused", str(counts.get("generated_refused", "?"))),
        ("probes", f"{counts['probes']:,}" if isinstance(counts.get("probes"), int) else "?"),
    )
    if kept.fresh:
        return Proof("proved", total, int(counts.get("proved", 0)), kept.date, kept.dates, said)
    held = all(counts.get("held", {"": False}).values())
    return Proof("stale" if held else "not held", total, 0, kept.date, kept.dates, said)


def task_entry(task: Task, told: str, held: bool | None) -> TaskEntry:
    """The entry of a task."""
    plays = ([task.the_reference] if task.the_reference else []) + list(task.variants.values())
    return TaskEntry(
        environment=task.env.slug,
        slug=task.slug,
        title=task.title,
        surface=task.surface,
        route=task.route,
        template=task.instruction,
        told=told,
        writes=tuple(sorted(task.written_tables)),
        guards=(
            *(Statement(guard.name, guard.sentence) for guard in task.guards.values()),
            *(Statement(name, sentence, standing=True) for name, sentence in task.standing.items()),
        ),
        wrongs=tuple(
            Wrong(cheat.name, cheat.play.sentence, (cheat.guard.name,), cheat.also)
            for cheat in task.cheats.values()
        ),
        honest=tuple(Honest(play.name, play.sentence) for play in plays),
        facets=tuple((label, rows) for label, rows in _facets(task) if rows),
        held=held,
        revision=task.env.revision(task),
    )


def _facets(task: Task) -> list[tuple[str, tuple[tuple[str, str], ...]]]:
    subjects = task.subjects_by_argument.items()
    answer = task.answer.model_json_schema() if task.answer else {}
    return [
        ("Subjects", tuple((name, _of_subject(subject)) for name, subject in subjects)),
        ("Comes along", tuple((table, _of_along(along)) for table, along in task.along.items())),
        ("Actors", tuple((name, role.person) for name, role in task.actors.items())),
        ("Inputs", tuple(task.inputs.items())),
        ("Easily taken for each other", tuple(task.neighbours.items())),
        ("Holds", tuple((hold.name, hold.sentence) for hold in task.holds)),
        ("Answer", tuple((n, str(f.get("type", "any"))) for n, f in answer.get("properties", {}).items())),
    ]


def _of_subject(subject: Subject) -> str:
    many = f"at least {subject.at_least} rows" if subject.many else "one row"
    how = f"changed in {', '.join(subject.changed)}" if subject.changed is not None else "new"
    return f"{many} of {subject.table}, {how}"


def _of_along(along: Along) -> str:
    limits = [along.operation or "any change"]
    if along.columns is not None:
        limits.append(f"only {', '.join(along.columns)}")
    if along.where is not None:
        limits.append("only some rows")
    return f"{along.reason} ({'; '.join(limits)})"
