"""All worlds at a glance, and two of them beside each other."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from starlette.requests import Request
from starlette.responses import Response

from fakes.core.people import Person
from fakes.core.requests import LoggedRequest, RequestLog
from fakes.core.world import World
from harness.app import Server, discover_scenarios
from harness.comparing import differences
from harness.portal import panels
from harness.portal.changed import CHANGES, changed_tables
from harness.portal.live import head_of
from harness.portal.page import page

SIDE = 15  # requests beside each other


@dataclass(frozen=True)
class Card:
    """A world on the overview. `changed` counts the rows that differ from the seed."""

    world: World
    people: int
    changed: int
    latest: LoggedRequest | None
    fork_name: str


_counted: WeakKeyDictionary[World, tuple[RequestLog, int, int]] = WeakKeyDictionary()


def _changed(world: World) -> int:
    """How many rows differ from the seed; counted anew when the journal has moved."""
    head = world.journal.head()
    log, at, count = _counted.get(world, (None, -1, 0))
    if log is not world.log or at != head:
        count = len(world.diff())
        _counted[world] = (world.log, head, count)
    return count


def _card(server: Server, world: World) -> Card:
    latest = panels.log_page(world, None, None).rows[:1]
    return Card(
        world=world, people=world.count(Person), changed=_changed(world),
        latest=latest[0] if latest else None, fork_name=_free_name(server, world.name),
    )  # fmt: skip


def _free_name(server: Server, name: str) -> str:
    """A name for a fork of this world that is not taken."""
    taken, n = server.worlds.names(), 2
    while (free := f"{name[:28].rstrip('-')}-{n}") in taken:
        n += 1
    return free


async def overview(request: Request) -> Response:
    """Every world of the server, each on a card."""
    server: Server = request.state.server
    cards = [_card(server, server.worlds.get(name)) for name in server.worlds.names()]
    return page(
        request, "overview.html", cards=cards, scenarios=sorted(discover_scenarios()),
        live_url="/_live", live_seq=head_of(server),
    )  # fmt: skip


# two states beside each other


@dataclass(frozen=True)
class Side:
    """One of two compared states: a world, or with `@` a snapshot of one; its newest requests."""

    label: str
    world: World
    is_snapshot: bool
    requests: list[LoggedRequest]


async def compare(request: Request) -> Response:
    """Rows that are not alike in `?a=` and `?b=`, and the newest requests of both."""
    server: Server = request.state.server
    a, b = (request.query_params.get(name, "") for name in "ab")
    with ExitStack() as opened:
        sides = [_side(server, label, opened) for label in (a, b) if label]
        found = differences(sides[0].world, sides[1].world) if len(sides) == 2 else []
        shown = changed_tables(sides[1].world, found[:CHANGES]) if len(sides) == 2 else []
        return page(
            request, "compare.html", choices=_choices(server), a=a, b=b, sides=sides, tables=shown,
            count=len(found), most=CHANGES, live_url="/_live", live_seq=head_of(server),
        )  # fmt: skip


def _choices(server: Server) -> list[tuple[str, str]]:
    """What can be compared: the value that the address takes, and what it is called."""
    found = []
    for name in server.worlds.names():
        found.append((name, name))
        for snapshot in server.snapshots.of(name):
            if server.snapshots.changed(name, snapshot.name) is not None:
                found.append((f"{name}@{snapshot.name}", f"{name}, snapshot {snapshot.name}"))
    return found


def _side(server: Server, label: str, opened: ExitStack) -> Side:
    name, at, snapshot = label.partition("@")
    world = server.worlds.get(name)
    if at:
        world = server.snapshots.opened(name, snapshot)
        opened.callback(world.close)
    return Side(label, world, bool(at), panels.log_page(world, None, None).rows[:SIDE])
