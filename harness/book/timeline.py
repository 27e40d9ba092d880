"""The requests of a rollout in their order: by which browser, when on the run clock, what came of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fakes.core.clock import civil
from fakes.core.journal import Change
from fakes.core.requests import LoggedRequest
from fakes.core.ui.filters import day
from fakes.core.world import World
from harness.book.transcript import shortened
from harness.evidence import Seat
from harness.hiding import Hiding

MOST = 600
FILES = frozenset({"style", "script", "image", "font", "manifest"})


@dataclass(frozen=True)
class Asked:
    """One request. `lane` numbers its browser or client, which `who` names; `wrote` are tables."""

    number: int
    date: str
    time: str
    lane: int
    who: str
    surface: str
    method: str
    service: str
    path: str
    status: int | None
    credential: str
    fault: str
    body: str
    wrote: tuple[str, ...]


@dataclass(frozen=True)
class Lane:
    """A browser or client: its lease, and the actor who has it, if one has."""

    number: int
    lease: str
    actor: str


@dataclass(frozen=True)
class Timeline:
    """What is shown of the log, and what is left out: `files` are requests for parts of pages."""

    lanes: tuple[Lane, ...]
    asked: tuple[Asked, ...]
    files: int = 0
    left_out: int = 0


def timeline(
    world: World, requests: Sequence[LoggedRequest], changes: Sequence[Change], seats: Mapping[str, Seat],
    hiding: Hiding,
) -> Timeline:  # fmt: skip
    """The timeline of an attempt."""
    pages = [request for request in requests if request.dest not in FILES]
    actors = {seat.lease: name for name, seat in seats.items()}
    leases = list(dict.fromkeys(request.lease or request.kind or "nobody" for request in pages))
    lanes = {lease: Lane(n, lease, actors.get(lease, "")) for n, lease in enumerate(leases)}
    wrote = _tables_by_request(changes)
    asked = [
        _asked(world, request, lanes[request.lease or request.kind or "nobody"], wrote, hiding)
        for request in pages[:MOST]
    ]
    return Timeline(
        tuple(lanes.values()), tuple(asked), len(requests) - len(pages), max(len(pages) - MOST, 0)
    )


def _tables_by_request(changes: Sequence[Change]) -> dict[int, Counter[str]]:
    found: dict[int, Counter[str]] = {}
    for change in changes:
        for request in dict.fromkeys(change.requests):
            if request is not None:
                found.setdefault(request, Counter())[change.table] += 1
    return found


def _asked(
    world: World, request: LoggedRequest, lane: Lane, wrote: Mapping[int, Counter[str]], hiding: Hiding
) -> Asked:
    at = civil(request.at, world.zone)
    query = f"?{request.query}" if request.query else ""
    return Asked(
        number=request.id,
        date=day(at),
        time=at.strftime("%H:%M:%S"),
        lane=lane.number,
        who=lane.lease,
        surface=request.surface,
        method=request.method,
        service=request.service or "",
        path=shortened(hiding.text(_below(request.path) + query), 400),
        status=request.status,
        credential=(request.credential or "").partition(":")[0],
        fault=request.fault or "",
        body=shortened(hiding.text(request.body or "")),
        wrote=tuple(f"{table} ×{n}" if n > 1 else table for table, n in wrote.get(request.id, {}).items()),
    )


def _below(path: str) -> str:
    """A program's path without the world that it goes through."""
    if path.startswith("/w/"):
        return "/" + path.removeprefix("/w/").partition("/")[2]
    return path
