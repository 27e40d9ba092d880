"""The archive's file: one SQLite database in WAL mode, which several processes may use at once.

Whatever is done is one transaction. A rollout's bundle is written whole before its end is recorded, so a
crash at any moment leaves it either not over, or over with its bundle.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sqlite3
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import aiosqlite

from fakes.core.clock import wall_ms
from harness.archive.places import slug_of
from harness.archive.records import OVER, Classification, Grading, Kind, Outcome, Plan, Records, Run, State
from harness.archive.rows import QUERIES, gathered
from harness.archive.schema import SCHEMA, TABLES
from harness.driver import Driver
from harness.grade import Verdict

PATIENCE = 60.0  # seconds that a write waits for another process's
GRADER_ERROR: State = "grader error"
MOST_LETTERS = 10_000  # of an error or a guard's message; the bundle has all of it
_ANYTHING = "SELECT name FROM sqlite_master"
_OVER = ", ".join(f"'{state}'" for state in sorted(OVER))


class ArchiveError(Exception):
    """A file that is no archive of ours, or what can't be done with it; the sentence says which."""


class Archive:
    """An open archive: `async with Archive.open(data / "archive.db") as archive`. Raises ArchiveError."""

    def __init__(self, path: Path, con: aiosqlite.Connection) -> None:
        self.path, self._con, self._turn = path, con, asyncio.Lock()

    @classmethod
    @asynccontextmanager
    async def open(cls, path: Path) -> AsyncIterator[Archive]:
        """Opens the archive at a path, and makes it and its folder where there is none: for their owner
        alone, since results say what agents did.
        """
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        except OSError as error:
            raise ArchiveError(f"The archive {path} can't be written: {error.strerror}.") from None
        async with aiosqlite.connect(path, timeout=PATIENCE, isolation_level=None) as con:
            archive = cls(path, con)
            with _telling(path):
                await archive._make_ready()
            yield archive

    async def _make_ready(self) -> None:
        if await self._version() != SCHEMA:
            async with self._writing():
                _check_version(self.path, found := await self._version())
                if found == 0:
                    _check_empty(self.path, await self._con.execute_fetchall(_ANYTHING))
                    for statement in filter(str.strip, TABLES.split(";")):
                        await self._con.execute(statement)
                    await self._con.execute(f"PRAGMA user_version = {SCHEMA}")
        with suppress(sqlite3.OperationalError):  # another process is just about to set it
            await self._con.execute("PRAGMA journal_mode = WAL")
        await self._con.execute("PRAGMA synchronous = NORMAL")
        await self._con.execute("PRAGMA foreign_keys = ON")

    async def _version(self) -> int:
        [row] = await self._con.execute_fetchall("PRAGMA user_version")
        return int(row[0])

    @asynccontextmanager
    async def _writing(self) -> AsyncIterator[None]:
        """A transaction: all of it or nothing. Raises ArchiveError."""
        async with self._turn, AsyncExitStack() as stack:
            stack.enter_context(_telling(self.path))
            try:
                await self._con.execute("BEGIN IMMEDIATE")
                yield
                await self._con.execute("COMMIT")
            except BaseException:  # an interrupted BEGIN or COMMIT is carried out all the same
                with suppress(sqlite3.OperationalError):
                    await self._con.execute("ROLLBACK")
                raise

    async def _write(self, sql: str, *values: Any) -> int:
        """Writes, and says how many rows that concerned; for an INSERT, the new row's number."""
        async with self._con.execute(sql, [_storable(value) for value in values]) as cursor:
            inserted = cursor.lastrowid if sql.startswith("INSERT") else None
            return cursor.rowcount if inserted is None else inserted

    # runs

    async def plan(
        self, plans: Sequence[Plan], *, driver: Driver, targets: Sequence[str] = (), label: str | None = None,
        options: dict[str, Any] | None = None, versions: dict[str, Any] | None = None, isolation: str = "",
    ) -> Run:  # fmt: skip
        """Begins a run: it and all its rollouts are there at once, or nothing is. The run's id is its number
        and the `label`, or the driver's.
        """
        async with self._writing():
            [row] = await self._con.execute_fetchall("SELECT coalesce(max(number), 0) + 1 FROM runs")
            run = Run(
                f"{row[0]}-{slug_of(label or driver.label)}", wall_ms(), None, tuple(targets), driver,
                options or {}, versions or {}, isolation,
            )  # fmt: skip
            kept = (json.dumps(each) for each in (run.targets, driver.plain(), run.options, run.versions))
            await self._write(
                "INSERT INTO runs VALUES (?, ?, ?, NULL, ?, ?, ?, ?, ?)",
                row[0], run.id, run.begun_ms, *kept, isolation,
            )  # fmt: skip
            await self._con.executemany(
                "INSERT INTO rollouts (run, task, seed, number, state) VALUES (?, ?, ?, ?, 'planned')",
                [(run.id, plan.task, plan.seed, plan.number) for plan in plans],
            )
        return run

    async def give_back(self, run: str) -> None:
        """Plans anew what was under way: for a run that stops, or whose process was killed."""
        async with self._writing():
            await self._write(
                "UPDATE rollouts SET state = 'planned', begun_ms = NULL WHERE run = ? AND state = 'running'",
                run,
            )

    # rollouts

    async def begin(self, rollout: int) -> None:
        """Notes that a planned rollout is under way. Raises ArchiveError for one that is not planned."""
        async with self._writing():
            sql = "UPDATE rollouts SET state = 'running', begun_ms = ? WHERE id = ? AND state = 'planned'"
            if not await self._write(sql, wall_ms(), rollout):
                raise ArchiveError(f"Rollout {rollout} is not planned, so it can't begin.")

    async def finish(self, rollout: int, outcome: Outcome) -> None:
        """Records what came of a rollout that is under way, with its first grading, and ends its run with the
        last of its rollouts. Raises ArchiveError for one that is not under way: none is recorded twice.
        """
        usage = outcome.usage
        async with self._writing():
            changed = await self._write(
                "UPDATE rollouts SET state = ?, revision = ?, took_s = ?, error = ?, bundle = ?, rail = ?,"
                " confined = ?, steps = ?, tokens_in = ?, tokens_out = ?, cost_usd = ?"
                " WHERE id = ? AND state = 'running'",
                outcome.state, outcome.revision, outcome.took_s, _short(outcome.error), outcome.bundle,
                outcome.rail, int(outcome.confined), usage.steps, usage.tokens_in, usage.tokens_out,
                usage.cost_usd, rollout,
            )  # fmt: skip
            if not changed:
                raise ArchiveError(f"Rollout {rollout} is not under way, so it can't end.")
            if outcome.verdicts is not None:
                await self._grade(rollout, outcome.revision, outcome.state, outcome.verdicts)
            await self._write(
                "UPDATE runs SET ended_ms = ? WHERE id = (SELECT run FROM rollouts WHERE id = ?) AND NOT"
                f" EXISTS (SELECT 1 FROM rollouts WHERE run = runs.id AND state NOT IN ({_OVER}))",
                wall_ms(), rollout,
            )  # fmt: skip

    async def add_grading(
        self, rollout: int, revision: str, state: State, verdicts: Sequence[Verdict]
    ) -> Grading:
        """Adds what a grader says of a rollout now. Its score stays, unless that was a grader error: none."""
        async with self._writing():
            await self._write(
                "UPDATE rollouts SET state = ?, revision = ? WHERE id = ? AND state = ?",
                state, revision, rollout, GRADER_ERROR,
            )  # fmt: skip
            return await self._grade(rollout, revision, state, verdicts)

    async def _grade(self, rollout: int, revision: str, state: State, verdicts: Sequence[Verdict]) -> Grading:
        grading = Grading(rollout, wall_ms(), revision, state, tuple(verdicts))
        number = await self._write(
            "INSERT INTO gradings (rollout, at_ms, revision, state) VALUES (?, ?, ?, ?)",
            rollout, grading.at_ms, revision, state,
        )  # fmt: skip
        await self._con.executemany(
            "INSERT INTO verdicts VALUES (?, ?, ?, ?, ?)",
            [
                (number, place, v.guard, v.state, _storable(_short(v.message)))
                for place, v in enumerate(verdicts)
            ],
        )
        return grading

    async def classify(
        self, rollout: int, kind: Kind, note: str = "", guard: str | None = None
    ) -> Classification:
        """Adds what a person makes of a rollout that is over; the newest counts. Raises ArchiveError."""
        made = Classification(rollout, wall_ms(), kind, note, guard)
        async with self._writing():
            row = await self._con.execute_fetchall("SELECT state FROM rollouts WHERE id = ?", (rollout,))
            if not (state := [each for [each] in row]):
                raise ArchiveError(f"There is no rollout {rollout}.")
            if state[0] not in OVER:
                raise ArchiveError(f"Rollout {rollout} is not over: it is {state[0]}.")
            await self._write(
                "INSERT INTO classifications (rollout, at_ms, kind, note, guard) VALUES (?, ?, ?, ?, ?)",
                rollout, made.at_ms, kind, note, guard,
            )  # fmt: skip
        return made

    # all of it

    async def records(self) -> Records:
        """All there is, as of one moment."""
        with _telling(self.path):
            async with self._turn:
                return await self._records()

    async def _records(self) -> Records:
        await self._con.execute("BEGIN")
        try:
            return gathered(*[await self._con.execute_fetchall(query) for query in QUERIES])
        finally:
            await self._con.execute("ROLLBACK")


def read(path: Path) -> Records:
    """All of an archive, as of one moment, without writing to it; nothing where there is no file.

    Raises ArchiveError.
    """
    if not path.is_file():
        return Records()
    with _telling(path), _connected(path) as con:
        con.execute("BEGIN")
        [[version]] = con.execute("PRAGMA user_version")
        _check_version(path, version)
        if version:
            return gathered(*[con.execute(query) for query in QUERIES])
        _check_empty(path, con.execute(_ANYTHING))
        return Records()


@contextmanager
def _connected(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection that only reads; where the folder can't be written, to a copy with what stands in the
    write-ahead log, which SQLite does not read there.
    """
    with TemporaryDirectory(prefix="paracosm-archive-") as folder:
        if not os.access(path.parent, os.W_OK):
            for file in (path, path.with_name(f"{path.name}-wal")):
                if file.is_file():
                    shutil.copyfile(file, Path(folder, file.name))
            path = Path(folder, path.name)
        address = f"{path.resolve().as_uri()}?mode=ro"
        with closing(sqlite3.connect(address, uri=True, timeout=PATIENCE, isolation_level=None)) as con:
            yield con


@contextmanager
def _telling(path: Path) -> Iterator[None]:
    """Tells what SQLite says of a file as ArchiveError."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise ArchiveError(f"The archive {path} can't be used: {error}.") from None


def _check_version(path: Path, found: int) -> None:
    if found > SCHEMA:
        raise ArchiveError(
            f"The archive {path} was made by a newer paracosm: its tables have version {found}, and this one "
            f"knows {SCHEMA}. Use that paracosm, or another --data folder."
        )


def _check_empty(path: Path, tables: Iterable[object]) -> None:
    """That a file without our version is a new one, and not somebody else's database."""
    if any(True for _ in tables):
        raise ArchiveError(f"The archive {path} is a database of something else; say another --data folder.")


def _storable(value: Any) -> Any:
    """A value that SQLite takes: an agent's words may hold halves of surrogate pairs, which it does not."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


def _short(text: str) -> str:
    return text if len(text) <= MOST_LETTERS else f"{text[:MOST_LETTERS]}… ({len(text):,} letters)"
