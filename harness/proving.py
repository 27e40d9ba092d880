"""Proofs of many tasks over many dates and instances, as jobs for a crew of processes.

A job is one task in one setting. Verdicts depend neither on how many processes there are nor on the order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from harness.across import across, told
from harness.app import BrokenScenario
from harness.dates import BASE, Setting
from harness.discovery import find_task, load_environment
from harness.environment import Environment
from harness.guards import TaskError
from harness.instances import find
from harness.parallel import Crew, Job, Lost, Shop
from harness.proof import EnvironmentProof, Flaw, TaskProof
from harness.qualify import attack_environment, prove_environment, shuffled
from harness.rails import BrowserMissing
from harness.task import Task

Chosen = Sequence[tuple[Environment, Sequence[Task]]]


@dataclass(frozen=True)
class Asked:
    """In which settings to prove, and on how many instances besides: on the date of the one setting, or if
    there are several on the base date. Instances are proved quickly: references, variants and named cheats.
    `order` shuffles by that seed.
    """

    settings: tuple[Setting, ...] = (BASE,)
    instances: int = 0
    quick: bool = False
    order: int | None = None


@dataclass
class Proofs:
    """What was found, a sentence for each environment whose world can't be made, and remarks."""

    found: list[EnvironmentProof] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class _Part:
    """What one job proves: a task in a setting."""

    task: Task
    setting: Setting
    quick: bool
    order: int | None

    def job(self, *, alone: bool) -> Job:
        name = self.task.name if alone else f"{self.task.name} · {self.setting}"
        return Job(name, _prove, (self.task.name, self.setting, self.quick, self.order))


@dataclass(frozen=True)
class _Answer:
    """A proof on its way from a process: without its task, which can't be sent, and all that is plain."""

    proof: Mapping[str, Any]
    flaws: Sequence[Flaw]


async def _prove(shop: Shop, name: str, setting: Setting, quick: bool, order: int | None) -> _Answer | str:
    """Proves a task in a setting; a sentence where its environment's world can't be made there."""
    task = find_task(name)
    try:
        proof = await prove_environment(
            task.env, [task], browser=shop.stage, day=setting.day, zone=setting.zone, seed=setting.seed,
            quick=quick, order=order, progress=shop.say,
        )  # fmt: skip
    except (BrokenScenario, TaskError) as error:
        return str(error)
    [found] = proof.tasks
    return _Answer({f.name: getattr(found, f.name) for f in fields(found) if f.name != "task"}, proof.flaws)


@dataclass(frozen=True)
class _Attacked:
    """What came of the adversaries that act: how many attacks, and what those that got somewhere did."""

    attacks: int
    problems: tuple[str, ...] = ()
    remark: str = ""


async def _attack(shop: Shop, name: str) -> _Attacked:
    """Lets the adversaries loose on an environment; a remark where there is no browser for them."""
    env = load_environment(name)
    shop.say(name, "adversaries")
    try:
        found = await attack_environment(env, browser=shop.browser)
    except BrowserMissing as missing:
        return _Attacked(0, remark=f"{env.slug}: no adversary was let loose: {missing}")
    except (BrokenScenario, TaskError):  # as proving it tells
        return _Attacked(0)
    return _Attacked(len(found), tuple(f"{env.slug}: {attack}." for attack in found if attack.problem))


def outcome(came: Any) -> str:
    """What came of one job of these, in a word or two."""
    if isinstance(came, _Attacked):
        return f"{len(came.problems)} got through" if came.problems else "withstood"
    if isinstance(came, _Answer):
        problems = len(came.proof["problems"])
        return f"{problems} problem{'s' * (problems > 1)}" if problems else "held"
    return came.how if isinstance(came, Lost) else "looked at" if isinstance(came, list) else "no world"


def prove_all(chosen: Chosen, asked: Asked, crew: Crew) -> Proofs:
    """Proves tasks in every setting that is asked for. Raises JobFailed and NoProcesses."""
    proofs = Proofs()
    settings = {env: _settings(env, asked, crew, proofs) for env, _ in chosen}
    parts = [
        _Part(task, setting, asked.quick or setting not in asked.settings, asked.order)
        for env, tasks in chosen for setting in settings[env] for task in tasks
    ]  # fmt: skip
    planned = _planned(parts, asked.order, crew.processes)
    alone = len({part.setting for part in parts}) == 1
    whole = [env for env, tasks in chosen if not asked.quick and tasks and len(tasks) == len(env.tasks)]
    attacks = [Job(f"{env.slug} · adversaries", _attack, (env.slug,)) for env in whole]
    came = crew.run([*(part.job(alone=alone) for part in planned), *attacks])
    answers = dict(zip(planned, came, strict=False))
    attacked = dict(zip(whole, came[len(planned) :], strict=True))
    for env, tasks in chosen:
        _put_together(env, tasks, settings[env], {p: answers[p] for p in parts if p.task.env is env}, proofs)
    _add_attacks(attacked, proofs)
    return proofs


def _add_attacks(attacked: Mapping[Environment, Any], proofs: Proofs) -> None:
    for n, proof in enumerate(proofs.found):
        came = attacked.get(proof.env)
        if isinstance(came, Lost):
            came = _Attacked(0, (f"{proof.env.slug}: the process that let adversaries loose {came.how}.",))
        if came is not None:
            proofs.found[n] = replace(proof, attacks=came.attacks, broken_into=list(came.problems))
            proofs.remarks += [came.remark] if came.remark else []


def _settings(env: Environment, asked: Asked, crew: Crew, proofs: Proofs) -> list[Setting]:
    """Where an environment's tasks are proved: as asked, then on its instances."""
    where = asked.settings[0] if len(asked.settings) == 1 else BASE
    if not asked.instances:
        return list(asked.settings)
    try:
        found = find(env, None, asked.instances, crew, beside=frozenset({BASE.seed}))
    except BrokenScenario:  # as proving it will tell
        return list(asked.settings)
    if shortfall := found.shortfall(env):
        proofs.remarks.append(shortfall)
    return [*asked.settings, *(replace(where, seed=seed) for seed in found.seeds)]


def _planned(parts: Sequence[_Part], order: int | None, processes: int) -> list[_Part]:
    """In which order jobs are begun: shuffled if that is asked for, else what takes longest first, so that no
    process is left with it at the end.
    """
    if order is not None or processes == 1:
        return shuffled(parts, order, "jobs")
    return sorted(
        parts, key=lambda part: (part.quick, part.task.surface != "browser", -len(part.task.cheats))
    )


def _put_together(
    env: Environment, tasks: Sequence[Task], settings: Sequence[Setting], answers: Mapping[_Part, Any],
    proofs: Proofs,
) -> None:  # fmt: skip
    """Makes one proof of an environment out of what its jobs have answered."""
    found: dict[tuple[Task, Setting], TaskProof] = {}
    broken: dict[Setting, list[str]] = {}
    flaws: dict[Flaw, None] = {}
    for part, answer in answers.items():
        if isinstance(answer, str):
            broken.setdefault(part.setting, []).append(answer)
        elif isinstance(answer, Lost):
            problem = f"{part.task.name}: the process that proved it {answer.how}."
            found[part.task, part.setting] = TaskProof(part.task, [problem], quick=part.quick, unplayed=True)
        else:
            found[part.task, part.setting] = TaskProof(part.task, **answer.proof)
            flaws |= dict.fromkeys(answer.flaws)
    proofs.broken += told(broken) if len(settings) > 1 else list(dict.fromkeys(sum(broken.values(), [])))
    if found or not broken:
        quick = all(part.quick for part in answers)
        proof = across(env, tasks, settings, found, quick=quick)
        proofs.found.append(replace(proof, flaws=list(flaws)))
