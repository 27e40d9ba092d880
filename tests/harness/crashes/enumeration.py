"""Kills a server at every commit and write of the script's steps, and looks what it leaves behind.

Run as `python -m tests.harness.crashes.enumeration FOLDER '{"every_write": 1}'`; prints a JSON report. The
process warms up on a world in memory, closes it, and from then on only forks: each child opens a copy of the
files as they were before a step, plays that step and dies at one point of it. Other children look at what is
there then, go on from there, and must come to the end that a run without a crash has.
"""

from __future__ import annotations

import asyncio
import gc
import os
import shutil
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import orjson

from fakes.core import agenda, crash
from fakes.core.agenda import Planned
from fakes.core.clock import ClockState
from fakes.core.crash import Kill
from fakes.core.world import World
from tests.harness.crashes import breaking
from tests.harness.crashes.judging import Standing, after_crash
from tests.harness.crashes.playing import Client, Transcript, play, read_transcript
from tests.harness.crashes.script import SCRIPT, SERVICES, Answer, Ask, Known, authenticator_of, build

Side = Literal["", "+", "~"]
NEVER = 10**9
BATCH = 60
FILES = ("main.world", "main.world-wal", "main.pristine")
OPENING, CLOSING = "opening", "closing"


@dataclass(frozen=True)
class Moment:
    """A step, or the opening or closing of the world, between two standings of the run without a crash."""

    name: str
    n: int  # the step's number; -1 for opening and closing
    before: Standing
    after: Standing
    between: list[Standing]
    answers: dict[str, Answer]


@dataclass(frozen=True)
class Case:
    """A point to die at, in a moment."""

    moment: int
    kill: Kill

    def __str__(self) -> str:
        return f"{self.kill.what}:{self.kill.n}{self.kill.side}"


@dataclass
class Wanted:
    """What to enumerate: kinds of points, every how many of the writes, in which steps, with what broken."""

    every_commit: int = 1
    every_write: int = 1
    steps: list[str] | None = None
    broken: str = ""


class Enumeration:
    """The runs over one folder."""

    def __init__(self, folder: Path, wanted: Wanted) -> None:
        self.folder, self.wanted = folder, wanted
        self.base = build()
        self._code = authenticator_of(self.base, "mira@harborlight.example")
        self._warm_up()

    def known(self, answers: dict[str, Answer] | None = None) -> Known:
        """What a client knows that has these answers."""
        return Known(self.base.facts, self._code, dict(answers or {}))

    def _warm_up(self) -> None:
        client = Client(SERVICES)
        client.server.worlds.create("main", self.base.image)
        asyncio.run(play(client, SCRIPT, self.known()))
        client.server.worlds.close()
        gc.collect()
        gc.freeze()

    # the run without a crash

    def reference(self) -> list[Moment]:
        """Plays the script whole; keeps the files before each moment, and where the world stands after it."""
        told = orjson.loads(self._in_child(self._reference))
        moments = []
        for one in told:
            answers = {name: Answer(**answer) for name, answer in one["answers"].items()}
            before, after, *between = map(Standing.read, (one["before"], one["after"], *one["between"]))
            moments.append(Moment(one["name"], one["n"], before, after, between, answers))
        return moments

    def _reference(self) -> bytes:
        run = self.folder / "reference"
        run.mkdir()
        (run / "main.world").write_bytes(self.base.image)
        (run / "main.pristine").write_bytes(self.base.image)
        self._keep_files(run, 0)
        client = Client(SERVICES, run)
        assert client.server.reopen() == []
        moments: list[dict[str, Any]] = []
        known, between = self.known(), list[Standing]()
        standing = Standing.of(client.world)
        _hear_of_each_piece(lambda: between.append(Standing.of(client.world)))

        def ended(name: str, n: int) -> None:
            nonlocal standing
            before, standing = standing, Standing.of(client.world)
            moves = n >= 0 and SCRIPT[n].moves
            answers = {k: asdict(a) for k, a in known.answers.items() if k != name}
            moments.append({
                "name": name, "n": n, "before": asdict(before), "after": asdict(standing), "answers": answers,
                "between": [asdict(s) for s in between] if moves else [],
            })  # fmt: skip
            between.clear()
            self._keep_files(run, len(moments))

        ended(OPENING, -1)
        for n, step in enumerate(SCRIPT):
            asyncio.run(play(client, SCRIPT[: n + 1], known, first=n))
            ended(step.name, n)
        client.server.worlds.close()
        client.server.reopen()
        ended(CLOSING, -1)
        client.server.worlds.close()
        return orjson.dumps(moments)

    def _keep_files(self, run: Path, n: int) -> None:
        _copy(run, self.folder / f"before-{n}")

    # the points

    def cases(self, moments: list[Moment]) -> Iterator[Case]:
        """Every point of the moments that are wanted: all sides of a commit, the sides of a write in turn."""
        wanted = [n for n, m in enumerate(moments) if m.name in (self.wanted.steps or [m.name])]
        counts = orjson.loads(self._in_child(lambda: self._count({n: moments[n] for n in wanted})))
        for n, kinds in zip(wanted, counts, strict=True):
            for what, side, every in (
                ("commit", "", self.wanted.every_commit), ("commit", "+", self.wanted.every_commit),
                ("write", "~", self.wanted.every_write),
            ):  # fmt: skip
                first, last = kinds[what + side]
                for point in range(first + 1, last + 1, every) if every else ():
                    turned = side if what == "commit" else ("~", "", "+")[point % 3]
                    yield Case(n, Kill(what, point, turned))  # type: ignore[arg-type]

    def _count(self, moments: dict[int, Moment]) -> bytes:
        """The points passed before each moment and after it, of each kind."""
        found = []
        for n, moment in moments.items():
            kinds = {}
            for what, side in (("commit", ""), ("commit", "+"), ("write", "~")):
                run = self.folder / "count"
                _copy(self.folder / f"before-{n}", run)
                kinds[what + side] = self._act(run, moment, Kill(what, NEVER, side))  # type: ignore[arg-type]
                shutil.rmtree(run)
            found.append(kinds)
        return orjson.dumps(found)

    def _act(self, run: Path, moment: Moment, kill: Kill) -> tuple[int, int]:
        """Does what the moment is about, with a kill planned; the points passed before it and after it."""
        crash.arm(kill)
        client = Client(SERVICES, run)
        if moment.name == OPENING:
            client.server.reopen()
            passed = (0, crash.counted())
        else:
            client.server.reopen()
            before = crash.counted()
            if moment.name == CLOSING:
                client.server.worlds.close()
            else:
                self._step(client, moment, Transcript(run / "transcript"))
            passed = (before, crash.counted())
        crash.arm(None)
        client.server.worlds.close()
        return passed

    def _step(self, client: Client, moment: Moment, transcript: Transcript) -> None:
        known = self.known(moment.answers)
        asyncio.run(play(client, SCRIPT[: moment.n + 1], known, transcript, moment.n))
        transcript.close()

    # the kills, and what they leave

    def run(self) -> dict[str, Any]:
        """Kills at every point, and reports what is wrong."""
        moments = self.reference()
        cases = list(self.cases(moments))
        report: dict[str, Any] = {"cases": len(cases), "wrong": [], "cut": 0, "done": 0}
        for start in range(0, len(cases), BATCH):
            batch = cases[start : start + BATCH]
            for n, case in enumerate(batch):
                died = self._kill(self.folder / f"run-{n}", moments[case.moment], case)
                if not died:
                    report["wrong"].append(f"{moments[case.moment].name}, {case}: nobody died")
            for told in orjson.loads(self._in_child(lambda batch=batch: self._judge(moments, batch))):  # type: ignore[misc]
                report["wrong"] += told["wrong"]
                report[told["stood"]] = report.get(told["stood"], 0) + 1
            for n in range(len(batch)):
                shutil.rmtree(self.folder / f"run-{n}")
        report["moments"] = [moment.name for moment in moments]
        return report

    def _kill(self, run: Path, moment: Moment, case: Case) -> bool:
        _copy(self.folder / f"before-{case.moment}", run)
        pid = os.fork()
        if pid == 0:
            try:
                self._act(run, moment, case.kill)
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(1)
        _, status = os.waitpid(pid, 0)
        return os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL

    def _judge(self, moments: list[Moment], batch: list[Case]) -> bytes:
        found = []
        for n, case in enumerate(batch):
            moment = moments[case.moment]
            stood, wrong = self._look(self.folder / f"run-{n}", moment)
            found.append({"stood": stood, "wrong": [f"{moment.name}, {case}: {one}" for one in wrong]})
        return orjson.dumps(found)

    def _look(self, run: Path, moment: Moment) -> tuple[str, list[str]]:
        answers, cut = read_transcript(run / "transcript")
        client = Client(SERVICES, run)
        client.server.reopen()
        if client.server.worlds.names() != ["main"]:
            return "gone", [f"the world can't be opened: {client.server.worlds.broken}"]
        world = client.world
        answered = moment.n in answers
        wrong = list(after_crash(world, moment.before, moment.after, moment.between, not answered))
        done = world.state_hash() == moment.after.hash
        if moment.n >= 0 and not wrong:
            wrong += self._go_on(client, moment, done, answered)
        client.server.worlds.close()
        return "done" if done else "cut", wrong

    def _go_on(self, client: Client, moment: Moment, done: bool, answered: bool) -> Iterator[str]:
        """The client comes back: it asks again what was not done, and the world comes to its known end."""
        step = SCRIPT[moment.n]
        ask = step.ask(self.known(moment.answers))
        if done and not answered:
            yield from self._again(client.world, step.again, ask, moment)
        if not done:
            answer = asyncio.run(client.ask(ask))
            if (answer.status >= 400) != step.refused:
                yield f"asked again it answers {answer.status}: {answer.text[:200]}"
            if client.world.state_hash() != moment.after.hash:
                yield "asked again it comes to another end"

    def _again(self, world: World, status: int, ask: Ask, moment: Moment) -> Iterator[str]:
        """A client that does not look first, in a copy of the world."""
        other = Client(SERVICES)
        other.server.worlds._keep(world.fork("main"))
        answer = asyncio.run(other.ask(ask))
        if answer.status != status:
            yield f"repeated blindly it answers {answer.status}, not {status}: {answer.text[:200]}"
        if status == 409 and other.world.state_hash() != moment.after.hash:
            yield "repeated blindly it is refused, and changes something"
        other.server.worlds.close()

    def _in_child(self, work: Callable[[], bytes]) -> bytes:
        """What a forked child makes; this process never opens a world of its own."""
        result = self.folder / "result"
        pid = os.fork()
        if pid == 0:
            try:
                result.write_bytes(work())
                os._exit(0)
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(1)
        _, status = os.waitpid(pid, 0)
        if status:
            sys.exit("a child failed; see above")
        return result.read_bytes()


def _copy(source: Path, target: Path) -> None:
    target.mkdir()
    for name in FILES:
        if (source / name).exists():
            shutil.copyfile(source / name, target / name)


def _hear_of_each_piece(note: Callable[[], None]) -> None:
    """Notes where the world stands after each write of the clock, and each piece of work that fell due."""
    fire, set_clock = agenda.fire, World.set_clock

    def heard_fire(world: World, planned: Planned) -> None:
        fire(world, planned)
        note()

    def heard_clock(world: World, state: ClockState) -> None:
        set_clock(world, state)
        note()

    agenda.fire = heard_fire
    World.set_clock = heard_clock  # type: ignore[method-assign, assignment]


if __name__ == "__main__":
    asked = Wanted(**orjson.loads(sys.argv[2]))
    breaking.BREAKS[asked.broken]()
    print(orjson.dumps(Enumeration(Path(sys.argv[1]), asked).run()).decode())
