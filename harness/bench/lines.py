"""What is measured: a name, a sentence and a target each, and the line that comes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal

Say = Callable[[str], None]


@dataclass(frozen=True)
class Target:
    """The most that a figure should be: milliseconds, or a ratio."""

    figure: Literal["cpu_ms", "p50_ms", "ratio"]
    most: float

    def __str__(self) -> str:
        if self.figure == "ratio":
            return f"ratio ≤ {self.most:g}"
        return f"{'CPU' if self.figure == 'cpu_ms' else 'p50'} ≤ {self.most:g} ms"


@dataclass(frozen=True)
class Line:
    """What something costs once: CPU of the serving side and the median of wall time, in milliseconds.

    `ratio` is its CPU over that of a bare Starlette route with an answer as long; None where there is no such
    route to think of.
    """

    name: str
    cpu_ms: float
    p50_ms: float
    ratio: float | None = None

    def as_json(self) -> dict[str, Any]:
        """The line as `--json` prints it, rounded to what is worth printing."""
        return {
            "name": self.name,
            "cpu_ms": round(self.cpu_ms, 4),
            "p50_ms": round(self.p50_ms, 4),
            "ratio": None if self.ratio is None else round(self.ratio, 2),
        }

    @property
    def met(self) -> bool | None:
        """Whether this run met the target; None where there is none."""
        target = SUBJECTS[self.name].target
        if target is None:
            return None
        value = getattr(self, target.figure)
        return value is not None and value <= target.most


class Unmeasured(Exception):
    """Something did not answer as it must, so a figure would be of something else; the sentence says what."""


@dataclass(frozen=True)
class Subject:
    """Something that is measured."""

    sentence: str
    target: Target | None = None


@dataclass(frozen=True)
class Plan:
    """How much is measured: so many rounds, each of `batch` requests or a few worlds."""

    rounds: int = 10
    batch: int = 40

    @property
    def few(self) -> int:
        """How often a round does what takes long."""
        return max(2, self.batch // 10)


FULL, QUICK = Plan(), Plan(rounds=3, batch=20)

_CPU_2 = Target("cpu_ms", 2.0)
_BARE = Target("ratio", 1.3)
_LIST = Target("cpu_ms", 0.6)

SUBJECTS: dict[str, Subject] = {
    "world.create.small": Subject("make a world of half a megabyte from its base, and close it", _CPU_2),
    "world.create.large": Subject("the same at six megabytes", _CPU_2),
    "world.reset.small": Subject("put the pristine state back after a write", _CPU_2),
    "world.reset.large": Subject("the same at six megabytes", _CPU_2),
    "world.fork.small": Subject("fork a world that was just written to, and close the fork", _CPU_2),
    "world.fork.large": Subject("the same at six megabytes", _CPU_2),
    "world.image.small": Subject("take a snapshot after a write"),
    "world.image.large": Subject("the same at six megabytes"),
    "world.diff.small": Subject("read what 20 writes changed"),
    "world.diff.large": Subject("the same at six megabytes"),
    "world.hash.small": Subject("the state hash"),
    "world.hash.large": Subject("the same at six megabytes"),
    "gateway.path": Subject("a bare route of a service, found by path", _BARE),
    "gateway.host": Subject("the same, found by host", _BARE),
    "gateway.proxy": Subject("the same, by a lease's forward proxy", _BARE),
    "gmail.messages.list": Subject("a page of 20 message ids", Target("cpu_ms", 0.5)),
    "gmail.messages.get": Subject("one message, in full", Target("cpu_ms", 0.3)),
    "gmail.messages.send": Subject("send a mail to a colleague", Target("cpu_ms", 0.8)),
    "mailbox.seed": Subject("seed 1,000 mails", Target("cpu_ms", 50.0)),
    "mailbox.list": Subject("20 of 100,000 mails; the ratio is against 20 of 500", Target("ratio", 1.2)),
    "mailbox.search": Subject(
        "40 searches among 10,000 mails: the slowest in a hundred", Target("cpu_ms", 5.0)
    ),
    "mcp.call": Subject("one message, read by a tool", Target("cpu_ms", 3.0)),
    "desk.claims.list": Subject("50 claims with claimant and counts", _LIST),
    "desk.notices.list": Subject("50 notices with claim, claimant and paper", _LIST),
    "desk.claims.get": Subject("one claim with its papers"),
    "desk.notices.record": Subject("record a notice"),
    "desk.login": Subject("log in: password, then code"),
    "desk.page": Subject("a page of 100 claims, as HTML"),
    "live.wake": Subject("a write, until an open page hears of it"),
    "portal.page": Subject("the portal's page of a world"),
    "prove.api": Subject("one play by API: fresh world, sign-in, play, grade"),
    "prove.browser": Subject("one play in a browser"),
    "browser.context": Subject("a browser context of its own, and a page in it"),
    "serve.ready": Subject("start `serve` over kept worlds until it is ready", Target("p50_ms", 1000.0)),
}


def chosen(names: Iterable[str]) -> list[str]:
    """The subjects that these names, or beginnings of names ("gmail", "world.fork"), mean; all for none.

    Raises LookupError for one that means nothing.
    """
    wanted = list(names)
    for name in wanted:
        if not any(_means(name, each) for each in SUBJECTS):
            raise LookupError(name)
    return [each for each in SUBJECTS if not wanted or any(_means(name, each) for name in wanted)]


def _means(name: str, subject: str) -> bool:
    return subject == name or subject.startswith(f"{name}.")
