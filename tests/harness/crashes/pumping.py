"""Kills a server that delivers webhooks, at every point of claim, send and record, and looks what arrived.

Run as `python -m tests.harness.crashes.pumping FOLDER`; prints a JSON report. The receiver is a process of
its own, with a file of all that it got. At "send" it is the receiver that kills: before it answers, in the
middle of its answer, or after the last byte of it.
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
from pathlib import Path
from typing import Any

import orjson

from fakes.core import crash, outbox
from fakes.core.crash import Kill
from fakes.core.outbox import Delivery
from fakes.core.pump import Pump
from fakes.core.world import open_world
from fakes.core.worlds import Worlds
from sites.claims_desk.schema import Notice, Operator
from sites.claims_desk.store import notices, webhooks
from tests.fakes.core.receiver import BUSY, HALF, NOTHING, OK, Got, receiving
from tests.harness.crashes.script import SERVICES, build

NEVER = 10**9
TOLD = ("first", "second", "third")
SENDS = ("before", "within", "after")


class Pumping:
    """The runs over one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._got, self._plan, self._pid = folder / "got", folder / "plan", folder / "pid"
        self._tell_nobody()
        self.port, self._receiver = self._fork_receiver()
        self.image, self.hash = self._world_with_events()
        self._warm_up()

    def _warm_up(self) -> None:
        """Delivers once from memory, so that children find everything imported."""
        self._got.write_bytes(b"")
        worlds = Worlds(SERVICES)
        worlds._keep(open_world("main", SERVICES, image=self.image))
        asyncio.run(_pump(worlds))
        worlds.close()
        gc.collect()
        gc.freeze()

    def _world_with_events(self) -> tuple[bytes, str]:
        """A world whose desk told three things each about two notices, to a receiver here."""
        world = open_world("main", SERVICES, image=build().image)
        me = world.one(Operator, "ORDER BY seq")
        assert me is not None
        webhooks.add_webhook(world, me, f"http://127.0.0.1:{self.port}/hook", ["notice.flagged"])
        flagged = world.all(Notice, "WHERE tenant_id = ? ORDER BY seq LIMIT 2", (me.tenant_id,))
        for said in TOLD:
            for notice in flagged:
                notices.flag_for_human(world, me, notice.id, said)
        world.turn_pump(True)
        image, state = world.image(), world.state_hash()
        world.close()
        return image, state

    # the receiver

    def _fork_receiver(self) -> tuple[int, int]:
        read, write = os.pipe()
        pid = os.fork()
        if pid == 0:
            try:
                asyncio.run(self._receive(write))
            finally:
                os._exit(0)
        return int(os.read(read, 16)), pid

    async def _receive(self, told: int) -> None:
        self._killing = asyncio.get_running_loop().call_later(0, _nobody)
        async with receiving(self._answer) as receiver:
            os.write(told, str(receiver.port).encode())
            await asyncio.Event().wait()

    def _answer(self, got: Got, n: int) -> bytes:
        """Notes a delivery; kills the sender where that is the plan for the so-manieth of this run."""
        with self._got.open("ab") as file:
            file.write(orjson.dumps({"id": got.id, "body": got.body}) + b"\n")
        plan = orjson.loads(self._plan.read_bytes())
        count = len(self._got.read_bytes().splitlines())
        if count > plan.get("kill", NEVER):  # it was faster than its killer
            self._killing.cancel()
            self._kill_sender()
            return NOTHING
        if plan.get("kill") == count:
            if plan["when"] != "before":
                self._killing = asyncio.get_running_loop().call_later(0.02, self._kill_sender)
                return {"within": HALF, "after": OK}[plan["when"]]
            self._kill_sender()
            return NOTHING
        return BUSY if count in plan.get("busy", ()) else OK

    def _kill_sender(self) -> None:
        try:
            os.kill(int(self._pid.read_text()), signal.SIGKILL)
        except ProcessLookupError:
            pass

    def _tell_nobody(self) -> None:
        self._plan.write_bytes(b"{}")

    # the runs

    def run(self) -> dict[str, Any]:
        """Kills at every point, and reports what is wrong."""
        report: dict[str, Any] = {"cases": 0, "wrong": [], "twice": 0}
        for name, kill, plan in self._cases():
            run = self.folder / "run"
            run.mkdir()
            (run / "main.world").write_bytes(self.image)
            (run / "main.pristine").write_bytes(self.image)
            self._got.write_bytes(b"")
            self._plan.write_bytes(orjson.dumps(plan))
            died = self._in_child(lambda run=run, kill=kill: _deliver(run, kill)) is None  # type: ignore[misc]
            self._tell_nobody()
            told = self._in_child(lambda run=run: _deliver(run, None))  # type: ignore[misc]
            report["cases"] += 1
            all_done = plan.get("kill") == 2 * len(TOLD) and plan["when"] == "after"  # it may end by itself
            wrong = list(self._wrong(died or all_done, told))
            report["wrong"] += [f"{name}: {one}" for one in wrong]
            report["twice"] += len(self._arrived()) > len(TOLD) * 2
            shutil.rmtree(run)
        os.kill(self._receiver, signal.SIGKILL)
        os.waitpid(self._receiver, 0)
        return report

    def _cases(self) -> Iterator[tuple[str, Kill, dict[str, Any]]]:
        commits = 2 * 2 * len(TOLD)  # a claim and a record for each
        for n in range(1, commits + 1):
            yield f"commit:{n}", Kill("commit", n), {}
            yield f"commit:{n}+", Kill("commit", n, "+"), {}
        for n in range(1, 2 * len(TOLD) + 1):
            for when in SENDS:
                yield f"send {n}, {when}", Kill("commit", NEVER), {"kill": n, "when": when, "busy": [1]}

    def _wrong(self, died: bool, told: dict[str, Any] | None) -> Iterator[str]:
        if not died:
            yield "nobody died"
        if told is None:
            yield "the next server died too"
            return
        if told["hash"] != self.hash:
            yield "the state of the world is another one"
        if set(told["states"]) != {"delivered"}:
            yield f"not all was delivered: {told['states']}"
        arrived = self._arrived()
        if sorted({one["id"] for one in arrived}) != sorted(told["stamps"]):
            yield "what arrived is not what was sent, each under one id"
        by_topic: dict[str, list[str]] = {}
        for one in arrived:
            data = one["body"]["data"]
            said = data["needs_human_reason"]
            if said not in by_topic.setdefault(data["id"], []):
                by_topic[data["id"]].append(said)
        for topic, said in by_topic.items():
            if sorted(said, key=len) != said or len(said) != len(TOLD):
                yield f"what is about {topic} arrived as {said}"
        if len({orjson.dumps(one["body"]) for one in arrived}) != len({one["id"] for one in arrived}):
            yield "one id came with two bodies"

    def _arrived(self) -> list[dict[str, Any]]:
        return [orjson.loads(line) for line in self._got.read_bytes().splitlines()]

    def _in_child(self, work: Callable[[], dict[str, Any]]) -> dict[str, Any] | None:
        """What a forked child makes; None if it was killed."""
        result = self.folder / "result"
        pid = os.fork()
        if pid == 0:
            try:
                self._pid.write_text(str(os.getpid()))
                result.write_bytes(orjson.dumps(work()))
                os._exit(0)
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(1)
        _, status = os.waitpid(pid, 0)
        if os.WIFSIGNALED(status):
            return None
        if status:
            sys.exit("a child failed; see above")
        return dict(orjson.loads(result.read_bytes()))


def _nobody() -> None:
    """Is killed."""


def _deliver(run: Path, kill: Kill | None) -> dict[str, Any]:
    """Opens the world and pumps until nothing waits."""
    crash.arm(kill)
    worlds = Worlds(SERVICES, folder=run)
    worlds.reopen()
    world = worlds.get("main")
    asyncio.run(_pump(worlds))
    views = outbox.deliveries(world)
    told = {
        "hash": world.state_hash(),
        "states": [view.state for view in views],
        "stamps": [view.stamp for view in views],
    }
    worlds.close()
    return told


async def _pump(worlds: Worlds) -> None:
    pump = Pump(worlds, lambda: 0, delays=(5, 5))
    pump.start()
    async with asyncio.timeout(60):
        while worlds.get("main").count(Delivery, "WHERE state = 'waiting'"):
            await asyncio.sleep(0.005)
    await pump.stop()


if __name__ == "__main__":
    print(orjson.dumps(Pumping(Path(sys.argv[1])).run()).decode())
