"""The relay: its grader is qualified for what is here, and its fault hook strikes where it says."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from harness.code import locks, qualified
from harness.code.bench import open_bench
from harness.code.discovery import load_code_environment
from harness.code.grading import grade_solution, try_holds, try_invariant
from harness.code.solutions import REFERENCE, START, build
from harness.code.visible import try_visible

ENV = load_code_environment("relay")
FIRST, SECOND = ENV.tasks["instance-1"], ENV.tasks["instance-2"]

WAYS = {
    "each by itself": "c.execute(A); c.execute(B)",
    "by a cursor": "k = c.cursor(); k.execute(A); k.execute(B)",
    "many": "c.executemany('INSERT INTO t VALUES (?)', [('a',), ('b',)])",
    "a script": "c.executescript(A + ';' + B + ';')",
    "with rows returned": "c.execute(A + ' RETURNING n'); c.execute(B + ' RETURNING n').fetchall()",
    "one refused": "c.execute(A)\ntry: c.execute(A)\nexcept sqlite3.IntegrityError: c.execute(B)",
    "one transaction": "c.execute('BEGIN'); c.execute(A); c.execute(B); c.execute('COMMIT')",
    "a block": "c.isolation_level = 'IMMEDIATE'\nwith c: c.execute(A); c.execute(B)",
    "committed by name": "c.isolation_level = 'DEFERRED'\nc.execute(A); c.execute(B); c.commit()",
    "a savepoint": "c.execute('SAVEPOINT s'); c.execute(A); c.execute(B); c.execute('RELEASE s')",
    "a common table": "c.execute('BEGIN'); c.execute('WITH v AS (SELECT 1) ' + A); c.execute(B); c.commit()",
}
"""Ways to write two rows, in the first six of which each row is committed alone."""

KILL = """
import json, os, sqlite3, sys
from relay import faults, store

A, B = "INSERT INTO t VALUES ('a')", "INSERT INTO t VALUES ('b')"

def left(way, fault, path):
    child = os.fork()
    if not child:
        store.FAULT = faults.Fault("")
        c = store.connect(path)
        c.execute("CREATE TABLE t (n TEXT PRIMARY KEY)")
        store.FAULT = faults.Fault(fault)
        exec(way)
        os._exit(0)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return [n for n, in sqlite3.connect(path).execute("SELECT n FROM t")] if code == faults.EXIT else code

def each(number, way):
    return {
        kind: [left(way, f"{kind}:{k}", f"{number}-{kind}-{k}.db") for k in (1, 2, 3)]
        for kind in ("commit", "write")
    }

print(json.dumps({name: each(n, way) for n, (name, way) in enumerate(json.load(sys.stdin).items())}))
"""
"""Kills at each commit and write of each way, and tells what is in the table then; 0 if it lived."""


def solution(name: str, folder: Path) -> Path:
    build(ENV, name, folder / name)
    return folder / name


def test_the_two_contracts_differ_by_a_sentence() -> None:
    one, two = FIRST.instruction, SECOND.instruction
    assert two.startswith(one.rstrip()) and two.removeprefix(one.rstrip()).strip() == SECOND.instance.adds
    assert len(re.findall(r"[.!?](?:\s|$)", SECOND.instance.adds)) == 1


def test_the_instances_are_what_was_locked() -> None:
    assert locks.read(ENV) == {task.slug: locks.lock_of(task) for task in (FIRST, SECOND)}


def test_the_grader_is_qualified_for_what_is_here() -> None:
    kept = qualified.read(ENV)
    assert kept is not None and kept.fresh and kept.proved == kept.total
    assert {name for name in kept.solutions if name not in (START, REFERENCE)} == set(ENV.witnesses)


def test_each_invariant_has_a_witness_of_its_own() -> None:
    alone = {witness.fails for witness in ENV.witnesses.values()}
    assert not [name for name in SECOND.instance.invariants if (name,) not in alone]


def test_the_start_is_green_and_fails_everything(tmp_path: Path) -> None:
    start = solution(START, tmp_path)
    with open_bench(ENV, start, "visible") as bench:
        visible = try_visible(bench)
    assert (visible.passed, visible.of) == (9, 9)
    states = [try_invariant(ENV, start, name).verdict.state for name in SECOND.instance.invariants]
    assert states == ["refused"] * 5


def test_the_reference_is_right_at_every_crash(tmp_path: Path) -> None:
    report = grade_solution(SECOND, solution(REFERENCE, tmp_path))
    assert report.grade.passed, report.grade
    kept = qualified.read(ENV)
    assert kept is not None and report.crash_points == kept.crash_points


def test_a_notification_that_is_forgotten_is_lost_in_an_outage_and_in_a_crash(tmp_path: Path) -> None:
    forgets = solution("told-and-forgotten", tmp_path)
    trials = [try_invariant(ENV, forgets, name).verdict for name in ("I1", "I3", "I4")]
    assert [verdict.state for verdict in trials] == ["passed", "refused", "refused"]
    assert "with a crash at commit:2" in trials[2].message


def test_a_pump_that_stops_outlasts_an_outage_and_not_a_rejection(tmp_path: Path) -> None:
    stops = solution("pump-stops-at-the-first-failure", tmp_path)
    trials = [try_invariant(ENV, stops, name).verdict for name in ("I3", "I5")]
    assert [verdict.state for verdict in trials] == ["passed", "refused"]
    assert "holds up" in trials[1].message


@pytest.mark.parametrize("name", [name for name, witness in ENV.witnesses.items() if witness.breaks])
def test_a_witness_breaks_just_the_hold_that_it_declares(name: str, tmp_path: Path) -> None:
    holding = try_holds(ENV, solution(name, tmp_path))
    assert [verdict.guard for verdict in holding.broken] == [ENV.witnesses[name].breaks]


def test_the_fault_hook_strikes_at_each_commit_and_write(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", KILL], input=json.dumps(WAYS), cwd=tmp_path, text=True, check=True,
        capture_output=True, env={**os.environ, "PYTHONPATH": str(ENV.folder / "task")},
    )  # fmt: skip
    alone = {"commit": [["a"], ["a", "b"], 0], "write": [[], ["a"], 0]}
    together = {"commit": [["a", "b"], 0, 0], "write": [[], [], 0]}
    wanted = {way: alone if number < 6 else together for number, way in enumerate(WAYS)}
    assert json.loads(ran.stdout) == wanted
