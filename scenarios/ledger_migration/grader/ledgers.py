"""A ledger's file on a bench, and what cases do with it again and again."""

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from harness.code.bench import Bench, Died, Life, Raised
from scenarios.ledger_migration.grader.oracle import Payment

NAME = "ledger.db"
CALLS = 200
"""After so many calls, a migration that still says that there is more will say so for ever."""


class Ledgers:
    """Makes ledgers on a bench. Beside the processes of a case, which may be killed, one lives on through all
    cases: it fills ledgers, and is the one that goes on where another was killed.
    """

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.survivor = bench.life()

    def filled(self, payments: Sequence[Payment]) -> "Ledger":
        """One that the old release filled."""
        ledger = Ledger(self, self.bench.scratch())
        with ledger.survivor() as old:
            for payment in payments:
                old.ask(["old", "add", dict(payment)])
        return ledger

    def migrated(self, payments: Sequence[Payment], batches: int | None = None) -> "Ledger":
        """One that was migrated after that: wholly, or so many batches of two."""
        ledger = self.filled(payments)
        with ledger.survivor() as life:
            if batches is None:
                to_the_end(life)
            for _ in range(batches or 0):
                migrate(life)
        return ledger


class Ledger:
    """A ledger's file, in a folder of its own."""

    def __init__(self, ledgers: Ledgers, folder: Path) -> None:
        self.ledgers, self.folder, self.path = ledgers, folder, folder / NAME

    @contextmanager
    def life(self, fault: str | None = None) -> Iterator[Life]:
        """A process of its own that works on it."""
        with self.ledgers.bench.life(fault=fault) as life:
            self._open(life)
            yield life

    @contextmanager
    def survivor(self) -> Iterator[Life]:
        """The process that lives on, with new releases on a new connection."""
        life = self.ledgers.survivor
        self._open(life)
        yield life
        life.ask(["file", "close", {}])

    def copy(self) -> "Ledger":
        """The same state in a file of its own; nobody may be writing."""
        folder = self.ledgers.bench.scratch()
        shutil.copytree(self.folder, folder, dirs_exist_ok=True)
        return Ledger(self.ledgers, folder)

    def _open(self, life: Life) -> None:
        life.ask(["file", "open", {"path": str(self.path)}])


def killed(ledger: Ledger, fault: str, work: Callable[[Life], None]) -> bool:
    """Does work in a process that is to be killed at a fault; whether it was."""
    with ledger.life(fault) as life:
        try:
            work(life)
        except Died as died:
            if not died.by_fault:
                raise
            return True
    return False


def migrate(life: Life, batch: int = 2) -> int:
    """One batch."""
    converted = life.ask(["migration", "migrate", {"batch": batch}])
    assert type(converted) is int, f"migrate(batch={batch}) returned {converted!r}"
    return converted


def to_the_end(life: Life, batch: int = 2) -> None:
    """Batches until nothing is left."""
    for _ in range(CALLS):
        if not migrate(life, batch):
            return
    raise AssertionError(f"migrate(batch={batch}) did not come to an end within {CALLS} calls")


def refused(life: Life, who: str, verb: str, code: str, **given: Any) -> None:
    """Asserts that the solution refuses it with this code."""
    try:
        life.ask([who, verb, given])
    except Raised as raised:
        assert raised.code == code, f"{verb} was refused with {raised.code or raised}, not with {code}"
    else:
        raise AssertionError(f"{verb} was not refused with {code}")


def by_id(listed: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """What a reader listed; each once, in the order of their ids."""
    ids = [each["id"] for each in listed]
    assert ids == sorted(set(ids)), f"ids are listed as {ids}"
    return {each["id"]: each for each in listed}


def in_phase(life: Life, wanted: str, when: str) -> None:
    """Asserts that the migration says so."""
    phase = life.ask(["migration", "phase", {}])
    assert phase == wanted, f"{when} the phase is {phase!r}, not {wanted!r}"
