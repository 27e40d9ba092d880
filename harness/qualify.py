"""Proving graders: what must fail fails, honest plays pass, and each cheat is refused by exactly its guards.

Everything is played in a fresh world and graded from a bundle, the way agents are.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Any, TypeVar, get_args

import pydantic

from fakes.core.ids import rng
from fakes.core.seeding import build_base
from fakes.core.service import Service
from fakes.core.world import KERNEL_ROWS, Genesis
from harness.adversaries import Attack, answers, intrude
from harness.app import BASE_DATE, FIXED_SECRET, ZONE, morning_of
from harness.attempt import Attempts
from harness.driven import PLAY_TIMEOUT
from harness.environment import Environment
from harness.evidence import Evidence, OpenEvidence
from harness.generated import Played, ScriptRail, generate, not_applying, played, regrade
from harness.grade import Grade
from harness.guards import Cheat, Play, TaskError
from harness.lint import lint, lint_environment
from harness.probes import probe
from harness.proof import CheatOutcome, EnvironmentProof, TaskProof
from harness.rails import ApiRail, BrowserMissing, BrowserRail, McpRail, Rail
from harness.rails.outside import OutsideRail
from harness.steps import Steps
from harness.tap import HeardServer
from harness.task import Task

CLAIM = "Done. Everything was completed as asked."
Progress = Callable[[str, str], None]
T = TypeVar("T")


def _silent(task: str, what: str) -> None:
    """Tells nobody."""


@asynccontextmanager
async def attempts_on(
    env: Environment, *, services: dict[str, Service] | None = None, browser: BrowserRail | None = None,
    day: date = BASE_DATE, zone: str = ZONE, seed: int = 1, secret: bytes | None = FIXED_SECRET,
    doors: bool = False,
) -> AsyncIterator[Attempts]:  # fmt: skip
    """A server for attempts on an environment; everything is stopped at the end.

    It has neither portal nor control plane, unless `doors` are wanted for somebody to try.
    """
    rail = browser or BrowserRail()
    server = _server(services, secret, doors)
    async with server:
        if env.product not in server.services:
            raise TaskError(f"{env.slug} is about {env.product!r}, which is no service here.")
        genesis = Genesis(seed, server.secret, morning_of(day, zone), zone, env.slug)
        rails: dict[str, Rail] = {
            "api": ApiRail(), "mcp": McpRail(), "browser": rail, "command": OutsideRail(),
            "script": ScriptRail(),
        }  # fmt: skip
        try:
            yield Attempts(server, env, genesis, rails=rails)
        finally:
            if browser is None:
                await rail.close()


def _server(services: dict[str, Service] | None, secret: bytes | None, doors: bool) -> HeardServer:
    if not doors:
        return HeardServer(services=services, secret=secret)
    from harness.control import control_app  # slow to import, as is the portal
    from harness.portal.app import portal_app

    return HeardServer(services=services, secret=secret, portal=portal_app, control=control_app)


async def prove_environment(
    env: Environment, tasks: Sequence[Task] | None = None, *, services: dict[str, Service] | None = None,
    browser: BrowserRail | None = None, day: date = BASE_DATE, zone: str = ZONE, seed: int = 1,
    quick: bool = False, order: int | None = None, progress: Progress = _silent,
) -> EnvironmentProof:  # fmt: skip
    """Proves the graders of an environment, or of some `tasks`; `quick` plays references and cheats alone.

    `order` shuffles tasks and plays by that seed; what is found is told in the declared order all the same.
    """
    chosen = list(env.tasks.values()) if tasks is None else list(tasks)
    proofs: dict[Task, TaskProof] = {}
    async with attempts_on(
        env, services=services, browser=browser, day=day, zone=zone, seed=seed
    ) as attempts:
        steady = quick or _is_steady(attempts)
        for task in shuffled(chosen, order, env.slug):
            proofs[task] = await _Prover(attempts, task, progress, quick, order, steady).prove()
    found = [proofs[task] for task in chosen]
    return EnvironmentProof(env, found, day, zone, quick, list(lint_environment(env)))


def _is_steady(attempts: Attempts) -> bool:
    """Whether the seed makes the same world once more."""
    again = build_base(attempts.server.services, attempts.genesis, attempts.env.seed)
    return again.pristine_hash == attempts.base.pristine_hash


async def attack_environment(env: Environment, *, browser: BrowserRail | None = None) -> list[Attack]:
    """Lets the adversaries that act loose on an environment, on a server whose portal and control plane can
    be tried: at its first browser task, if it has one. Raises BrowserMissing.
    """
    tasks = sorted(env.tasks.values(), key=lambda task: task.surface != "browser")
    async with attempts_on(env, browser=browser, doors=True) as attempts:
        return await intrude(attempts, tasks[0]) if tasks else []


def shuffled(things: Sequence[T], order: int | None, what: str) -> list[T]:
    """Things in the random order that a seed gives, another for each `what`; as they are for no seed."""
    mixed = list(things)
    if order is not None:
        rng(f"order {order} {what}").shuffle(mixed)
    return mixed


@dataclass
class _Prover:
    """Proves one task."""

    attempts: Attempts
    task: Task
    progress: Progress
    quick: bool
    order: int | None
    steady: bool

    async def prove(self) -> TaskProof:
        """Plays all there is to play."""
        self.proof = TaskProof(self.task, quick=self.quick)
        self.honest: list[Evidence] = []
        try:
            self.task.check()
            self._check_tables()
            self.task.text(self.attempts.base.facts)
            await self._plays()
            if not self.steady:
                self._problem(
                    "the seed makes another world each time; take chance from w.rng, time from w.day."
                )
            if self.reference is not None and not self.quick:
                self._probes(self.reference.evidence)
                await self._generated(self.reference)
                self._answers(self.reference.evidence)
            self._lint()
        except (TaskError, BrowserMissing) as error:
            self.proof.unplayed = True
            self._problem(f"can't be proved: {error}")
        return self.proof

    async def _plays(self) -> None:
        """Each play has a world of its own, so that they can be played in any order."""
        self.reference: Played | None = None
        plays: list[Callable[[], Awaitable[None]]] = [self._must_fail, self._reference]
        plays += [partial(self._variant, variant) for variant in self.task.variants.values()]
        plays += [partial(self._cheat, cheat) for cheat in self.task.cheats.values()]
        found: list[list[str]] = [[] for _ in plays]
        try:
            for n in shuffled(range(len(plays)), self.order, self.task.name):
                self.proof.problems = found[n]
                await plays[n]()
        finally:
            self.proof.problems = [problem for problems in found for problem in problems]
            declared = list(self.task.cheats)
            self.proof.cheats.sort(key=lambda cheat: declared.index(cheat.name))

    def _problem(self, sentence: str) -> None:
        self.proof.problems.append(f"{self.task.name}: {sentence}")

    def _say(self, what: str) -> None:
        self.progress(self.task.slug, what)

    def _check_tables(self) -> None:
        server = self.attempts.server
        known = {row.__table__.name for service in server.services.values() for row in service.tables}
        for name in self.task.along:
            if name not in known and name not in _kernel_tables():
                raise TaskError(f"along= names a table {name!r} that no service has.")

    async def _run(
        self, play: Play | None, *, empty: bool = False, answer: Any = None, honest: bool = False
    ) -> tuple[Grade, Played]:
        """Plays in a fresh world, puts that back, and grades what was kept, twice."""
        idle = "script" if play is None and self.task.surface == "browser" else None  # needs no Chromium
        steps = Steps(honest=honest)
        async with self.attempts.open(self.task, empty=empty, rail=idle, steps=steps) as attempt:
            attempt.answer = answer
            if play is not None:
                await attempt.play(play, PLAY_TIMEOUT)
            kept = played(attempt, attempt.evidence())
            hashes = {attempt.world.reset(), attempt.world.state_hash()}
            if hashes != {self.attempts.base.pristine_hash}:
                self._problem(
                    f"after {play.name if play else 'nothing'} a reset did not bring the pristine world back."
                )
        graded = regrade(self.attempts, self.task, kept.evidence)
        if regrade(self.attempts, self.task, kept.evidence) != graded:
            self._problem(f"{play.name if play else 'doing nothing'} is graded otherwise the second time.")
        return graded, kept

    # what must fail

    async def _must_fail(self) -> None:
        self._say("what must fail")
        self._fails(
            "the pristine world", regrade(self.attempts, self.task, self.attempts.untouched(self.task))
        )
        self._fails("an agent that does nothing", (await self._run(None))[0])
        self._fails("an agent that only says it is done", (await self._run(None, answer=self._claim()))[0])
        self._fails("an empty world", (await self._run(None, empty=True))[0])

    def _fails(self, what: str, graded: Grade) -> None:
        self._errors(what, graded)
        if graded.all_passed:
            self._problem(f"{what} passes; a guard must ask for what the work leaves behind.")

    def _claim(self) -> Any:
        return CLAIM if self.task.answer is None else plausible(self.task.answer)

    # what must pass

    async def _reference(self) -> None:
        assert self.task.the_reference is not None
        self._say("reference")
        graded, kept = await self._run(self.task.the_reference, honest=True)
        held = self._passes("the reference", graded, kept.evidence) and self._writes(kept.evidence)
        self.proof.reference_held = held
        self.reference = kept if held else None
        if held:
            self.honest.insert(0, kept.evidence)

    async def _variant(self, variant: Play) -> None:
        self._say(f"variant {variant.name}")
        graded, kept = await self._run(variant, honest=True)
        if self._passes(f"variant {variant.name}", graded, kept.evidence):
            self.proof.variants_held += 1
            self.honest.append(kept.evidence)

    def _passes(self, what: str, graded: Grade, evidence: Evidence) -> bool:
        self._errors(what, graded)
        if evidence.ended != "finished":
            self._problem(f"{what} did not come to its end: {evidence.error}.")
        elif not graded.passed and not graded.errors:
            self._problem(f"{what} must pass but does not: {_reasons(graded)}.")
        return graded.passed

    def _writes(self, evidence: Evidence) -> bool:
        """Whether the reference wrote every table that the task names, one of them by its route."""
        with OpenEvidence(evidence, self.attempts.server.services) as (_, after):
            changes = [c for c in after.diff(since=evidence.baseline) if c.table in self.task.written_tables]
            routes = {r.id: r.route for r in after.log.rows()}
        missing = sorted(self.task.written_tables - {change.table for change in changes})
        if missing:
            self._problem(f"the reference never writes {', '.join(missing)}, which the task says it does.")
        by_route = any(routes.get(n) == self.task.route for change in changes for n in change.requests if n)
        if not by_route:
            used = sorted({routes.get(n) or "no route" for change in changes for n in change.requests if n})
            self._problem(
                f"the reference does not write by {self.task.route} but by {', '.join(used) or 'nothing'}."
            )
        return by_route and not missing

    # what must be refused

    async def _cheat(self, cheat: Cheat) -> None:
        self._say(f"cheat {cheat.name}")
        graded, kept = await self._run(cheat.play)
        what = f"cheat {cheat.name}"
        self._errors(what, graded)
        finished = kept.evidence.ended == "finished"
        exact = graded.refused == cheat.expected
        if not finished:
            self._problem(f"{what} did not come to its end: {kept.evidence.error}.")
        elif graded.void:
            self._problem(f"{what} counts for nothing: {graded.void}.")
        elif not exact:
            self._problem(
                f"{what} is to be refused by {_names(cheat.expected)}, and was by {_reasons(graded)}."
            )
        self._note(graded)
        held = finished and exact and not graded.errors and not graded.void
        self.proof.cheats.append(CheatOutcome(cheat.name, cheat.expected, graded.refused, held))

    def _note(self, graded: Grade) -> None:
        if len(graded.refused) == 1 and not graded.errors:
            self.proof.only |= graded.refused

    def _errors(self, what: str, graded: Grade) -> None:
        for verdict in graded.errors:
            self._problem(
                f"{what} makes guard {verdict.guard} raise {verdict.message}; a guard passes or refuses."
            )

    def _probes(self, evidence: Evidence) -> None:
        self._say("probes")
        raised: dict[str, tuple[str, str]] = {}
        guarded: set[str] = set()
        free: dict[str, set[str]] = {}
        for tried, graded in probe(self.task, evidence, self.attempts.server.services):
            self.proof.probes += 1
            self._note(graded)
            if graded.all_passed:
                free.setdefault(tried.fact, set()).add(tried.how)
            elif tried.fact:
                guarded.add(tried.fact)
            for verdict in graded.errors:
                raised.setdefault(verdict.guard, (tried.name, verdict.message))
        for guard, (name, message) in raised.items():
            self._problem(f"probe {name!r} makes guard {guard} raise {message}; a guard passes or refuses.")
        self.proof.loose = {fact: sorted(free[fact]) for fact in sorted(guarded & free.keys())}
        written = tuple(f"{table}." for table in self.task.written_tables)
        self.proof.unguarded = sorted(fact for fact in free.keys() - guarded if fact.startswith(written))

    def _answers(self, evidence: Evidence) -> None:
        self._say("hostile answers")
        for attack in answers(self.task, evidence, self.attempts.server.services):
            self.proof.attacks += 1
            if attack.problem:
                self._problem(f"{attack}.")

    async def _generated(self, reference: Played) -> None:
        self._say("generated cheats")
        self.proof.not_applying = not_applying(self.attempts, self.task, reference)
        async for generated in generate(self.attempts, self.task, reference):
            self._say(f"generated: {generated.name}")
            self.proof.generated.append(generated)
            if generated.trouble:
                self._problem(f"{generated.name} {generated.trouble}.")
            if generated.outcome == "escaped":
                self._problem(f"ESCAPED: {generated.name}, and the task passes; a guard must notice.")

    def _lint(self) -> None:
        honest = self.honest if self.proof.reference_held else []
        self.proof.flaws = list(lint(self.task, self.proof, honest, self.attempts.server.services))
        for flaw in self.proof.flaws:
            if flaw.level == "sure":
                self._problem(flaw.sentence)


def _kernel_tables() -> frozenset[str]:
    return frozenset(row.__table__.name for row in KERNEL_ROWS)


def _names(names: frozenset[str]) -> str:
    return " and ".join(sorted(names)) + (" alone" if len(names) == 1 else "")


def _reasons(graded: Grade) -> str:
    said = [f"{v.guard} ({v.message or 'no message'})" for v in graded.verdicts if v.state == "refused"]
    return " and ".join(said) or graded.void or "no guard"


def plausible(model: type[pydantic.BaseModel]) -> dict[str, Any]:
    """An answer that has the right form and knows nothing."""
    guesses: Mapping[Any, Any] = {int: 1, float: 1.0, bool: True, date: "2025-01-01"}
    kinds = {name: field.annotation for name, field in model.model_fields.items()}
    return {name: guesses.get(next(iter(get_args(kind)), kind), "done") for name, kind in kinds.items()}
