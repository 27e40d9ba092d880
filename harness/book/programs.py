"""Entries of the environments whose tasks are programs to be reworked."""

from __future__ import annotations

from collections.abc import Mapping

from harness.app import BrokenScenario
from harness.book.entries import EnvironmentEntry, Honest, Proof, Statement, TaskEntry, Wrong
from harness.code import locks, qualified
from harness.code.declaring import CodeEnvironment, CodeTask, Witness
from harness.code.discovery import code_environment_names, load_code_environment
from harness.code.grader import Grader, grader_of
from harness.code.solutions import START
from harness.guards import TaskError


def code_environments() -> list[EnvironmentEntry]:
    """Every code environment in the order of their names; one that is broken says why."""
    return [_entry(name) for name in code_environment_names()]


def _entry(name: str) -> EnvironmentEntry:
    try:
        return code_entry(load_code_environment(name))
    except (BrokenScenario, TaskError, OSError) as error:
        return EnvironmentEntry(name, name, "code", broken=str(error))


def code_entry(env: CodeEnvironment) -> EnvironmentEntry:
    """The entry of a code environment."""
    grader, kept = grader_of(env), locks.read(env)
    proof = _proof(env)
    return EnvironmentEntry(
        slug=env.slug,
        name=env.name,
        kind="code",
        product=env.package,
        summary=env.summary,
        tasks=tuple(_task(task, grader, proof.fresh) for task in env.tasks.values()),
        proof=proof,
        not_gradable=env.not_gradable,
        findings=env.findings,
        instances=tuple((slug, _lock(task, kept)) for slug, task in env.tasks.items()),
    )


def _lock(task: CodeTask, kept: Mapping[str, str]) -> str:
    if task.slug not in kept:
        return "not locked yet"
    return kept[task.slug] + (" (changed since)" if locks.complaint(task) else "")


def _proof(env: CodeEnvironment) -> Proof:
    total, kept = len(env.tasks) + len(env.witnesses), qualified.read(env)
    if kept is None:
        return Proof("never", total)
    counts = (("crash points", f"{kept.crash_points:,}"),)
    if kept.fresh:
        return Proof("proved", total, kept.proved, kept.date, counts=counts)
    return Proof("stale" if kept.proved == kept.total else "not held", total, 0, kept.date, counts=counts)


def _task(task: CodeTask, grader: Grader, held: bool) -> TaskEntry:
    env, asked = task.env, task.instance.invariants
    first = next(iter(env.tasks.values())).instance.invariants
    statements = [
        Statement(
            name, grader.invariants[name].sentence, grader.invariants[name].title,
            later="" if name in first else f"added with {_since(env, name)}",
        )
        for name in asked
    ]  # fmt: skip
    holds = [Statement(name, said, standing=True) for name, said in grader.hold_sentences.items()]
    return TaskEntry(
        environment=env.slug,
        slug=task.slug,
        title=f"{env.name}, {task.slug.replace('-', ' ')}",
        surface="code",
        route="",
        template=task.instruction,
        told=task.instruction,
        writes=(),
        guards=(*statements, *holds),
        wrongs=(
            Wrong(START, "The program as it is handed out.", asked, named=False),
            *(Wrong(each.slug, each.sentence, _fails(each, asked)) for each in task.witnesses),
        ),
        honest=(Honest("reference", "Everything that the contract asks for."),),
        facets=_facets(env),
        held=held,
        revision=locks.lock_of(task),
        adds=task.instance.adds,
    )


def _fails(witness: Witness, asked: tuple[str, ...]) -> tuple[str, ...]:
    return (witness.breaks,) if witness.breaks else tuple(name for name in witness.fails if name in asked)


def _since(env: CodeEnvironment, invariant: str) -> str:
    return next(slug for slug, task in env.tasks.items() if invariant in task.instance.invariants)


def _facets(env: CodeEnvironment) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    return (
        ("Program", ((env.package, f"its visible tests are in {env.tests}/"),)),
        ("Left as they are", tuple((glob, "") for glob in env.locked)),
        ("May open SQLite", ((env.store, "no other module"),)),
        ("Killed by", ((env.fault, f"commit:K or write:K, with exit code {env.fault_exit}"),)),
    )
