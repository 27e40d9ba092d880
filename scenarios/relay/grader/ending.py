"""I2: commands that come after the end."""

from __future__ import annotations

from pathlib import Path

from harness.code.bench import Bench, Sink
from scenarios.relay.grader.announced import no_phantom
from scenarios.relay.grader.relaying import Relay, command, commands
from scenarios.relay.grader.stored import each_once, read

KINDS = ("submit", "start", "succeed", "fail", "cancel")
ROADS = {
    "a": ("submit a, start a, succeed a", "succeeded"),
    "b": ("submit b, start b, fail b", "failed"),
    "c": ("submit c, start c, cancel c", "cancelled"),
    "d": ("submit d, cancel d", "cancelled"),
}
"""Each way that a job can end, and the state that it is in then."""


def late_commands(bench: Bench) -> None:
    """Every job is driven to its end, then gets every command in a seeded order; after a restart again."""
    database, sink = bench.scratch() / "relay.db", bench.sink()
    done = [each for road, _ in ROADS.values() for each in commands(road)]
    with Relay(bench) as relay:
        relay.open(database, sink)
        for each in done:
            relay.done(each)
        each_once(read(database), done)
        fire(bench, relay, database, sink, "late")
        relay.end()
    with Relay(bench) as relay:
        fire(bench, relay.open(database, sink), database, sink, "later")
        relay.end()
    each_once(read(database), done)


def fire(bench: Bench, relay: Relay, database: Path, sink: Sink, tag: str) -> None:
    """Every kind at every job, under ids that are new: nothing is done, logged or sent."""
    before = read(database)
    late = [(job, command(kind, job, tag)) for job in ROADS for kind in KINDS]
    for job, each in bench.rng.sample(late, len(late)):
        result = relay.refused(each, "INVALID_TRANSITION")
        assert result.get("state") == ROADS[job][1], f"{job} is {ROADS[job][1]}, and {result} says otherwise"
        assert read(database) == before, f"{each['command_id']!r} was refused, and changed jobs or the log"
    relay.pump()
    assert read(database) == before, "pump changed jobs or the log"
    no_phantom(sink, before)
