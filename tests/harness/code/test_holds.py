"""Holds: what makes an attempt void, and what does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.code.declaring import HOOK, LOCKED, STORE, TESTS, CodeEnvironment
from harness.code.grading import try_holds
from harness.code.openings import openings


def broken(env: CodeEnvironment, solution: Path) -> dict[str, str]:
    return {verdict.guard: verdict.message for verdict in try_holds(env, solution).broken}


def test_added_tests_are_counted_and_break_nothing(tally: CodeEnvironment, solution: Path) -> None:
    more = "import unittest\n\nclass More(unittest.TestCase):\n    def test_it(self):\n        exit(1)\n"
    (solution / "tests" / "test_more.py").write_text(more)
    holding = try_holds(tally, solution)
    assert holding.kept and (holding.visible.passed, holding.visible.of, holding.visible.added) == (2, 2, 1)


def test_tests_that_end_their_process_do_not_pass(tally: CodeEnvironment, solution: Path) -> None:
    counting = solution / "tally" / "counting.py"
    counting.write_text(
        "import os\n"
        + counting.read_text().replace("        if self", "        os._exit(0)\n        if self", 1)
    )
    found = broken(tally, solution)
    assert set(found) == {TESTS, HOOK} and found[TESTS].startswith("0 of 2 pass")


def test_a_solution_can_not_stand_in_for_what_runs_the_tests(tally: CodeEnvironment, solution: Path) -> None:
    (solution / "unittest.py").write_text("raise SystemExit('never imported')")
    assert not broken(tally, solution)


def test_a_locked_file_that_is_gone_is_no_locked_file(tally: CodeEnvironment, solution: Path) -> None:
    faults = solution / "tally" / "faults.py"
    faults.rename(solution / "elsewhere.py")
    faults.symlink_to(solution / "elsewhere.py")
    assert broken(tally, solution)[LOCKED] == "tally/faults.py is gone, or is a link"


def test_a_store_without_the_hook_is_found(tally: CodeEnvironment, solution: Path) -> None:
    store = solution / "tally" / "store.py"
    store.write_text(store.read_text().replace('        faults.strike("commit")\n', ""))
    assert broken(tally, solution) == {
        HOOK: "with TALLY_FAULT=commit:1 the process ended with exit code 0 before it answered"
    }


def test_sqlite_beside_the_store_is_found(tally: CodeEnvironment, solution: Path) -> None:
    (solution / "beside.py").write_text("import sqlite3\n\nsqlite3.connect('x')\n")
    assert broken(tally, solution) == {STORE: "beside.py:3 reaches for sqlite3.connect"}


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import sqlite3\ndef f(c: sqlite3.Connection): raise sqlite3.IntegrityError", []),
        ("from sqlite3 import Connection, Error", []),
        ("from sqlite3 import connect", ["imports connect of sqlite3"]),
        ("import sqlite3 as s; s.connect('x')", ["reaches for sqlite3.connect"]),
        ("from relay import store; store.sqlite3.connect('x')", ["reaches for sqlite3.connect"]),
        ("import sqlite3; sqlite3.Connection('x')", ["makes a sqlite3.Connection"]),
        ("import sqlite3.dbapi2 as d", ["imports sqlite3.dbapi2"]),
        ("import sqlite3; getattr(sqlite3, 'con' + 'nect')", ["reaches into sqlite3 by a name"]),
        ("__import__('sqlite3')", ["imports sqlite3"]),
        ("import shelve, dbm.dumb", ["imports dbm.dumb", "imports shelve"]),
        ("store.connect('x')", []),
        ("def broken(:", []),
    ],
)  # fmt: skip
def test_ways_to_sqlite(source: str, found: list[str]) -> None:
    assert [what for _, what in openings(source.encode())] == found
