"""I4: a process that is killed, at every commit, every write and every send."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path

from harness.code.bench import Bench, Received
from scenarios.relay.grader.announced import agrees, no_phantom
from scenarios.relay.grader.relaying import Case, Relay, alone, commands
from scenarios.relay.grader.stored import Command, each_once, no_others, read

SCRIPT = "submit a, cancel a"
PENDING = commands("submit p, start p")


def at_every_fault(bench: Bench) -> None:
    """From an empty database on."""

    def play(fault: str) -> bool:
        case = Case(bench, SCRIPT)
        struck = case.killed(Relay(bench, fault))
        if struck:
            recovers(case)
        case.sink.close()
        return struck

    bench.every_crash(play)


def while_pumping(bench: Bench) -> None:
    """With notifications pending from an outage: the pump is killed, and the command after it."""
    database = pending(bench)
    logged = read(database).commands
    before = [each for each in PENDING if each["command_id"] in logged]

    def play(fault: str) -> bool:
        case = Case(bench, "submit a")
        alone(database, case.database.parent)
        struck = case.killed(Relay(bench, fault), pumps=True)
        if struck:
            recovers(case, before)
        case.sink.close()
        return struck

    bench.every_crash(play)


def pending(bench: Bench) -> Path:
    """A database whose notifications met a sink that was down."""
    database, sink = bench.scratch() / "relay.db", bench.sink()
    sink.go_down()
    with Relay(bench) as relay:
        relay.open(database, sink)
        for each in PENDING:
            relay.handle(each)
        relay.end()
    return database


def at_every_send(bench: Bench) -> None:
    """Killed while it waits for the sink's answer, to a notification that was accepted or was lost."""
    for at, lost in ((1, False), (1, True), (2, False), (2, True)):
        case = Case(bench, SCRIPT)
        try:
            relay = Relay(bench)
            case.sink.reject(_killing(relay.life.pid, at, lost))
            assert case.killed(relay), "the sink is told less often than commands are done"
            case.sink.reject(None)
            recovers(case)
        except AssertionError as error:
            raise AssertionError(f"with a crash at send:{at}, {error}") from error
        case.sink.close()


def _killing(pid: int, at: int, lost: bool) -> Callable[[Received], bool]:
    """Kills a process when the sink gets its so-manieth request, which it takes unless that is to be lost."""
    requests = count(1)

    def rejects(received: Received) -> bool:
        if next(requests) != at:
            return False
        os.kill(pid, signal.SIGKILL)
        return lost

    return rejects


def recovers(case: Case, before: Sequence[Command] = ()) -> None:
    """What was answered is in the log when it was killed; after a restart, a pump and the clients' retries,
    answered or not, all is as if it never had been.
    """
    stored = read(case.database)
    no_others(stored, [*before, *case.script])
    for each, _ in case.answered:
        assert each["command_id"] in stored.commands, f"{each['command_id']!r} was answered, and is lost"
    no_phantom(case.sink, stored)
    with Relay(case.bench) as relay:
        relay.open(case.database, case.sink).pump()
        agrees(case.sink, read(case.database))
        for each in case.script:
            relay.handle(each)
        relay.pump()
        relay.end()
    stored = read(case.database)
    each_once(stored, [*before, *case.script])
    agrees(case.sink, stored)
