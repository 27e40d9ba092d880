"""`scenarios/<env>/proved.json`: when an environment's graders were last proved, and how it came out."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fakes.core.clock import utc, wall_ms
from harness.attempt import product_hash
from harness.environment import Environment
from harness.proof import EnvironmentProof


@dataclass(frozen=True)
class Proved:
    """A proof as it is kept. It is `fresh` while tasks, seed and product are what they were."""

    date: str
    fresh: bool
    counts: dict[str, Any]


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
        return Proved(kept["date"], kept["of"] == fingerprint(env) and kept["held"], kept["counts"])
    except (OSError, ValueError, KeyError):
        return None


def write(proof: EnvironmentProof) -> bool:
    """Keeps a whole proof, if it says something new and the folder can be written; whether it did."""
    if proof.quick or len(proof.tasks) != len(proof.env.tasks) or any(task.unplayed for task in proof.tasks):
        return False
    path = path_of(proof.env)
    new = {"held": proof.held, "of": fingerprint(proof.env), "counts": counts(proof)}
    try:
        kept = json.loads(path.read_text()) if path.exists() else {}
        if {name: value for name, value in kept.items() if name != "date"} == new:
            return False
        today = utc(wall_ms()).date().isoformat()
        path.write_text(json.dumps({"date": today, **new}, indent=2) + "\n")
    except (OSError, ValueError):
        return False
    return True


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
