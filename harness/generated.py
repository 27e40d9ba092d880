"""Generated cheats: what nobody needs to write down. A step left out, a step done twice, a browser task by
script.

Each comes out refused, harmless (what it leaves is the reference's own) or escaped, and only escaped is a
fault.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from fakes.core import auth
from fakes.core.world import World
from harness.attempt import PLAY_TIMEOUT, Attempt, Attempts
from harness.bundle import Bundle, pack
from harness.evidence import Evidence, OpenEvidence
from harness.grade import Grade, grade
from harness.proof import Generated, Outcome
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
    kind: Literal["dropped", "twice"] = "dropped" if steps.drop is not None else "twice"
    leave_out = frozenset(task.along) if kind == "twice" else frozenset[str]()
    same = _signature(attempts, evidence, leave_out) == _signature(attempts, reference.evidence, leave_out)
    outcome: Outcome = "refused" if not graded.all_passed else "harmless" if same else "escaped"
    return Generated(kind, steps.drop or steps.twice or "", outcome, graded.refused)


def regrade(attempts: Attempts, task: Task, evidence: Evidence) -> Grade:
    """The grade, by way of a bundle: the path on which agents are graded."""
    services = attempts.server.services
    bundle = Bundle(pack(evidence, small=False))
    return grade(bundle.evidence(task, services), task, services)


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
        graded, accepted = await _send_all(attempts, task, reference, with_token=with_token)
        if accepted:
            break
    return Generated("by API", "", "escaped" if graded.all_passed else "refused", graded.refused)


async def _send_all(
    attempts: Attempts, task: Task, reference: Played, *, with_token: bool
) -> tuple[Grade, int]:
    async with attempts.open(task, rail="script") as attempt:
        accepted = 0
        for name, sent in reference.writes:
            accepted += await _send(attempt.actors[name], sent, reference.csrf, with_token=with_token)
        attempt.answer = reference.evidence.answer
        return regrade(attempts, task, attempt.evidence()), accepted


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
