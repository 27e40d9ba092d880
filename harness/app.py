"""The composition root: finds services and scenarios by folder and puts a server together from the kernel's
parts.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date
from functools import cache, lru_cache
from pathlib import Path
from types import ModuleType, TracebackType
from typing import TYPE_CHECKING, Any, Literal
from zoneinfo import ZoneInfo

from starlette.types import ASGIApp

from fakes.core.browsers import Lease, Leases
from fakes.core.clock import ClockState, instant, wall_ms
from fakes.core.gateway import Gateway
from fakes.core.ids import draw_secret, draw_token
from fakes.core.proxy import Port, is_loopback
from fakes.core.pump import Pump
from fakes.core.refusals import Refusals
from fakes.core.requests import Kind
from fakes.core.seeding import Base, Seed, build_base
from fakes.core.service import Service
from fakes.core.world import Genesis, World, schema_version
from fakes.core.worlds import Worlds
from harness.fields import BadInput
from harness.frames import told
from harness.guards import TaskError
from harness.pinned import WORLD, PinnedToken, pin, pinned_image
from harness.portal.door import Door
from harness.snapshots import Snapshots

if TYPE_CHECKING:
    from harness.seedfile import SeedFile

ZONE = "America/New_York"
BASE_DATE = date(2025, 10, 21)  # a Tuesday in the last quarter, when Q3 statements arrive
BASES_KEPT = 16
FIXED_SECRET = b"paracosm's fixed secret for tests"


class UnknownScenario(LookupError):
    """There is no scenario folder of that name."""


class BrokenScenario(BadInput):
    """A scenario that can't be imported or seeded; the sentence names the file, the line and the error."""


def package_root(package: str) -> ModuleType:
    """`fakes`, `sites` or `scenarios`, together with the folder of that name in the working directory.

    That is where people who installed Paracosm keep their own; of two with one name ours is taken. What was
    made there since is found.
    """
    importlib.invalidate_caches()
    root = importlib.import_module(package)
    here = str(Path.cwd() / package)
    if here not in root.__path__ and Path(here).is_dir():
        root.__path__.append(here)
    return root


def _folders(package: str) -> list[ModuleType]:
    """The packages directly inside `package`, imported."""
    root = package_root(package)
    found = sorted(info.name for info in pkgutil.iter_modules(root.__path__) if info.ispkg)
    return [importlib.import_module(f"{package}.{name}") for name in found if name != "core"]


@cache
def discover_services() -> dict[str, Service]:
    """Every fake and site, by name: packages under `fakes` and `sites` that export `service`."""
    modules = [*_folders("fakes"), *_folders("sites")]
    services = [module.service for module in modules if hasattr(module, "service")]
    return {service.name: service for service in services}


def scenario_folders() -> dict[str, Path]:
    """Every folder of `scenarios` by name, as they are now: packages, and those that hold a seed.yaml."""
    found: dict[str, Path] = {}
    for place in map(Path, package_root("scenarios").__path__):
        for folder in sorted(place.iterdir()) if place.is_dir() else ():
            marked = (folder / "__init__.py").is_file() or (folder / "seed.yaml").is_file()
            if folder.name.isidentifier() and marked:
                found.setdefault(folder.name, folder)
    return dict(sorted(found.items()))


def discover_scenarios() -> dict[str, Callable[[Seed], Any]]:
    """Every scenario's seed by folder name: `seed` of `scenarios/<name>/seed.py`, imported when called, or
    `seed.yaml`, read when called.

    Looks again each time, so a server learns of scenarios made while it runs.
    """
    seeds: dict[str, Callable[[Seed], Any]] = {}
    for name, folder in scenario_folders().items():
        if (folder / "seed.py").is_file():
            seeds[name] = _seed_of(name, folder)
        elif (folder / "seed.yaml").is_file():
            seeds[name] = _seed_file_of(folder)
    return seeds


def _seed_of(name: str, folder: Path) -> Callable[[Seed], Any]:
    def seed(w: Seed) -> Any:
        with blaming(folder):
            return importlib.import_module(f"scenarios.{name}.seed").seed(w)

    return seed


def _seed_file_of(folder: Path) -> Callable[[Seed], Any]:
    def seed(w: Seed) -> Any:
        with blaming(folder):
            return _seed_file(folder)(w)

    return seed


def own_clock(scenario: str) -> tuple[int, str] | None:
    """Where a scenario's clock starts if nobody says otherwise, and its zone: saved seeds have one of their
    own."""
    folder = scenario_folders().get(scenario)
    if folder is None or (folder / "seed.py").is_file() or not (folder / "seed.yaml").is_file():
        return None
    with blaming(folder):
        return _seed_file(folder).clock()


def _seed_file(folder: Path) -> SeedFile:
    """The folder's seed.yaml; a saved world takes a while to read, so it is read once as it stands."""
    from harness.seedfile import FILE  # yaml is slow to import

    path = folder / FILE
    found = path.stat()
    return _read_seed_file(path, found.st_mtime_ns, found.st_size)


@lru_cache(maxsize=4)
def _read_seed_file(path: Path, mtime_ns: int, size: int) -> SeedFile:
    from harness.seedfile import SeedFile

    return SeedFile(path)


@contextmanager
def blaming(folder: Path) -> Iterator[None]:
    """What is raised inside becomes a BrokenScenario that names the last place in a scenario's folder."""
    try:
        yield
    except Exception as error:
        declared_wrongly = isinstance(error, TaskError)  # a sentence already
        raise BrokenScenario(told(error, [folder], str(error) if declared_wrongly else None)) from error


def scenario_seed(name: str) -> Callable[[Seed], Any]:
    """The seed of a scenario. Raises UnknownScenario."""
    scenarios = discover_scenarios()
    if name not in scenarios:
        raise UnknownScenario(f"There is no scenario {name!r}. Scenarios: {', '.join(sorted(scenarios))}.")
    return scenarios[name]


def morning_of(day: date, zone: str = ZONE) -> int:
    """09:30 on a day: where a world's run clock stands at the start."""
    return instant(day, "09:30", ZoneInfo(zone))


@dataclass(frozen=True)
class Start:
    """From what a world is seeded: scenario, world seed, first instant (UTC ms) and zone."""

    scenario: str
    seed: int = 1
    at_ms: int = 0
    zone: str = ZONE


def starting_now(scenario: str) -> Start:
    """From now on; a saved seed from where its own clock stands."""
    own = own_clock(scenario)
    return Start(scenario, at_ms=own[0], zone=own[1]) if own else Start(scenario, at_ms=wall_ms())


class Server:
    """Worlds behind one port. `async with Server() as server:` starts and stops it.

    `secret` keys every world's tokens and passwords, `control_secret` opens the control plane; without them
    they are drawn. `hosts` are further names that it goes by, `tokens` those that world `main` shall take.
    `proxy_auth`: leases have no addresses but say user and password to the proxy; so it is by itself where
    the host is no loopback address. `pumping` sends what leaves the worlds that are created here to real
    receivers; copies of worlds begin with their pump off.
    """

    def __init__(
        self,
        *,
        services: dict[str, Service] | None = None,
        folder: Path | None = None,
        secret: bytes | None = None,
        control_secret: str | None = None,
        hosts: Sequence[str] = (),
        tokens: Sequence[PinnedToken] = (),
        proxy_auth: bool = False,
        host: str = "127.0.0.1",
        port: int = 0,
        portal: Callable[[Server], ASGIApp] | None = None,
        control: Callable[[Server], ASGIApp] | None = None,
        pumping: bool = False,
    ) -> None:
        self.services = discover_services() if services is None else services
        self.secret = secret or draw_secret()
        self.control_secret = control_secret or draw_token()
        self.hosts, self.tokens = tuple(hosts), tuple(tokens)
        self.proxy_auth = proxy_auth or not (is_loopback(host) or host == "::1")
        self.door = Door()
        self.worlds = Worlds(self.services, folder=folder)
        self.snapshots = Snapshots(self.worlds)
        self.leases = Leases()
        self.refusals = Refusals(folder / "refusals.jsonl" if folder else None)
        self._bases: dict[Start, Base] = {}
        self.gateway = Gateway(
            self.worlds, self.leases, self.refusals,
            portal=portal(self) if portal else nothing_here,
            control=control(self) if control else nothing_here,
            hosts=self.hosts,
        )  # fmt: skip
        self.pumping = pumping
        self.pump = Pump(self.worlds, lambda: self.port)
        self.listening = Port(
            self.gateway, host=host, port=port, on_refused=self._on_refused,
            identify=self.leases.identify, challenge=self.proxy_auth, hosts=self.hosts,
        )  # fmt: skip

    async def __aenter__(self) -> Server:
        await self.listening.start()
        if self.pumping:
            self.pump.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.pump.stop()
        await self.listening.stop()
        self.worlds.close()

    @property
    def port(self) -> int:
        """The port, once started."""
        return self.listening.port

    @property
    def url(self) -> str:
        """Where this machine reaches it; no slash at the end."""
        host = self.listening.host
        return f"http://{'127.0.0.1' if host in ('', '0.0.0.0') else host}:{self.port}"

    @property
    def public_url(self) -> str:
        """Where others reach it: by the first of its further names, if it has some."""
        return f"http://{self.hosts[0]}:{self.port}" if self.hosts else self.url

    # worlds

    def base(self, start: Start) -> Base:
        """The pristine state that `start` makes; built once, and the newest of them kept."""
        if not start.at_ms:
            start = replace(start, at_ms=morning_of(BASE_DATE, start.zone))
        if start not in self._bases:
            genesis = Genesis(start.seed, self.secret, start.at_ms, start.zone, start.scenario)
            self._bases[start] = build_base(self.services, genesis, scenario_seed(start.scenario))
            if len(self._bases) > BASES_KEPT:
                del self._bases[next(iter(self._bases))]
        return self._bases[start]

    def create_world(
        self, name: str, start: Start, mode: Literal["frozen", "stepping", "running"] = "frozen"
    ) -> World:
        """A new world seeded from a scenario."""
        image = self.base(start).image
        if name == WORLD and self.tokens:
            image = pinned_image(name, self.services, image, self.tokens)
        world = self.worlds.create(name, image)
        if mode != "frozen":
            world.set_clock(ClockState("frozen", world.now()).turned(mode))
        if self.pumping:
            self.turn_pump(name, True)
        return world

    def turn_pump(self, name: str, on: bool) -> None:
        """Has what leaves a world sent from now on, or no longer; a server that did not pump begins to."""
        self.worlds.get(name).turn_pump(on)
        if on:
            self.pump.start()
        self.pump.wake()

    def reopen(self) -> list[str]:
        """Opens the worlds that the folder holds; returns the names of those it put aside, as NAME.world.old,
        because they were made with other tables than this version has."""
        stale = [name for name in self.worlds.reopen() if self.worlds.get(name).schema != self.schema_version]
        for name in stale:
            self.worlds.put_aside(name)
        return stale

    def fork_world(self, name: str, new_name: str) -> World:
        """A copy of a world with its log and journal, at the same instant."""
        return self.worlds.fork(name, new_name)

    def reset_world(self, name: str) -> str:
        """Puts a world's pristine state back; returns its hash. The clock goes on from there in the mode it
        had.
        """
        world = self.worlds.get(name)
        pristine_hash = world.reset(world.clock.mode)
        if name == WORLD:
            pin(world, self.tokens)  # of a world that was made before they were
        return pristine_hash

    async def remove_world(self, name: str) -> None:
        """Ends a world's leases and deletes it, with its snapshots."""
        await self.leases.close_world(name)
        self.worlds.remove(name)
        self.snapshots.forget(name)
        self.gateway.claims.forget(name)

    # leases

    async def lease(
        self, world: str, *, kind: Kind, medium: Literal["browser", "client"], holder: str | None = None
    ) -> Lease:
        """A new lease on an existing world."""
        self.worlds.get(world)
        return await self.leases.open(
            self.listening.listen, world=world, kind=kind, medium=medium, holder=holder,
            addressed=not self.proxy_auth,
        )  # fmt: skip

    def show(self, portal: Callable[[Server], ASGIApp]) -> None:
        """Has this portal answer at / from now on."""
        self.gateway.portal = portal(self)

    def _on_refused(self, address: str, host: str, reason: str, lease: Lease | None) -> None:
        lease = lease or self.leases.at(address)
        self.refusals.add(
            lease=lease.id if lease else None, world=lease.world if lease else None,
            method="CONNECT", host=host, path="", reason=reason,
        )  # fmt: skip

    @property
    def schema_version(self) -> str:
        """The version of every table this server's worlds have."""
        return schema_version(self.services)


async def nothing_here(scope: Any, receive: Any, send: Any) -> None:
    """Answers 404: a server without portal or control plane."""
    from starlette.responses import PlainTextResponse

    await PlainTextResponse("There is nothing here.\n", 404)(scope, receive, send)
