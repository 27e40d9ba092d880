"""`scenarios/<env>/proved.json`: when an environment's graders were last proved, and how it came out."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fakes.core.clock import utc, wall_ms
from harness.attempt import product_hash
from harness.dates import BASE, Setting
from harness.environment import Environment
from harness.proof import EnvironmentProof


@dataclass(frozen=True)
class Proved:
    """A proof as it is kept. It is `fresh` while tasks, seed and product are what they were.

    `dates` are those on which it was proved, with their zones: "2024-02-29 Asia/Kolkata".
    """

    date: str
    fresh: bool
    counts: dict[str, Any]
    dates: tuple[str, ...]


def path_of(env: Environment) -> Path:
    """Where an environment's proof is kept."""
    return env.file.parent / "proved.json"


def fingerprint(env: Environment) -> dict[str, str]:
    """Hashes of what a proof is about: tasks and seed, and the product's code."""
    return {"tasks": env.revision(), "product": product_hash(env)}


def read(env: Environment) -> Proved | None:
    """The proof that is kept; None when the environment was never proved."""
    try:
        kept: dict[str, Any] = json.loads(path_of(env).read_text())
        fresh = kept["of"] == fingerprint(env) and kept["held"]
        return Proved(kept["date"], fresh, kept["counts"], tuple(kept.get("dates", ())))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def write(proof: EnvironmentProof) -> bool:
    """Keeps a whole proof, if it says something new and the folder can be written; whether it did.

    Of the same tasks, seed and product, what was found on other dates stays: a proof on one date undoes
    neither those that held nor those that did not.
    """
    if proof.quick or len(proof.tasks) != len(proof.env.tasks) or any(task.unplayed for task in proof.tasks):
        return False
    path = path_of(proof.env)
    try:
        kept = json.loads(path.read_text()) if path.exists() else {}
        new = _joined(proof, kept)
        if {name: value for name, value in kept.items() if name != "date"} == new:
            return False
        today = utc(wall_ms()).date().isoformat()
        path.write_text(json.dumps({"date": today, **new}, indent=2) + "\n")
    except (OSError, ValueError):
        return False
    return True


def _joined(proof: EnvironmentProof, kept: dict[str, Any]) -> dict[str, Any]:
    """What is kept of a proof, with what `kept` says of the same and the proof does not."""
    of = fingerprint(proof.env)
    before: dict[str, bool] = kept.get("dates", {}) if kept.get("of") == of else {}
    played = proof.settings or {Setting(proof.day, proof.zone): proof.held}
    dates = {place: held for place, held in before.items() if place not in map(str, played)}
    new = counts(proof)
    if not all(dates.values()):  # a task that failed on another date still does
        failed = {task for task, held in kept["counts"]["held"].items() if not held}
        new["held"] = {task: held and task not in failed for task, held in new["held"].items()}
    # of instances, which are many, those are kept that did not hold
    dates |= {str(place): held for place, held in played.items() if not held or place.seed == BASE.seed}
    return {"held": all(dates.values()), "of": of, "dates": dict(sorted(dates.items())), "counts": new}


def counts(proof: EnvironmentProof) -> dict[str, Any]:
    """What the task book shows of a proof."""
    tasks = proof.tasks
    return {
        "day": proof.day.isoformat(),
        "zone": proof.zone,
        "proved": sum(task.proved for task in tasks),
        "total": sum(task.total for task in tasks),
        "guards": sum(len(task.task.guards) for task in tasks),
        "needed": sum(len(task.task.guards) - len(task.needless) for task in tasks),
        "probes": sum(task.probes for task in tasks),
        "generated_refused": sum(task.outcomes("refused") for task in tasks),
        "held": {task.task.slug: task.held for task in tasks},
    }
