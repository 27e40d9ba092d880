"""The loop: the model says what it wants done, we do it and tell what came of it, until it is done.

However a tool is called, the model hears what is wrong and goes on. What ends an attempt short of its end is
an endpoint that can't be asked any more, a refusal, the turns or the time running out.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, cast

from harness.attempt import Attempt
from harness.driven import Driven
from harness.driver import Driver
from harness.evidence import Ended, Usage
from harness.rails.model import brief
from harness.rails.model.browsing import Browsers
from harness.rails.model.endpoints import Endpoint, Line, Rejected, find_endpoint
from harness.rails.model.given import HandIn, Inputs
from harness.rails.model.prices import Prices, read_prices
from harness.rails.model.requesting import Requests
from harness.rails.model.served import ServedTools
from harness.rails.model.tools import Toolbox, ToolSource
from harness.rails.model.turns import Call, ModelError, Outcome, Talk, Tokens, Turn
from harness.rails.model.workspace import Workspace
from harness.rails.transcript import NAME, Transcript

MOST_TURNS = 50
MOST_IDLE = 3  # turns in a row without a call; after so many it has stopped
_NOT_READ = "Your message was cut off before this call was complete, so it was not done: call it again."


class OutOfTurns(ModelError):
    """The model has had all its turns."""


class InWorkspace(Protocol):
    """What of an attempt at a code task its tools need."""

    workspace: Path
    prompt: str


@dataclass(frozen=True)
class Work:
    """What there is to do, and by what."""

    system: str
    text: str
    hand_in: HandIn
    sources: Sequence[ToolSource]


def by_model(driver: Driver) -> Callable[[Driven], Awaitable[None]]:
    """Lets a model act, for `max_turns` turns at most. Takes attempts in worlds and at code tasks.

    Without an endpoint the attempt is not run.
    """

    async def drive(attempt: Driven) -> None:
        turns = driver.max_turns or MOST_TURNS
        try:
            endpoint, prices = find_endpoint(driver.model), read_prices()
        except ModelError as error:
            attempt.fail(error, "not-run", str(error))
            return
        session = Session(endpoint, prices, _work(attempt, turns), turns)
        try:
            await attempt.drive(session.run, driver.timeout, [Path(__file__).parent])
        finally:
            attempt.usage = session.usage
            if session.problem is not None:
                ended: Ended = "time-out" if isinstance(session.problem, OutOfTurns) else "error"
                attempt.fail(session.problem, ended, str(session.problem))
            session.note("exit", attempt.error or attempt.ended)
            attempt.keep(NAME, session.transcript.content())

    return drive


def _work(attempt: Driven, turns: int) -> Work:
    """What a model is told and may do in this attempt."""
    if not isinstance(attempt, Attempt):
        at_code = cast(InWorkspace, attempt)
        hand_in = HandIn(None)
        return Work(brief.CODE, at_code.prompt, hand_in, [Workspace(at_code.workspace), hand_in])
    actor, shots = next(iter(attempt.actors.values())), 0

    def keep(image: bytes) -> str:
        nonlocal shots
        shots += 1
        name = f"shots/{shots}.png"
        attempt.keep(name, image)
        return name

    hand_in = HandIn(attempt.task.answer)
    hands: ToolSource
    if attempt.rail == "browser":
        hands = Browsers(attempt, keep)
    else:
        hands = ServedTools(attempt) if attempt.rail == "mcp" else Requests(attempt)
    text = brief.brief_of(attempt, turns)
    return Work(brief.SYSTEM, text, hand_in, [hands, Inputs(attempt.task, actor), hand_in])


@dataclass
class Session:
    """One model at one task. `problem`: why it did not come to its end, if it did not."""

    endpoint: Endpoint
    prices: Prices
    work: Work
    turns: int
    problem: ModelError | None = None
    taken: int = 0
    tokens: Tokens | None = None
    transcript: Transcript = field(init=False)

    def __post_init__(self) -> None:
        self.transcript = Transcript({"key": self.endpoint.key})
        self._box = Toolbox(self.work.sources)
        self._talk: Talk = self.endpoint.talk(self.work.system, self._box.tools)
        self._sees = True

    def note(self, kind: str, text: str) -> None:
        """Adds to the transcript."""
        self.transcript.add(kind, text)

    @property
    def usage(self) -> Usage:
        """What it took so far."""
        spent = self.tokens
        if spent is None:
            return Usage(steps=self.taken)
        cost = self.prices.cost(self.endpoint.model, spent)
        return Usage(self.taken, spent.asked, spent.made, cost)

    async def run(self) -> Any:
        """Goes on until the model is done; returns what it handed in."""
        self._note_the_beginning()
        async with Line(self.endpoint, lambda said: self.note("retry", said)) as line:
            try:
                return await self._go_on(line)
            except ModelError as error:
                self.problem = error
                return None

    def _note_the_beginning(self) -> None:
        setup = {
            "model": self.endpoint.model,
            "dialect": self.endpoint.dialect,
            "url": self.endpoint.where,
            "prompt": brief.name_of(self.work.system),
            "tools": [tool.name for tool in self._box.tools],
        }
        self.note("setup", json.dumps(setup))
        self.note("system", self.work.system)
        self._say(self.work.text)

    async def _go_on(self, line: Line) -> Any:
        idle = 0
        while self.taken < self.turns:
            turn = await self._turn(line)
            if turn.stop == "refused":
                raise ModelError(f"The model refused to go on: {turn.text or 'it did not say why'}")
            if turn.calls:
                idle = 0
                outcomes = await self._do(turn)
                if self.work.hand_in.is_done:
                    return self.work.hand_in.answer
                self._talk.tell(outcomes)
                continue
            idle += 1
            if idle == MOST_IDLE:
                return None  # it has stopped: what it did is graded
            self._say(brief.CUT if turn.stop == "cut" else brief.NUDGE)
        raise OutOfTurns(f"not done after {self.turns} turns")

    def _say(self, text: str) -> None:
        self.note("told", text)
        self._talk.say(text)

    async def _turn(self, line: Line) -> Turn:
        """The model's next turn. One that can't see pictures is asked again without them."""
        try:
            answer = await line.ask(self._talk)
        except Rejected as error:
            if error.status not in (400, 415, 422) or not self._talk.blind():
                raise
            self._sees = False
            self.note("retry", f"{error} Asked again without pictures.")
            answer = await line.ask(self._talk)
        turn = self._talk.hear(answer)
        self.taken += 1
        if turn.tokens is not None:
            self.tokens = turn.tokens if self.tokens is None else self.tokens + turn.tokens
        if turn.text or not turn.calls:
            self.note("said", turn.text or f"({turn.stop}, without a word)")
        return turn

    async def _do(self, turn: Turn) -> list[tuple[Call, Outcome]]:
        """Does what a turn asks for, in its order; nothing any more once it is done."""
        outcomes: list[tuple[Call, Outcome]] = []
        for n, call in enumerate(turn.calls):
            self.note("tool", f"{call.name} {call.sent}")
            cut = turn.stop == "cut" and n == len(turn.calls) - 1
            outcome = Outcome(_NOT_READ, failed=True) if cut else await self._box.use(call)
            self.note("error" if outcome.failed else "result", outcome.text)
            outcomes.append((call, outcome if self._sees else Outcome(outcome.text, outcome.failed)))
            if self.work.hand_in.is_done:
                break
        return outcomes
