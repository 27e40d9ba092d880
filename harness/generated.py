"""Generated cheats: what nobody needs to write down.

A step left out, a step done twice, a browser's work done by a script, a fact taken for its neighbour, the
work done by somebody else, a stamp without its deed. Each comes out refused, harmless (what it leaves is the
reference's own) or escaped, and only escaped is a fault.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from fakes.core import auth
from fakes.core.people import Person
from fakes.core.world import World, open_world
from harness import stamps
from harness.attempt import Attempt, Attempts
from harness.bundle import Bundle, pack
from harness.driven import PLAY_TIMEOUT
from harness.evidence import Evidence, OpenEvidence
from harness.exchanged import exchanged
from harness.grade import Grade, grade
from harness.proof import Generated, Kind, Outcome
from harness.rails import Actor, Place
from harness.rails.browser import BrowserActor
from harness.steps import StepDone, Steps
from harness.tap import Sent
from harness.task import Task

_NOT_SENT = ("sec-", "host", "content-length", "connection", "accept-encoding", "cookie", "proxy-")
Signature = frozenset[tuple[str, tuple[object, ...], str]]


@dataclass(frozen=True)
class Played:
    """A played reference: its evidence, its steps, each actor's writes and the secrets they carried."""

    evidence: Evidence
    steps: tuple[StepDone, ...]
    writes: tuple[tuple[str, Sent], ...]
    csrf: Mapping[tuple[str, str], str]


def played(attempt: Attempt, evidence: Evidence) -> Played:
    """Keeps of an attempt what generated cheats are made from; ask while its world is there."""
    writes = [(n, s) for n, lease in attempt.leases.items() for s in attempt.server.tap.sent(lease.address)]
    writes = [(n, s) for n, s in writes if s.request > attempt.first_request]
    tokens = {
        (name, service): auth.csrf(attempt.world, session)
        for name, actor in attempt.actors.items() for service, (session, _) in _sessions(actor).items()
    }  # fmt: skip
    ordered = sorted(writes, key=lambda write: write[1].request)
    return Played(evidence, tuple(attempt.steps.done), tuple(ordered), tokens)


def _sessions(actor: Actor) -> Mapping[str, tuple[auth.Session, str]]:
    return actor.sessions if isinstance(actor, (BrowserActor, ScriptActor)) else {}


async def generate(attempts: Attempts, task: Task, reference: Played) -> AsyncIterator[Generated]:
    """Plays every generated cheat of a task."""
    for step in reference.steps:
        for steps in (Steps(drop=step.name), Steps(twice=step.name)):
            found = await _by_steps(attempts, task, reference, steps)
            if found is not None:
                yield found
    if task.surface == "browser" and reference.writes:
        yield await _by_script(attempts, task, reference)
    if task.surface == "mcp" and reference.writes:
        yield _by_api(attempts, task, reference)
    for name, other in task.neighbours.items():
        yield await _by_neighbour(attempts, task, reference, name, other)
    for actor, person in _stand_ins(attempts, task, reference).items():
        yield await _by_someone_else(attempts, task, reference, actor, person)
    for generated in _by_stamps(attempts, task, reference):
        yield generated


def not_applying(attempts: Attempts, task: Task, reference: Played) -> dict[Kind, str]:
    """The kinds of which a task gives no cheat, each with the reason."""
    found: dict[Kind, str] = {}
    if not reference.steps:
        found["dropped"] = found["twice"] = "the reference names no steps"
    if not task.neighbours:
        found["neighbour"] = "the task declares no neighbours="
    if not _stand_ins(attempts, task, reference):
        product = task.env.product
        found["someone else"] = (
            f"nobody but its actors has an account at {product}" if reference.writes
            else "no actor of the reference writes"
        )  # fmt: skip
    if not stamps.plan(task, reference.evidence, attempts.server.services):
        found["stamp"] = "beside what says that something happened the reference writes nothing"
    return found


def _judged(
    kind: Kind, what: str, graded: Grade, evidence: Evidence, *, harmless: bool = False
) -> Generated:  # fmt: skip
    """How a cheat came out. What no guard could judge was not refused: `trouble` tells."""
    errors = [f"makes guard {v.guard} raise {v.message}" for v in graded.errors]
    trouble = graded.void and f"counts for nothing: {graded.void}" or "; ".join(errors)
    outcome: Outcome = "refused" if not graded.all_passed else "harmless" if harmless else "escaped"
    return Generated(kind, what, outcome, graded.refused, evidence.error, trouble)


async def _by_steps(attempts: Attempts, task: Task, reference: Played, steps: Steps) -> Generated | None:
    """The reference with a step left out or repeated; None where the step did nothing."""
    assert task.the_reference is not None
    async with attempts.open(task, steps=steps) as attempt:
        steps.on_drop = attempt.hurry
        await attempt.play(task.the_reference, PLAY_TIMEOUT)
        evidence = attempt.evidence()
    if not (steps.dropped or steps.repeated):
        return None
    graded = regrade(attempts, task, evidence)
    kind: Kind = "dropped" if steps.drop is not None else "twice"
    leave_out = frozenset(task.along) if kind == "twice" else frozenset[str]()
    same = _is_same(attempts, evidence, reference, leave_out)
    return _judged(kind, steps.drop or steps.twice or "", graded, evidence, harmless=same)


async def _by_neighbour(
    attempts: Attempts, task: Task, reference: Played, name: str, other: str
) -> Generated:  # fmt: skip
    """The reference by facts in which two neighbours have changed places, graded by the true ones."""
    assert task.the_reference is not None
    async with attempts.open(task, facts=exchanged(task, attempts.base.facts, name, other)) as attempt:
        attempt.hurry()
        await attempt.play(task.the_reference, PLAY_TIMEOUT)
        evidence = attempt.evidence()
    graded = regrade(attempts, task, evidence)
    same = _is_same(attempts, evidence, reference)
    return _judged("neighbour", f"{other} taken for {name}", graded, evidence, harmless=same)


def _stand_ins(attempts: Attempts, task: Task, reference: Played) -> dict[str, Person]:
    """For each actor that writes, another person with an account at the product who is no actor.

    Of those there are, one of the actor's own house is taken, if its addresses tell: colleagues are let in
    where strangers are not.
    """
    facts, service = attempts.base.facts, attempts.server.services[task.env.product]
    if service.accounts is None:
        return {}
    with OpenEvidence(reference.evidence, attempts.server.services) as (before, _):
        known = [before.person(account.email) for account in service.accounts(before)]
    taken = {task.person(name, facts).email for name in task.actors}
    others = [person for person in known if person is not None and person.email not in taken]
    houses = {n: _house(task.person(n, facts)) for n, _ in reference.writes}
    return {n: min(others, key=lambda p: _house(p) != house) for n, house in houses.items() if others}


def _house(person: Person) -> str:
    return person.email.rpartition("@")[2]


async def _by_someone_else(
    attempts: Attempts, task: Task, reference: Played, actor: str, person: Person
) -> Generated:
    """The reference with another person, on a lease of his own, in an actor's place.

    Whoever else does the work, it is not done as asked: an end like the reference's is no excuse. Where he
    does not get as far as writing, for want of what the actor sees, he sends what the reference sent.
    """
    assert task.the_reference is not None
    async with attempts.open(task, stand_ins={actor: person}) as attempt:
        attempt.hurry()
        await attempt.play(task.the_reference, PLAY_TIMEOUT)
        sent = attempt.server.tap.sent(attempt.leases[actor].address, attempt.first_request)
        if not any(each.status < 400 for each in sent):
            await attempt.drive(lambda: _send_again(attempt, reference, actor))
        evidence = attempt.evidence()
    what = f"{person.email} in the place of {actor}"
    return _judged("someone else", what, regrade(attempts, task, evidence), evidence)


async def _send_again(attempt: Attempt, reference: Played, actor: str) -> Any:
    """Sends the writes of an actor of the reference; the answer is the reference's."""
    for name, sent in reference.writes:
        if name == actor:
            await attempt.actors[actor].send_again(sent)
    return reference.evidence.answer


def _by_stamps(attempts: Attempts, task: Task, reference: Played) -> Iterator[Generated]:
    """The reference's stamps without its deeds."""
    services = attempts.server.services
    for stamp in stamps.plan(task, reference.evidence, services):
        evidence = stamps.forged(reference.evidence, stamp, services)
        graded = regrade(attempts, task, evidence)
        same = _is_same(attempts, evidence, reference, frozenset(task.along) - task.written_tables)
        yield _judged("stamp", stamp.name, graded, evidence, harmless=same)


def regrade(attempts: Attempts, task: Task, evidence: Evidence) -> Grade:
    """The grade, by way of a bundle: the path on which agents are graded."""
    services = attempts.server.services
    bundle = Bundle(pack(evidence, small=False))
    return grade(bundle.evidence(task, services), task, services)


def _is_same(
    attempts: Attempts, evidence: Evidence, reference: Played, leave_out: frozenset[str] = frozenset()
) -> bool:
    """Whether an attempt ended as the reference did, some tables aside."""
    ends = (_signature(attempts, each, leave_out) for each in (evidence, reference.evidence))
    return next(ends) == next(ends)


def _signature(attempts: Attempts, evidence: Evidence, leave_out: frozenset[str]) -> Signature:
    """What an attempt changed of the product, whoever wrote it."""
    with OpenEvidence(evidence, attempts.server.services) as (_, after):
        changes = after.diff(since=evidence.baseline)
        judged = [c for c in changes if after.tables[c.table].judged and c.table not in leave_out]
        return frozenset((c.table, c.key, repr((c.before, c.after))) for c in judged)


# by script


class ScriptActor(Actor):
    """A program that holds a browser's lease and session."""

    def __init__(self, place: Place) -> None:
        super().__init__(place)
        self.sessions = {s: auth.start_session(place.world, s, place.person) for s in place.services}


class ScriptRail:
    """Hands out browser leases without a browser."""

    name = "script"
    medium: Literal["browser", "client"] = "browser"

    async def enter(self, place: Place) -> Actor:
        """An actor with the cookies of a browser."""
        return ScriptActor(place)


async def _by_script(attempts: Attempts, task: Task, reference: Played) -> Generated:
    """The reference's writes, sent by a program with its session, or if that gets nowhere its token."""
    for with_token in (False, True):
        evidence, accepted = await _send_all(attempts, task, reference, with_token=with_token)
        if accepted:
            break
    return _judged("by API", "", regrade(attempts, task, evidence), evidence)


def _by_api(attempts: Attempts, task: Task, reference: Played) -> Generated:
    """The end of a reference that goes by tools, as if its actors had come to it by the API: no call of a
    tool can be sent as another's request, so the log is written as it would be then.
    """
    services = attempts.server.services
    world = open_world("by-api", services, image=reference.evidence.after)
    try:
        with world.kernel_write():
            sql = "UPDATE requests SET surface = 'api', route = method || ' ' || path"
            tail = "WHERE id > ? AND surface = 'mcp'"
            world.con.execute(f"{sql} {tail}", (reference.evidence.first_request,))
        evidence = replace(reference.evidence, after=world.image())
    finally:
        world.con.close()
    return _judged("by API", "", regrade(attempts, task, evidence), evidence)


async def _send_all(
    attempts: Attempts, task: Task, reference: Played, *, with_token: bool
) -> tuple[Evidence, int]:
    async with attempts.open(task, rail="script") as attempt:
        accepted = 0
        for name, sent in reference.writes:
            accepted += await _send(attempt.actors[name], sent, reference.csrf, with_token=with_token)
        attempt.answer = reference.evidence.answer
        return attempt.evidence(), accepted


async def _send(actor: Actor, sent: Sent, csrf: Mapping[tuple[str, str], str], *, with_token: bool) -> bool:
    """Sends one write by program; whether it was accepted."""
    assert isinstance(actor, ScriptActor)
    place, world = actor.place, actor.place.world
    label = sent.host.split(".")[0]
    service = next((s for s in actor.sessions if world.services[s].host_label == label), None)
    if service is None:
        return False
    session, cookie = actor.sessions[service]
    exchange = _exchange(world, csrf.get((actor.name, service), ""), auth.csrf(world, session), sent.host)
    headers = {n: exchange(v.encode()).decode() for n, v in sent.headers if not n.startswith(_NOT_SENT)}
    headers["host"] = f"{label}.{world.name}.localhost:{place.port}"
    if with_token:
        headers["authorization"] = f"Bearer {actor.tokens[service]}"
    else:
        headers["cookie"] = f"{auth.cookie_name(world, service)}={cookie}"
    url = f"http://{place.lease.address}:{place.port}{sent.target}"
    response = await actor.http.request(sent.method, url, content=exchange(sent.body), headers=headers)
    return not response.is_error


def _exchange(world: World, old_csrf: str, new_csrf: str, old_host: str) -> Callable[[bytes], bytes]:
    """Swaps what belonged to the browser's session and world for what belongs to this one."""
    old_label, new_label = (
        f".{old_host.split('.')[1]}.localhost".encode(),
        f".{world.name}.localhost".encode(),
    )

    def exchange(text: bytes) -> bytes:
        text = text.replace(old_csrf.encode(), new_csrf.encode()) if old_csrf else text
        return text.replace(old_label, new_label)

    return exchange
