"""What an environment's tasks can grade: which write routes of the product write what, and who looks at it.

Read off the journal of the honest plays. Cheats are left out: they forge rows in the name of routes that
never wrote them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from starlette.routing import BaseRoute, Mount, Route

from fakes.core.requests import READS
from fakes.core.service import Service
from harness.attempt import Attempts
from harness.environment import Environment, NotGradable
from harness.evidence import Evidence, OpenEvidence
from harness.grade import grade
from harness.guards import Play
from harness.qualify import attempts_on
from harness.rails import BrowserRail
from harness.task import Task

UNPLAYED = "no task writes through it"
CLOSED = "closed"
_WRITTEN = (
    "SELECT DISTINCT coalesce(requests.route, 'no route'), journal.tbl FROM journal "
    "JOIN requests ON requests.id = journal.request WHERE journal.seq > ?"
)


@dataclass(frozen=True)
class RouteFound:
    """A write route: the tables that honest plays wrote by it, the tasks that grade such a write, and if none
    does, why."""

    route: str
    tables: tuple[str, ...]
    graded_by: tuple[str, ...]
    why: str = ""


@dataclass(frozen=True)
class TableFound:
    """A table of the product: by which routes plays wrote it, which tasks grade it, and why it came along
    where none does."""

    table: str
    routes: tuple[str, ...]
    graded_by: tuple[str, ...]
    along: str = ""


@dataclass(frozen=True)
class Gradable:
    """The matrix of an environment. `problems` are plays that did not pass, and lists that are not true."""

    environment: str
    product: str
    routes: tuple[RouteFound, ...]
    tables: tuple[TableFound, ...]
    problems: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """As plain values."""
        return asdict(self)


@dataclass
class _Played:
    """What the honest plays of the tasks so far wrote: (task, route, table), and what went wrong."""

    writes: set[tuple[str, str, str]] = field(default_factory=set)
    problems: list[str] = field(default_factory=list)


async def gradable(
    env: Environment, *, services: dict[str, Service] | None = None, browser: BrowserRail | None = None
) -> Gradable:
    """Plays references and variants and reads off the journal what they wrote.

    Raises BrowserMissing, BrokenScenario and TaskError.
    """
    played = _Played()
    async with attempts_on(env, services=services, browser=browser) as attempts:
        for task in env.tasks.values():
            references = [task.the_reference] if task.the_reference is not None else []
            for play in (*references, *task.variants.values()):
                await _play(attempts, task, play, played)
        service = attempts.server.services[env.product]
    return _matrix(env, service, played)


async def _play(attempts: Attempts, task: Task, play: Play, played: _Played) -> None:
    async with attempts.open(task) as attempt:
        await attempt.play(play)
        evidence = attempt.evidence()
    graded = grade(evidence, task, attempts.server.services)
    if not graded.passed:
        why = evidence.error or ", ".join(sorted(graded.refused))
        played.problems.append(f"{task.name}: {play.name} does not pass: {why}.")
    played.writes |= {(task.slug, *each) for each in _written(attempts, evidence)}


def _written(attempts: Attempts, evidence: Evidence) -> list[tuple[str, str]]:
    """Each route with each table that it wrote, sessions and the like left out."""
    with OpenEvidence(evidence, attempts.server.services) as (_, after):
        rows = after.select(_WRITTEN, (evidence.baseline,))
        return [(route, table) for route, table in rows if after.tables[table].judged]


def _matrix(env: Environment, service: Service, played: _Played) -> Gradable:
    graded = {
        (slug, route, table) for slug, route, table in played.writes if table in _grades(env.tasks[slug])
    }
    by_route: defaultdict[str, set[str]] = defaultdict(set)
    for slug, route, _ in graded:
        by_route[route].add(slug)
    known = list(dict.fromkeys(routes_of(service)))
    writing = [route for route in known if route.partition(" ")[0] not in READS]
    others = sorted({route for _, route, _ in played.writes} - set(known))
    routes = [
        RouteFound(
            route,
            tuple(sorted({table for _, r, table in played.writes if r == route})),
            tuple(sorted(by_route[route])),
            "" if by_route[route] else _why(env, played, route),
        )
        for route in (*writing, *others)
    ]
    tables = [_table(env, row.__table__.name, played, graded) for row in service.tables]
    problems = [*played.problems, *_untrue(env.not_gradable, known, by_route)]
    return Gradable(env.slug, env.product, tuple(routes), tuple(tables), tuple(problems))


def routes_of(service: Service) -> Iterator[str]:
    """Every route of a service as the request log names it, its tools that write ("TOOL send_email"), and
    what its plans do ("DUE chase").
    """
    yield from _routes(service.routes())
    if service.mcp is not None:
        yield from (f"TOOL {tool.name}" for tool in service.mcp().by_name.values() if not tool.reads)
    yield from (f"DUE {kind}" for kind in service.due)


def _routes(routes: Iterable[BaseRoute]) -> Iterator[str]:
    for route in routes:
        if isinstance(route, Mount):
            yield from _routes(route.routes)
        elif isinstance(route, Route):
            yield from (f"{method} {route.path}" for method in sorted(route.methods or ()))


def _grades(task: Task) -> frozenset[str]:
    """The tables that a task's guards answer for."""
    return task.written_tables.union(*(guard.owns for guard in task.guards.values()))


def _why(env: Environment, played: _Played, route: str) -> str:
    """Why no task grades a route."""
    for entry in env.not_gradable:
        if entry.route == route:
            is_open = not entry.state.startswith(CLOSED)
            return f"{entry.reason} ({entry.state})" if is_open else f"{UNPLAYED} ({entry.state})"
    wrote = sorted({slug for slug, r, _ in played.writes if r == route})
    return f"{', '.join(wrote)} write by it what only comes along" if wrote else UNPLAYED


def _table(env: Environment, table: str, played: _Played, graded: set[tuple[str, str, str]]) -> TableFound:
    routes = {route for _, route, t in played.writes if t == table}
    tasks = {slug for slug, _, t in graded if t == table}
    reasons = {task.along[table].reason for task in env.tasks.values() if table in task.along}
    return TableFound(
        table, tuple(sorted(routes)), tuple(sorted(tasks)), "" if tasks else "; ".join(sorted(reasons))
    )


def _untrue(
    listed: Sequence[NotGradable], routes: Sequence[str], graded: dict[str, set[str]]
) -> Iterator[str]:
    """What the list of what is not gradable says and is not so; closed entries tell history."""
    for entry in listed:
        if entry.state.startswith(CLOSED):
            continue
        if graded.get(entry.route):
            tasks = ", ".join(sorted(graded[entry.route]))
            yield f"{entry.route} is listed as not gradable, and is graded by {tasks}: close the entry."
        elif entry.route not in routes:
            yield f"{entry.route} is listed as not gradable, and is no route of the product."
