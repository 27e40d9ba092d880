"""I3: a sink that refuses, and one that is not there."""

from __future__ import annotations

from pathlib import Path

from harness.code.bench import Bench, Sink
from scenarios.relay.grader.announced import agrees, announced
from scenarios.relay.grader.relaying import Relay, command, commands
from scenarios.relay.grader.stored import each_once, read

WINDOW = 100
"""Refusals in a row: more than tries and sleeps inside of `handle` can use up."""
STATUSES = (400, 404, 410, 429, 500)


def refused_so_often(bench: Bench) -> None:
    """503 for a hundred requests, then other refusals for a few; each pump uses up at least one of them."""
    database, sink = bench.scratch() / "relay.db", bench.sink()
    done = commands("submit a, start a, submit b, succeed a, cancel b")
    with Relay(bench) as relay:
        relay.open(database, sink)
        sink.fail_next(WINDOW, status=503)
        for each in done:
            relay.done(each)
        each_once(read(database), done)
        pump_until_told(relay, database, sink, WINDOW)
        for status in STATUSES:
            sink.fail_next(3, status)
            done.append(command("submit", f"s{status}"))
            relay.done(done[-1])
            pump_until_told(relay, database, sink, 3)
        relay.end()
    each_once(read(database), done)


def pump_until_told(relay: Relay, database: Path, sink: Sink, refusals: int) -> None:
    """Pumps as often as it takes to use up the refusals by one each, and once more."""
    events = read(database).events
    wanted = {event.event_id for event in events}
    for _ in range(refusals + len(events)):
        if wanted <= announced(sink):
            break
        relay.pump()
    agrees(sink, read(database))


def down_for_a_life(bench: Bench) -> None:
    """The sink can't be reached in one life, nor when the next one starts; it is back for a third."""
    database, sink = bench.scratch() / "relay.db", bench.sink()
    lives = [commands("submit a, start a, submit b"), commands("fail a, cancel b")]
    sink.go_down()
    for script in lives:
        with Relay(bench) as relay:
            relay.open(database, sink)
            for each in script:
                relay.done(each)
            relay.pump()
            relay.end()
    each_once(read(database), sum(lives, []))
    sink.come_up()
    with Relay(bench) as relay:
        relay.open(database, sink).pump()
        relay.end()
    agrees(sink, read(database))
