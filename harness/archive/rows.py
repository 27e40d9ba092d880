"""The archive's rows as the values of `records`: five queries, and one pass over what each brings."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import fields
from typing import Any

from harness.archive.records import Classification, Grading, Records, Rollout, Run
from harness.driver import Driver
from harness.evidence import Usage
from harness.grade import Verdict

Rows = Iterable[Sequence[Any]]

_COLUMNS = (
    "id", "run", "task", "seed", "number", "state", "begun_ms", "took_s", "error", "bundle", "revision",
    "rail", "confined", *(each.name for each in fields(Usage)),
)  # fmt: skip

QUERIES = (
    "SELECT id, begun_ms, ended_ms, targets, driver, options, versions, isolation FROM runs ORDER BY number",
    f"SELECT {', '.join(_COLUMNS)} FROM rollouts ORDER BY id",
    "SELECT id, rollout, at_ms, revision, state FROM gradings ORDER BY id",
    "SELECT grading, guard, state, message FROM verdicts ORDER BY grading, place",
    "SELECT rollout, at_ms, kind, note, guard FROM classifications ORDER BY id",
)
"""What `gathered` takes, in its order: runs, rollouts, gradings, verdicts, classifications."""


def gathered(runs: Rows, rollouts: Rows, gradings: Rows, verdicts: Rows, classifications: Rows) -> Records:
    """All of an archive from the rows of QUERIES. Raises sqlite3.DatabaseError for what is no such row."""
    try:
        return _gathered(runs, rollouts, gradings, verdicts, classifications)
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise sqlite3.DatabaseError(f"a row of it can't be read ({type(error).__name__}: {error})") from None


def _gathered(runs: Rows, rollouts: Rows, gradings: Rows, verdicts: Rows, classifications: Rows) -> Records:
    said: dict[int, list[Verdict]] = defaultdict(list)
    for grading, *verdict in verdicts:
        said[grading].append(Verdict(*verdict))
    graded: dict[int, list[Grading]] = defaultdict(list)
    for number, rollout, at_ms, revision, state in gradings:
        graded[rollout].append(Grading(rollout, at_ms, revision, state, tuple(said[number])))
    classified: dict[int, list[Classification]] = defaultdict(list)
    for rollout, *classification in classifications:
        classified[rollout].append(Classification(rollout, *classification))
    made = [_rollout(row, graded[row[0]], classified[row[0]]) for row in rollouts]
    return Records([run_of(row) for row in runs], made)


def run_of(row: Sequence[Any]) -> Run:
    """A run from its row."""
    name, begun_ms, ended_ms, targets, driver, options, versions, isolation = row
    return Run(
        name, begun_ms, ended_ms, tuple(json.loads(targets)), Driver.read(json.loads(driver)),
        json.loads(options), json.loads(versions), isolation,
    )  # fmt: skip


def _rollout(row: Sequence[Any], gradings: list[Grading], classifications: list[Classification]) -> Rollout:
    named = dict(zip(_COLUMNS, row, strict=True))
    usage = Usage(**{each.name: named.pop(each.name) for each in fields(Usage)})
    confined = bool(named.pop("confined"))
    return Rollout(
        **named,
        confined=confined,
        usage=usage,
        gradings=tuple(gradings),
        classifications=tuple(classifications),
    )
