"""A tiny code task, written where a test wants it: a tally that counts each command once, crash or not."""

from __future__ import annotations

from pathlib import Path

ENVIRONMENT = '''
"""A tally."""

from harness.code import CodeEnvironment, Instance, Witness

env = CodeEnvironment(
    name="Tally",
    summary="Counts.",
    package="tally",
    store="tally.store",
    fault="TALLY_FAULT",
    fault_exit=70,
    locked=["tests/*.py", "tally/faults.py"],
    instances=[
        Instance("instance-1", ("T1",)),
        Instance("instance-2", ("T1", "T2"), adds="A crash must not part entries from their total."),
    ],
    witnesses=[
        Witness("seen-in-memory", "Knows the ids of this process alone.", fails=("T1",)),
        Witness("two-transactions", "Commits the entry before the total.", fails=("T2",)),
        Witness("a-test-edited", "Makes a test easier.", breaks="locked-files-unchanged"),
    ],
)
'''

FAULTS = """
import os

kind, _, k = os.environ.get("TALLY_FAULT", "").partition(":")
struck = {"commit": 0, "write": 0}


def strike(what):
    struck[what] += 1
    if what == kind and struck[what] == int(k):
        os._exit(70)
"""

STORE = """
import sqlite3

from tally import faults


class Store:
    def __init__(self, path):
        self.con = sqlite3.connect(path, isolation_level=None)
        self.con.execute("CREATE TABLE IF NOT EXISTS entry (id TEXT, n INTEGER)")
        self.con.execute("CREATE TABLE IF NOT EXISTS total (n INTEGER)")

    def write(self, sql, *values):
        self.con.execute(sql, values)
        faults.strike("write")

    def commit(self):
        self.con.execute("COMMIT")
        faults.strike("commit")

    def one(self, sql, *values):
        return self.con.execute(sql, values).fetchone()
"""

START = """
from tally.store import Store


class Tally:
    def __init__(self, path):
        self.store = Store(path)

    def add(self, id, n):
        print("adding", n)
        for sql in ("INSERT INTO entry VALUES (?1, ?2)", "INSERT INTO total SELECT ?2 WHERE ?1 = ?1"):
            self.store.con.execute("BEGIN")
            self.store.write(sql, id, n)
            self.store.commit()
"""

REFERENCE = """
from tally.store import Store


class Tally:
    def __init__(self, path):
        self.store = Store(path)

    def add(self, id, n):
        if self.seen(id):
            return
        self.store.con.execute("BEGIN")
        self.store.write("INSERT INTO entry VALUES (?, ?)", id, n)
        self.between()
        self.store.write("INSERT INTO total VALUES (?)", n)
        self.store.commit()

    def seen(self, id):
        return self.store.one("SELECT 1 FROM entry WHERE id = ?", id)

    def between(self):
        pass
"""

IN_MEMORY = (
    REFERENCE.replace(
        '        return self.store.one("SELECT 1 FROM entry WHERE id = ?", id)',
        "        known = id in self.ids\n        self.ids.add(id)\n        return known",
    )
    .replace("Store(path)\n", "Store(path)\n        self.ids = set()\n", 1)
    .replace(
        'self.store.write("INSERT INTO entry VALUES (?, ?)", id, n)',
        'self.store.write("DELETE FROM entry WHERE id = ?", id)\n'
        '        self.store.write("INSERT INTO entry VALUES (?, ?)", id, n)',
    )
)

TWICE = REFERENCE.replace(
    "        pass\n", '        self.store.commit()\n        self.store.con.execute("BEGIN")\n'
)

VISIBLE = """
import unittest

from tally.counting import Tally


class Counting(unittest.TestCase):
    def test_an_entry_is_kept(self):
        tally = Tally(":memory:")
        tally.add("a", 2)
        self.assertEqual(tally.store.one("SELECT n FROM entry"), (2,))

    def test_a_total_is_kept(self):
        tally = Tally(":memory:")
        tally.add("a", 2)
        self.assertEqual(tally.store.one("SELECT sum(n) FROM total"), (2,))
"""

DRIVER = """
import answering
from tally.counting import Tally


def handle(asked):
    tally.add(*asked)
    return "added"


if __name__ == "__main__":
    import sys

    tally = Tally(sys.argv[1])
    answering.serve(handle)
"""

HOOK = """
from tally.counting import Tally

Tally("hook.db").add("a", 1)
"""

INVARIANTS = '''
import apsw

from harness.code import invariant
from harness.code.bench import Bench, Died


def kept(path):
    con = apsw.Connection(str(path))
    count, entries = con.execute("SELECT count(*), sum(n) FROM entry").get
    return count, entries, con.execute("SELECT sum(n) FROM total").get


@invariant("T1", "A command counts once")
def once(bench: Bench) -> None:
    """It is sent twice within a process, then in another one."""
    path = bench.scratch() / "tally.db"
    for n in range(2):
        with bench.life(path) as life:
            life.ask(["a", 5])
            life.ask(["a", 5])
    assert kept(path) == (1, 5, 5), f"it was counted {kept(path)[0]} times"


@invariant("T2", "Entries and total agree after a crash")
def whole(bench: Bench) -> None:
    """A process is killed after each write and each commit."""

    def play(fault):
        path = bench.scratch() / "tally.db"
        struck = False
        with bench.life(path, fault=fault) as life:
            try:
                life.ask(["a", 5])
            except Died as died:
                assert died.by_fault, str(died)
                struck = True
        count, entries, total = kept(path)
        assert entries == total
        return struck

    bench.every_crash(play)
'''

FILES = {
    "__init__.py": "",
    "environment.py": ENVIRONMENT,
    "task/PROMPT.md": "Count each command once.\n",
    "task/tally/__init__.py": "",
    "task/tally/faults.py": FAULTS,
    "task/tally/store.py": STORE,
    "task/tally/counting.py": START,
    "task/tests/__init__.py": "",
    "task/tests/test_counting.py": VISIBLE,
    "grader/driver.py": DRIVER,
    "grader/hook.py": HOOK,
    "grader/invariants.py": INVARIANTS,
    "reference/tally/counting.py": REFERENCE,
    "witnesses/seen-in-memory/tally/counting.py": IN_MEMORY,
    "witnesses/two-transactions/tally/counting.py": TWICE,
    "witnesses/a-test-edited/tests/test_counting.py": VISIBLE.replace("(2,)", "tally.store.one('SELECT 2')"),
}


def write(folder: Path) -> Path:
    """Writes the task as scenarios/tally inside of a folder; where it is then."""
    for name, text in FILES.items():
        path = folder / "scenarios" / "tally" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.lstrip("\n"))
    return folder / "scenarios" / "tally"
