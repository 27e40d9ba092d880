"""A small archive for the book's tests: three rollouts at the claims desk, with bundles of their own."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import cache
from pathlib import Path

from harness.app import discover_services
from harness.archive.records import Classification, Grading, Records, Rollout, Run
from harness.attempt import Attempt
from harness.book.entries import EnvironmentEntry
from harness.book.worlds import environment_entry
from harness.discovery import find_task, load_environment
from harness.driver import Driver
from harness.evidence import Usage
from harness.grade import Verdict
from harness.rollout import by_play, rollout

TASK = "claims_desk/record-the-determination"
HOSTILE = "<script>alert(1)</script>"
AT = 1_790_000_000_000
PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 20
SERVICES = discover_services()
RUN = Run("1-careless", AT, AT + 9000, ("claims_desk",), Driver(model="careless"))


@cache
def desk() -> EnvironmentEntry:
    """The claims desk's entry, its instructions as they are declared."""
    return environment_entry(load_environment("claims_desk"), SERVICES)


def tell_all(attempt: Attempt) -> None:
    """Keeps what must not be printed, and what must not be believed, beside an attempt."""
    from fakes.core.people import password

    world = attempt.world
    token = world.secrets.token(f"token/{world.name}", 1)
    said = f"I have {token} and {password(world, 'mira@harborlight.example')}; {HOSTILE}"
    attempt.keep("transcript.jsonl", b'{"kind": "said", "at_ms": 5, "text": "%b"}\n' % said.encode())
    attempt.keep("shots/desk-001.png", PNG)
    attempt.keep("shots/desk-002.png", b"<svg onload=alert(1)>")


@cache
def careless() -> bytes:
    """The bundle of the play that takes the wrong claimant, with a transcript and pictures."""
    task = find_task(TASK)
    play = by_play(task, "cheat:the-other-whitfield", 60)

    async def drive(attempt: Attempt) -> None:
        await play(attempt)
        tell_all(attempt)

    return asyncio.run(rollout(task, drive)).bundle


def records(data: Path) -> Records:
    """An archive with bundles in `data`: refused, a grader error, and one of a task that is gone."""
    (data / "wrong.zip").write_bytes(careless())
    refused = Verdict("right-claimant", "refused", f"it is {HOSTILE}")
    first = Grading(1, AT, "aaaa", "failed", (Verdict("type-and-state", "passed"), refused))
    again = Grading(1, AT + 5, "bbbb", "passed", (Verdict("right-claimant", "passed"),))
    one = Rollout(
        1, RUN.id, TASK, 1, 1, "failed", AT, 2.0, "", "wrong.zip", "aaaa", "api", False,
        Usage(3, 100, 10, 0.02), (first, again), (Classification(1, AT, "contract gap", HOSTILE),),
    )  # fmt: skip
    broke = Grading(2, AT, "aaaa", "grader error", (Verdict("right-claimant", "error", "KeyError: 'x'"),))
    two = replace(one, id=2, state="grader error", bundle=None, gradings=(broke,), classifications=())
    gone = replace(one, id=3, task="../gone/<b>", state="error", bundle="../../wrong.zip", gradings=())
    return Records((RUN,), (one, two, replace(gone, classifications=(), error=HOSTILE)))
