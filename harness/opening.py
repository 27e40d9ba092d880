"""Plays one play in a world that is kept and served: what `prove --open` shows of a cheat."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import date
from urllib.parse import urlencode

from fakes.core.service import Service
from fakes.core.world import Genesis
from harness.app import BASE_DATE, ZONE, Server, morning_of
from harness.attempt import Attempts
from harness.deciding import Place, deciding_row
from harness.driven import PLAY_TIMEOUT
from harness.evidence import Evidence
from harness.generated import regrade
from harness.grade import Grade
from harness.guards import Play
from harness.portal.app import portal_app
from harness.rails import ApiRail, BrowserRail, McpRail, Rail
from harness.rollout import UnknownPlay
from harness.steps import Steps
from harness.tap import HeardServer
from harness.task import Task


@dataclass(frozen=True)
class Opened:
    """A play that was played, its grade, and where its world is served.

    `decided` is the row that the refusal is about: `guard` is the guard that refused it first.
    """

    task: Task
    play: Play
    evidence: Evidence
    grade: Grade
    guard: str | None
    decided: Place | None
    server: Server
    world: str

    @property
    def changes(self) -> str:
        """The path of the portal's page of what the play changed, with the deciding row marked."""
        page = f"/worlds/{self.world}/changes"
        return page if self.decided is None else f"{page}?{urlencode({'mark': mark(self.decided)})}"

    def link(self) -> str:
        """A new one-time link that opens the portal at that page."""
        return self.server.door.link(self.server.url, self.changes)


def mark(place: Place) -> str:
    """A row as the portal's addresses name it: TABLE/KEY, a key of several columns as a JSON list."""
    key = str(place.key[0]) if len(place.key) == 1 else json.dumps(place.key)
    return f"{place.table}/{key}"


def find_any(task: Task, name: str) -> Play:
    """A play of a task by its bare name, whatever it is. Raises UnknownPlay."""
    plays = {cheat.name: cheat.play for cheat in task.cheats.values()} | dict(task.variants)
    if task.the_reference is not None:
        plays["reference"] = task.the_reference
    found = plays.get(name.partition(":")[2] or name)
    if found is None:
        raise UnknownPlay(f"{task.name} has no play {name!r}; it has {', '.join(plays)}.")
    return found


@asynccontextmanager
async def opened(
    task: Task, play: Play, *, port: int = 0, services: dict[str, Service] | None = None,
    browser: BrowserRail | None = None, day: date = BASE_DATE, zone: str = ZONE,
) -> AsyncIterator[Opened]:  # fmt: skip
    """Plays, grades, and serves the world with its portal as long as the context lasts.

    Raises BrowserMissing, BrokenScenario and TaskError; OSError for a port that can't be had.
    """
    rail = browser or BrowserRail()
    server = HeardServer(services=services, port=port, portal=portal_app)
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(server)
        if browser is None:
            stack.push_async_callback(rail.close)
        genesis = Genesis(1, server.secret, morning_of(day, zone), zone, task.env.slug)
        rails: dict[str, Rail] = {"api": ApiRail(), "mcp": McpRail(), "browser": rail}
        attempts = Attempts(server, task.env, genesis, rails=rails)
        honest = play not in {cheat.play for cheat in task.cheats.values()}
        attempt = await stack.enter_async_context(attempts.open(task, steps=Steps(honest=honest)))
        await attempt.play(play, PLAY_TIMEOUT)
        evidence = attempt.evidence()
        graded = regrade(attempts, task, evidence)
        guard = _first_to_refuse(task, play, graded)
        decided = guard and deciding_row(task, evidence, graded, guard, server.services)
        yield Opened(task, play, evidence, graded, guard, decided or None, server, attempt.world.name)


def _first_to_refuse(task: Task, play: Play, graded: Grade) -> str | None:
    """The guard that a cheat is declared at, if it refuses, or else the first that does."""
    own = [cheat.guard.name for cheat in task.cheats.values() if cheat.play is play]
    refused = [verdict.guard for verdict in graded.verdicts if verdict.state == "refused"]
    return next((name for name in (*own, *refused) if name in graded.refused), None)
