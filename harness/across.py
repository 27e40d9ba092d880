"""One proof out of many: what was found of the same tasks on several dates and instances.

A reference, a variant or a cheat holds if it held everywhere, so each is counted once. A guard is needed if
it was the only one to refuse something anywhere.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from harness.dates import Setting
from harness.environment import Environment
from harness.proof import CheatOutcome, EnvironmentProof, Generated, Outcome, TaskProof
from harness.task import Task

Found = Mapping[tuple[Task, Setting], TaskProof]
_WORST: tuple[Outcome, ...] = ("escaped", "harmless", "refused")


def across(
    env: Environment, tasks: Sequence[Task], settings: Sequence[Setting], found: Found, *, quick: bool = False
) -> EnvironmentProof:
    """The proof of an environment's tasks over all settings; where one is missing, nothing held there."""
    places = {place: [found.get((task, place)) for task in tasks] for place in settings}
    held = {place: all(proof is not None and proof.held for proof in each) for place, each in places.items()}
    merged = [merge(task, {place: found.get((task, place)) for place in settings}) for task in tasks]
    first = settings[0]
    return EnvironmentProof(env, merged, first.day, first.zone, quick, settings=held)


def merge(task: Task, found: Mapping[Setting, TaskProof | None]) -> TaskProof:
    """One task's proof out of those from several settings."""
    proofs = [proof for proof in found.values() if proof is not None]
    if not proofs:
        return TaskProof(task, unplayed=True)
    if len(found) == 1:
        return proofs[0]
    everywhere = len(proofs) == len(found)
    return replace(
        min(proofs, key=lambda proof: proof.quick),
        problems=told({place: proof.problems for place, proof in found.items() if proof is not None}),
        reference_held=everywhere and all(proof.reference_held for proof in proofs),
        variants_held=min(proof.variants_held for proof in proofs) if everywhere else 0,
        cheats=_cheats(proofs) if everywhere else [],
        only=set().union(*(proof.only for proof in proofs)),
        probes=sum(proof.probes for proof in proofs),
        loose=_loose(proofs),
        unguarded=_unguarded(proofs),
        generated=_generated(proofs),
        attacks=sum(proof.attacks for proof in proofs),
        quick=all(proof.quick for proof in proofs),
        unplayed=not everywhere or any(proof.unplayed for proof in proofs),
    )


def told(problems: Mapping[Setting, Iterable[str]]) -> list[str]:
    """Each problem once, with where it was met first and how many more there are."""
    places: dict[str, list[Setting]] = defaultdict(list)
    for place, sentences in problems.items():
        for sentence in dict.fromkeys(sentences):
            places[sentence].append(place)
    return [f"{sentence.removesuffix('.')} ({_places(met)})." for sentence, met in places.items()]


def _places(met: Sequence[Setting]) -> str:
    return str(met[0]) + (f", and {len(met) - 1} more" if len(met) > 1 else "")


def _cheats(proofs: Sequence[TaskProof]) -> list[CheatOutcome]:
    """A cheat's outcome where it did not hold, if there is such a place; it is missing if one lacks it."""
    outcomes: dict[str, list[CheatOutcome]] = defaultdict(list)
    for proof in proofs:
        for cheat in proof.cheats:
            outcomes[cheat.name].append(cheat)
    return [min(each, key=lambda cheat: cheat.held) for each in outcomes.values() if len(each) == len(proofs)]


def _generated(proofs: Sequence[TaskProof]) -> list[Generated]:
    """Each generated cheat with the worst that became of it."""
    outcomes: dict[tuple[str, int], list[Generated]] = defaultdict(list)
    for proof in proofs:
        seen: Counter[str] = Counter()
        for generated in proof.generated:
            outcomes[generated.name, seen[generated.name]].append(generated)
            seen[generated.name] += 1
    return [min(each, key=lambda cheat: _WORST.index(cheat.outcome)) for each in outcomes.values()]


def _loose(proofs: Sequence[TaskProof]) -> dict[str, list[str]]:
    passing: dict[str, set[str]] = defaultdict(set)
    for proof in proofs:
        for fact, values in proof.loose.items():
            passing[fact] |= set(values)
    return {fact: sorted(values) for fact, values in sorted(passing.items())}


def _unguarded(proofs: Sequence[TaskProof]) -> list[str]:
    """The columns that no guard looks at anywhere; quick proofs did not ask."""
    asked = [set(proof.unguarded) for proof in proofs if not proof.quick]
    return sorted(set.intersection(*asked)) if asked else []
