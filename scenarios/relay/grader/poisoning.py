"""I5: one notification that the sink will never take."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from harness.code.bench import Bench, Received, Sink
from scenarios.relay.grader.announced import all_told, announced, told
from scenarios.relay.grader.relaying import Relay, alone, command, commands
from scenarios.relay.grader.stored import Event, read

POISON = command("start", "a")


def rejecting(field: str, value: str) -> Callable[[Received], bool]:
    """Rejects the notification whose field says this."""
    return lambda received: told(received, field) == value


def across_jobs_and_restarts(bench: Bench) -> None:
    """A job's second notification is rejected in each of three lives; the others are sent, its job's too."""
    database, sink = bench.scratch() / "relay.db", bench.sink()
    sink.reject(rejecting("command_id", POISON["command_id"]))
    first = "submit a, submit b, start a, start b, succeed a, cancel b"
    lives = [first, "submit c, start c", "submit d, fail c"]
    for script in lives:
        with Relay(bench) as relay:
            relay.open(database, sink)
            for each in commands(script):
                # What becomes of the poisoned job itself is another invariant's.
                relay.handle(each) if each["job_id"] == "a" else relay.done(each)
            relay.pump()
            relay.end()
        events = [each for each in read(database).events if each.command_id != POISON["command_id"]]
        all_told(sink, events)
        others = [each["command_id"] for each in commands(script) if each["job_id"] != "a"]
        lost = set(others) - {event.command_id for event in events}
        assert not lost, f"the log has nothing of {', '.join(sorted(lost))}"


def behind_it(bench: Bench) -> None:
    """What a pump sends after an outage, it sends as well when the first or the last of it is rejected."""
    database, sink = bench.scratch() / "relay.db", bench.sink()
    sink.go_down()
    with Relay(bench) as relay:
        relay.open(database, sink)
        for each in commands("submit a, start a, submit b, succeed a, start b"):
            relay.handle(each)
        relay.end()
    sink.come_up()
    events = read(database).events
    sent = pumped(bench, database, sink)
    for event in events[:1] + events[-1:]:
        sink.reject(rejecting("event_id", event.event_id))
        held_up(events, event, sent - pumped(bench, database, sink))
    sink.reject(None)


def pumped(bench: Bench, database: Path, sink: Sink) -> set[str | None]:
    """The events that one pump announces, from a copy of what was pending."""
    already = len(sink.received)
    with Relay(bench) as relay:
        relay.open(alone(database, bench.scratch()), sink).pump()
        relay.end()
    return announced(sink, already)


def held_up(events: tuple[Event, ...], poison: Event, missing: set[str | None]) -> None:
    """Nothing is missing but what was rejected."""
    lost = [each.command_id for each in events if each.event_id in missing - {poison.event_id}]
    assert not lost, f"the notification of {poison.command_id!r} is rejected, and holds up {', '.join(lost)}"
