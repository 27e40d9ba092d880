"""Planned failures of a world: "the next two sends of Gmail are answered 503", counted and never timed.

A fault names the requests that it is for and what becomes of them. It is a row of the world, so a snapshot, a
fork and a bundle take it along with its counts, a reset puts back what the seed planned, and a scenario can
plan one in its seed. Agents neither see nor plan any. What a fault does to a request is in `striking`.

    plan(w.world, service="gmail", route="POST */messages/send", answer="503", times=2)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fakes.core.store import Row

if TYPE_CHECKING:
    from fakes.core.requests import RequestRecord
    from fakes.core.world import World

OWN, HANG_UP, CUT = "own", "hang-up", "cut"
SENTENCES = {
    "401": "Unauthorized", "403": "Forbidden", "429": "Too many requests", "500": "Internal error",
    "502": "Bad gateway", "503": "Service unavailable", "504": "Gateway time-out",
}  # fmt: skip
"""The statuses that a fault may answer, each with what a service is told is wrong."""
STATUSES = tuple(SENTENCES)
ANSWERS = (*STATUSES, HANG_UP, CUT, OWN)
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "WEBSOCKET")
MOST = 1_000_000
LONGEST_MS = 366 * 24 * 3600_000
WAIT = 1
"""Seconds that a 429 tells its client to wait, where nothing else was said."""


class BadFault(ValueError):
    """A fault that can't be planned so; the argument is the sentence to show."""


class UnknownFault(LookupError):
    """The world has no fault of that number."""


class Fault(Row, table="faults", key="id", journaled=False, judged=False):
    """A planned failure.

    It is for requests of `service`, `method` and `route` (a template or path below the service, `*` for any
    letters), made with the credential of `person` (an address) by `lease`; None stands for any. The first
    `after` of them pass, the next `times` are struck; `seen` and `struck` count both so far.

    `answer` is what the client gets: a status in the vendor's dialect, `hang-up` (nothing), `cut` (half of
    the service's answer) or `own` (all of it, late). `kept`: only where the service has written, which stays.
    `late_ms` holds the answer until the run clock has moved on by so much. `retry_after` is in seconds.
    """

    id: int
    service: str | None
    method: str | None
    route: str | None
    person: str | None
    lease: str | None
    answer: str
    kept: bool
    late_ms: int
    retry_after: int | None
    after: int
    times: int
    seen: int
    struck: int
    planned_at: int

    @property
    def left(self) -> int:
        """How many requests it will strike yet."""
        return self.times - self.struck

    @property
    def mark(self) -> str:
        """What the request log says of a request that it struck: `3:503`, `3:kept:hang-up`, `3:late`."""
        what = "late" if self.answer == OWN else self.answer
        return f"{self.id}:kept:{what}" if self.kept else f"{self.id}:{what}"


def plan(
    world: World,
    *,
    service: str | None = None,
    method: str | None = None,
    route: str | None = None,
    person: str | None = None,
    lease: str | None = None,
    answer: str = OWN,
    kept: bool = False,
    late_ms: int = 0,
    retry_after: int | None = None,
    after: int = 0,
    times: int = 1,
) -> Fault:
    """Plans a fault. Raises BadFault, and nothing is planned.

    `route` may begin with the method: "POST /api/notices". The columns are those of `Fault`.
    """
    method, route = _split(method, route)
    service = _known_service(world, service)
    _check(answer, kept, late_ms, retry_after, after, times)
    if person is not None:
        person = _known_person(world, person)
    with world.tx() as tx:
        fault = tx.insert(Fault(
            id=tx.seq("fault"), service=service, method=method, route=route,
            person=person, lease=lease, answer=answer, kept=kept,
            late_ms=late_ms, retry_after=retry_after if retry_after is not None else _wait(answer),
            after=after, times=times, seen=0, struck=0, planned_at=world.now(),
        ))  # fmt: skip
    _changed(world)
    return fault


def planned(world: World) -> list[Fault]:
    """The faults of a world, spent ones too, in the order in which they are tried."""
    return world.all(Fault, "ORDER BY id")


def cancel(world: World, number: int) -> Fault:
    """Takes a fault back; returns it as it was. Raises UnknownFault."""
    fault = world.get(Fault, number)
    if fault is None:
        raise UnknownFault(f"World {world.name!r} has no fault {number}.")
    with world.tx() as tx:
        tx.delete(fault)
    _changed(world)
    return fault


def said(fault: Fault) -> str:
    """What a fault does, in a sentence: "The next 2 requests POST at */send to gmail are answered 503."."""
    ways = {"": fault.method, "at": fault.route, "to": fault.service, "by": fault.person, "from": fault.lease}
    given = "".join(f" {word} {value}".replace("  ", " ") for word, value in ways.items() if value)
    what = {HANG_UP: "hung up on", CUT: "cut off in the middle", OWN: "answered"}.get(
        fault.answer, f"answered {fault.answer}"
    )
    late = f", {fault.late_ms / 1000:g} seconds of the run clock late" if fault.late_ms else ""
    kept = ", though what was written is kept" if fault.kept else ""
    if not fault.left:
        done = "the request" if fault.times == 1 else f"all {fault.times} requests"
        return f"Used up: {done}{given} {'was' if fault.times == 1 else 'were'} {what}{late}{kept}."
    waits = fault.after - fault.seen
    first = f"After {waits} more, the next" if waits > 0 else "The next"
    which = "request" if fault.left == 1 else f"{fault.left} requests"
    return f"{first} {which}{given} {'is' if fault.left == 1 else 'are'} {what}{late}{kept}."


# what the gateway asks


def live(world: World) -> tuple[Fault, ...]:
    """The faults that may strike yet: looked up once and kept until one changes."""
    log = world.log
    if log.faults is None:
        log.faults = tuple(world.all(Fault, "WHERE struck < times ORDER BY id"))
    return log.faults


def fits(fault: Fault, record: RequestRecord, path: str, template: str | None) -> bool:
    """Whether a request is one of those that the fault is for, but for its person. `path` and `template` are
    as below the service.
    """
    return (
        fault.service in (None, record.service)
        and fault.method in (None, record.method)
        and fault.lease in (None, record.lease)
        and (fault.route is None or _is_at(fault.route, path, template))
    )


def count(world: World, fault: Fault) -> Fault | None:
    """Counts a request that fits; the fault if it strikes, None if it lets this one pass or is spent."""
    with world.tx() as tx:
        current = world.get(Fault, fault.id)
        if current is None or not current.left:
            return None
        strikes = current.seen >= current.after
        counted = tx.update(current, seen=current.seen + 1, struck=current.struck + strikes)
    _changed(world)
    return counted if strikes else None


def _changed(world: World) -> None:
    world.log.faults = None
    world.tell(frozenset({"faults"}))


def _is_at(route: str, path: str, template: str | None) -> bool:
    return _matches(route, path) or (template is not None and _matches(route, template))


def _matches(route: str, text: str) -> bool:
    """Whether `text` is the route, with any letters for each `*`; takes one look at each letter."""
    first, *between = route.split("*")
    if not between:
        return route == text
    last, at = between.pop(), len(first)
    if not text.startswith(first):
        return False
    for part in between:
        found = text.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    return text.endswith(last) and at + len(last) <= len(text)


# reading what is asked for


def _split(method: str | None, route: str | None) -> tuple[str | None, str | None]:
    """Method and route, from "POST …/send" too; an ellipsis is a `*`."""
    if route is not None:
        first, space, rest = route.strip().partition(" ")
        if space:
            if method is not None:
                raise BadFault(f"The method is said twice: {method!r}, and in the route {route!r}.")
            method, route = first, rest.strip()
        route = route.strip().replace("…", "*")
        if not route.startswith(("/", "*")) or len(route) > 500 or " " in route:
            raise BadFault(
                f"{route[:80]!r} is no route: write a path or template such as '/api/notices' or "
                "'POST */messages/send'."
            )
    if method is not None:
        method = method.upper()
        if method not in METHODS:
            raise BadFault(f"{method[:40]!r} is no method: use one of {', '.join(METHODS)}.")
    return method, route


def _known_service(world: World, service: str | None) -> str | None:
    if service is None:
        return None
    name = service.replace("-", "_")
    if name not in world.services:
        raise BadFault(f"There is no service {service!r}. Services: {', '.join(sorted(world.services))}.")
    return name


def _known_person(world: World, email: str) -> str:
    person = world.person(email)
    if person is None:
        raise BadFault(f"Nobody in world {world.name!r} has the address {email!r}.")
    return person.email


def _check(answer: str, kept: bool, late_ms: int, retry_after: int | None, after: int, times: int) -> None:
    if answer not in ANSWERS:
        raise BadFault(f"The answer can't be {answer[:40]!r}: use one of {', '.join(ANSWERS)}.")
    if answer == OWN and not late_ms:
        raise BadFault("A fault that changes nothing: say an answer, or how late the service's own comes.")
    if kept and answer in (OWN, CUT):
        raise BadFault(f"{answer!r} keeps what was written anyway; 'kept' goes with a status or 'hang-up'.")
    if retry_after is not None and answer not in STATUSES:
        raise BadFault("'retry_after' goes with a status, such as 429 or 503.")
    for name, value, least, most in (
        ("late", late_ms, 0, LONGEST_MS), ("retry_after", retry_after or 0, 0, MOST),
        ("after", after, 0, MOST), ("times", times, 1, MOST),
    ):  # fmt: skip
        if not least <= value <= most:
            shown = (value // 1000, least, most // 1000) if name == "late" else (value, least, most)
            raise BadFault("{!r} is {}: it goes from {} to {}.".format(name, *shown))


def _wait(answer: str) -> int | None:
    return WAIT if answer == "429" else None
