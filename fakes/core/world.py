"""Worlds: one SQLite database each, opened through `open_world` and by nothing else."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

import apsw

from fakes.core import agenda, crash, delivering, journal, outbox, requests
from fakes.core.agenda import Planned
from fakes.core.auth import AUTH_TABLES
from fakes.core.capabilities import Capability, NotOffered
from fakes.core.clock import ClockState, Mode, civil, instant, wall_ms
from fakes.core.faults import Fault
from fakes.core.files import write_whole
from fakes.core.google import uploads
from fakes.core.ids import Ids, Secrets
from fakes.core.journal import Change, Journal, Tx
from fakes.core.objects import StoredObject
from fakes.core.pages import Pages
from fakes.core.people import Person
from fakes.core.requests import LoggedRequest, RequestLog
from fakes.core.service import Service
from fakes.core.store import Params, Reader, Row, StoreError, Table, tables_of

T = TypeVar("T")


class Counter(Row, table="counters", key="kind", journaled=False, judged=False):
    """How many of a kind were numbered so far."""

    kind: str
    n: int


class Clock(Row, table="clock", key="id", journaled=False, judged=False):
    """The world's clock: one row."""

    id: int
    mode: str
    at_ms: int
    wall_ms: int
    step_ms: int


class Fact(Row, table="world", key="name", journaled=False, judged=False, hashed=False):
    """What a world knows of itself: seed, secret, zone, scenario, schema version, pristine hash, and for
    whom its pump is on.
    """

    name: str
    value: str


KERNEL_ROWS: tuple[type[Row], ...] = (
    Counter, Clock, Fact, Person, *AUTH_TABLES, StoredObject, Planned, *outbox.TABLES, Fault, LoggedRequest,
    *uploads.TABLES,
)  # fmt: skip
_WAL_READ, _WAL_WRITE = 18, 19
_PUMP = "pump"
_SET_FACT = "INSERT INTO world VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
_SET_MODE = "UPDATE clock SET mode = ?, wall_ms = ? WHERE id = 1"


@dataclass(frozen=True)
class Genesis:
    """What a new world is made from: two worlds with the same genesis and requests hold the same bytes."""

    seed: int
    secret: bytes
    at_ms: int
    zone: str = "America/New_York"
    scenario: str = ""


class Subscription:
    """Tells a live page which tables changed since it last asked."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._tables: set[str] = set()
        self._event = asyncio.Event()
        world.subscriptions.add(self)

    def put(self, tables: frozenset[str]) -> None:
        """Adds changed tables; wakes the reader."""
        self._tables |= tables
        self._event.set()

    async def next(self) -> frozenset[str]:
        """The tables changed since the last call; waits until there are some."""
        await self._event.wait()
        self._event.clear()
        tables, self._tables = frozenset(self._tables), set()
        return tables

    def close(self) -> None:
        """Stops listening."""
        self._world.subscriptions.discard(self)


class World(Reader):
    """One isolated state: the tables of every service, its people, its run clock, its log and its journal."""

    def __init__(
        self, name: str, services: Mapping[str, Service], path: Path | None, pages: Pages | None = None
    ) -> None:
        self.name = name
        self.services = dict(services)
        self.path = path
        self._pages = pages or Pages()
        declared = (*KERNEL_ROWS, *_service_rows(services))
        self.tables: dict[str, Table] = tables_of(declared)
        self.rows = {row.__table__.name: row for row in declared}
        self._connect()
        self.open_txs: list[Tx] = []
        self.subscriptions: set[Subscription] = set()
        self.is_closed = False
        self.pristine: bytes = b""
        self._offers = _offers(services)

    def _wake(self) -> None:
        """Takes over what the database says of the world: after opening and after a reset."""
        self._facts: dict[str, str] = dict(self.select("SELECT name, value FROM world"))
        self.seed = int(self._facts["seed"])
        self.zone = ZoneInfo(self._facts["zone"])
        self.ids = Ids(self.seed)
        self.secrets = Secrets(bytes.fromhex(self._facts["secret"]))
        self._load_clock()
        self.log = RequestLog(self)
        self.in_flight: set[int] = set()  # deliveries being sent; another set for another state

    # facts and capabilities

    @property
    def scenario(self) -> str:
        """The scenario this world was seeded from."""
        return self._facts["scenario"]

    @property
    def schema(self) -> str:
        """The version of the tables it was made with; another server's may differ."""
        return self._facts["schema"]

    @property
    def pristine_hash(self) -> str:
        """The state hash as seeded."""
        return self._facts.get("pristine_hash", "")

    def capability(self, capability: Capability[T]) -> T:
        """What a service of this world offers. Raises NotOffered."""
        if capability not in self._offers:
            raise NotOffered(f"No service of world {self.name!r} offers {capability.name!r}.")
        offered: T = self._offers[capability]
        return offered

    def person(self, email: str) -> Person | None:
        """The person with this address, in any case."""
        return self.one(Person, "WHERE email = ?", (email.lower(),))

    def due(self, service: str) -> Mapping[str, Callable[[World, dict[str, Any]], None]]:
        """The handlers of a service's planned work by kind; the outbox plans some of its own."""
        return delivering.DUE if service == outbox.SERVICE else self.services[service].due

    @property
    def pump_on(self) -> bool:
        """Whether a server's pump sends what leaves this world. Copies have another name, and start off."""
        return self._facts.get(_PUMP) == self.name

    def turn_pump(self, on: bool) -> None:
        """Lets the pump of a server send what leaves this world, or no longer; resets keep it."""
        if on != self.pump_on:
            self._facts[_PUMP] = self.name if on else ""
            with self.kernel_write():
                self.con.execute(_SET_FACT, (_PUMP, self._facts[_PUMP]))
            self.tell(frozenset({Fact.__table__.name}))

    # time

    def now(self) -> int:
        """The run clock in UTC milliseconds."""
        return self._clock.now()

    def today(self) -> date:
        """The run clock's date in the world's zone."""
        return civil(self.now(), self.zone).date()

    def instant(self, day: date, at: str = "00:00") -> int:
        """UTC milliseconds of a civil time in the world's zone."""
        return instant(day, at, self.zone)

    @property
    def clock(self) -> ClockState:
        """The clock as it stands."""
        return self._clock

    def set_clock(self, state: ClockState) -> None:
        """Stores another clock state, without firing what is due. `advance` is for moving on."""
        row = ("UPDATE clock SET mode = ?, at_ms = ?, wall_ms = ?, step_ms = ? WHERE id = 1",
               (state.mode, state.at_ms, state.wall_ms, state.step_ms))  # fmt: skip
        with self.kernel_write():
            self.con.execute(*row)
        self._clock = state
        self.tell(frozenset({"clock"}))

    def turn_clock(self, mode: Mode) -> None:
        """Freezes, steps or runs the clock from where it stands."""
        self.set_clock(self._clock.turned(mode))

    def advance(self, to_ms: int) -> int:
        """Moves the clock on to `to_ms`, firing what is due on the way in order; returns how much fired.

        Raises ValueError for an instant in the past.
        """
        if to_ms < self.now():
            raise ValueError(f"The run clock stands at {self.now()} and can't go back to {to_ms}.")
        fired = 0
        while (planned := agenda.next_due(self, to_ms)) is not None:
            self.set_clock(self._clock.moved(max(self.now(), planned.due_at)))
            agenda.fire(self, planned)
            fired += 1
        self.set_clock(self._clock.moved(max(self.now(), to_ms)))
        return fired

    def fire_due(self) -> int:
        """Fires what a running clock has passed; returns how much."""
        fired = 0
        while (planned := agenda.next_due(self, self.now())) is not None:
            agenda.fire(self, planned)
            fired += 1
        return fired

    @contextmanager
    def at_time(self, at_ms: int) -> Iterator[None]:
        """Seeds history: inside, the clock stands at `at_ms`; nothing falls due."""
        before = self._clock
        self._clock = ClockState("frozen", at_ms)
        try:
            yield
        finally:
            self._clock = before

    def _load_clock(self) -> None:
        mode, at_ms, wall, step = self.select("SELECT mode, at_ms, wall_ms, step_ms FROM clock WHERE id = 1")[
            0
        ]
        self._clock = ClockState(mode, at_ms, wall, step)

    # reading and writing

    def select(self, sql: str, params: Params = ()) -> list[tuple[Any, ...]]:
        """All rows of a raw SELECT. An SQL error dooms the innermost open transaction."""
        try:
            return super().select(sql, params)
        except apsw.Error as error:
            if self.open_txs:
                self.open_txs[-1].doom(error)
            raise

    def tx(self) -> Tx:
        """A unit of work, or a savepoint inside the one that is open."""
        return Tx(self)

    @contextmanager
    def kernel_write(self) -> Iterator[None]:
        """Lets the kernel write rows that are not journaled outside a Tx."""
        before, self.journal.kernel = self.journal.kernel, True
        try:
            yield
        finally:
            self.journal.kernel = before

    def finish(self, record: requests.RequestRecord) -> None:
        """Completes a request; a stepping clock then moves on by its step if it wrote."""
        if self.log.finish(record) and self._clock.mode == "stepping":
            self.advance(self._clock.at_ms + self._clock.step_ms)

    def subscribe(self) -> Subscription:
        """A subscription to the names of changed tables; close it when done."""
        return Subscription(self)

    def tell(self, tables: frozenset[str]) -> None:
        """Wakes the live pages that show one of these tables."""
        for subscription in self.subscriptions:
            subscription.put(tables)

    # whole states

    def image(self) -> bytes:
        """The database as bytes that `open_world` takes."""
        self.log.flush()
        if self.path is None:
            return self._pages.image()
        image = self.con.serialize("main")
        header = bytearray(image[: _WAL_WRITE + 1])
        header[_WAL_READ] = header[_WAL_WRITE] = 1  # a WAL-mode header does not deserialize
        return bytes(header) + image[_WAL_WRITE + 1 :]

    def state(self) -> Pages:
        """The same for another world of this process, and cheaper: it shares the pages of this one."""
        if self.path is not None:
            return Pages(self.image())
        self.log.flush()
        return self._pages.copy()

    def diff(self, since: int = 0) -> list[Change]:
        """What changed after journal row `since`, collapsed by key."""
        self.log.flush()
        return self.journal.changes(since)

    def state_hash(self) -> str:
        """SHA-256 over every hashed table's rows in key order: products, objects, sessions, counters, clock,
        outbox.
        """
        digest = hashlib.sha256()
        for table in sorted((t for t in self.tables.values() if t.hashed), key=lambda t: t.name):
            digest.update(table.name.encode())
            columns = "at_ms, step_ms" if table.name == "clock" else "*"  # its mode is no part of the state
            for values in self.select(f"SELECT {columns} FROM {table.name} ORDER BY {', '.join(table.key)}"):
                digest.update(journal.encode(list(values)).encode())
        return digest.hexdigest()

    def seal(self) -> str:
        """Makes the present state the pristine one: forgets log and journal, keeps the hash; returns it."""
        pristine_hash = self.state_hash()
        with self.kernel_write():
            self.con.execute("DELETE FROM journal")
            self.con.execute("DELETE FROM requests")
            self.con.execute(delivering.KEEP_HISTORY)
            self.con.execute("DELETE FROM world WHERE name = 'pristine_hash'")
            self.con.execute("INSERT INTO world VALUES ('pristine_hash', ?)", (pristine_hash,))
            self.con.execute("VACUUM")
        self._wake()
        self.pristine = self.image()
        return pristine_hash

    def reset(self, mode: Mode | None = None) -> str:
        """Puts the pristine state back; returns its hash. The clock goes on in `mode`, if one is given."""
        self._take(self.pristine, mode, self.pump_on)
        return self.pristine_hash

    def restore(self, image: bytes) -> None:
        """Takes a whole state of this world, such as `image` gave, with the log and journal that it had.

        What is pristine stays so, and the pump is off. Requests that are under way belong to the state that
        is gone: what they still write is refused (Overtaken).
        """
        self._take(image, None, False)

    def _take(self, image: bytes, mode: Mode | None, pump: bool) -> None:
        try:
            self._put(image, mode, pump)
        except (apsw.BusyError, apsw.SQLError):
            self.con.close(True)  # somebody left a cursor half-read, and this closes it
            self._connect()
            self._put(image, mode, pump)
        self._wake()
        self.tell(frozenset(self.tables))

    def _connect(self) -> None:
        self.con = self._pages.connect() if self.path is None else crash.connect(self.path)
        # Else many statements are prepared anew for each value bound, which takes longer than to run them.
        self.con.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
        if self.path is not None:
            self.con.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL").fetchall()
        self.journal = Journal(self.con, self.tables)

    def _put(self, image: bytes, mode: Mode | None, pump: bool) -> None:
        """Takes an image, with clock and pump as they shall be: all in one write of the file."""
        if self.path is None:
            self.con.close(True)
            self._pages = Pages(image)
            self._connect()
            with self.kernel_write():
                self._stand(self.con, mode, pump)
            return
        source = Pages(image).connect()
        try:
            self._stand(source, mode, pump)
            with self.kernel_write(), self.con.backup("main", source, "main") as backup:
                backup.step(-1)
        finally:
            source.close()

    def _stand(self, con: apsw.Connection, mode: Mode | None, pump: bool) -> None:
        if pump:
            con.execute(_SET_FACT, (_PUMP, self.name))
        else:
            con.execute("DELETE FROM world WHERE name = ?", (_PUMP,))
        if mode is not None:
            con.execute(_SET_MODE, (mode, wall_ms() if mode == "running" else 0))

    def fork(self, name: str) -> World:
        """A memory world of its own with this world's state, log and journal, and the same pristine state."""
        return open_world(name, self.services, image=self.state(), pristine=self.pristine)

    def close(self) -> None:
        """Closes the database; a disk world's file is complete afterwards."""
        self.log.flush()
        self.is_closed = True
        self.tell(frozenset({"world"}))
        self.con.close()


def _offers(services: Mapping[str, Service]) -> dict[Capability[Any], Any]:
    found: dict[Capability[Any], Any] = {}
    for service in services.values():
        for capability, call in service.offers.items():
            if capability in found:
                raise StoreError(f"{service.name} offers {capability.name!r}, as another service does.")
            found[capability] = call
    return found


def _service_rows(services: Mapping[str, Service]) -> list[type[Row]]:
    return [row for service in services.values() for row in service.tables]


def schema_version(services: Mapping[str, Service]) -> str:
    """A hash of every statement that makes the tables: a base or a bundle of another version is stale."""
    return hashlib.sha256("\n".join(_ddl(services)).encode()).hexdigest()[:16]


def _ddl(services: Mapping[str, Service]) -> list[str]:
    made = [*journal.DDL]
    for row in (*KERNEL_ROWS, *_service_rows(services)):
        made += row.__table__.ddl()
    for service in services.values():
        made += service.ddl
    return made


def open_world(
    name: str,
    services: Mapping[str, Service] | Sequence[Service],
    *,
    genesis: Genesis | None = None,
    image: bytes | Pages | None = None,
    pristine: bytes | None = None,
    path: Path | None = None,
) -> World:
    """Opens a world, the only way there is.

    From `genesis`: a new, empty one in memory. From `image` (bytes of `World.image`, or a `World.state` that
    nobody else holds): a copy of a state, whose pristine state is `pristine` or else the image itself; with
    `path`, as a new disk world there (WAL mode, its pristine state beside it as NAME.pristine). From `path`
    alone: the disk world that is there.
    """
    by_name = dict(services) if isinstance(services, Mapping) else {s.name: s for s in services}
    pages = Pages(image) if isinstance(image, bytes) else image
    if path is not None and pages is not None:
        write_whole(path.with_suffix(".pristine"), pristine or pages.image())
        for suffix in (".world-wal", ".world-shm"):  # left by a former world: SQLite would replay it
            path.with_suffix(suffix).unlink(missing_ok=True)
        write_whole(path, pages.image())
    world = World(name, by_name, path, pages)
    if genesis is not None:
        _create(world, genesis)
    elif path is not None:
        world.pristine = path.with_suffix(".pristine").read_bytes()
    elif pages is not None:
        world.pristine = pristine or pages.image()
    else:
        raise StoreError("open_world needs a genesis, an image or a path.")
    world._wake()
    return world


def _create(world: World, genesis: Genesis) -> None:
    facts = {
        "seed": str(genesis.seed),
        "secret": genesis.secret.hex(),
        "zone": ZoneInfo(genesis.zone).key,
        "scenario": genesis.scenario,
        "schema": schema_version(world.services),
    }
    with world.kernel_write():
        for statement in _ddl(world.services):
            world.con.execute(statement)
        world.con.execute("INSERT INTO clock VALUES (1, 'frozen', ?, 0, 1000)", (genesis.at_ms,))
        world.con.executemany("INSERT INTO world VALUES (?, ?)", facts.items())


__all__ = ["Genesis", "Subscription", "World", "open_world", "schema_version"]
