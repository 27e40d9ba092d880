"""I1: commands that come again."""

from __future__ import annotations

from pathlib import Path

from harness.code.bench import Bench, Sink
from scenarios.relay.grader.announced import no_phantom
from scenarios.relay.grader.relaying import Case, Relay, Result, command, commands
from scenarios.relay.grader.stored import Command, each_once, read

NOT_FOUND, INVALID, REUSED = "JOB_NOT_FOUND", "INVALID_TRANSITION", "IDEMPOTENCY_KEY_REUSED"
EARLY_START = command("start", "a", "early")
EARLY_END = command("succeed", "a", "early")
SCRIPT = [
    (EARLY_START, NOT_FOUND),
    *((each, None) for each in commands("submit a")),
    (EARLY_END, INVALID),
    *((each, None) for each in commands("start a, submit b, cancel b, succeed a")),
]
"""Commands with the code that refuses them. A refused one would be good later on."""


def within_and_across(bench: Bench) -> None:
    """After each command all earlier ones are sent again, in a seeded order; after a restart, all of them."""
    database, sink = bench.scratch() / "relay.db", bench.sink()
    first: list[tuple[Command, Result]] = []
    with Relay(bench) as relay:
        relay.open(database, sink)
        for each, code in SCRIPT:
            first.append((each, relay.refused(each, code) if code else relay.done(each)))
            again(bench, relay, first)
        relay.end()
    for _ in range(2):
        with Relay(bench) as relay:
            again(bench, relay.open(database, sink), first)
            relay.end()
    one_effect(database, sink, first)


def again(bench: Bench, relay: Relay, first: list[tuple[Command, Result]]) -> None:
    """Each command gets the result that it had first."""
    for each, result in bench.rng.sample(first, len(first)):
        now = relay.handle(each)
        assert now == result, f"{each['command_id']!r} was answered {result}, and {now} when it came again"


def one_effect(database: Path, sink: Sink, first: list[tuple[Command, Result]]) -> None:
    """Each command that was done is one event, whose id is the one that its client was told."""
    stored = read(database)
    each_once(stored, [each for each, result in first if result["ok"]])
    ids = {event.command_id: event.event_id for event in stored.events}
    for each, result in first:
        named, logged = result.get("event_id"), ids.get(each["command_id"])
        assert named == logged, f"{each['command_id']!r} was answered {named}, and {logged} is logged"
    no_phantom(sink, stored)


def reused(bench: Bench) -> None:
    """Known ids come with another kind, job or payload: of a command that was done, and of a refused one."""
    database, sink = bench.scratch() / "relay.db", bench.sink()
    done = command("submit", "a", size=3, colour={"hue": 7, "tone": 2})
    bare = {**command("submit", "b"), "payload": {}}
    refused = command("succeed", "a", "early")
    with Relay(bench) as relay:
        relay.open(database, sink)
        first = [(done, relay.done(done)), (bare, relay.done(bare))]
        first.append((refused, relay.refused(refused, INVALID)))
        refuse_others(bench, relay, first)
        relay.end()
    with Relay(bench) as relay:
        refuse_others(bench, relay.open(database, sink), first)
        relay.end()
    one_effect(database, sink, first)


def refuse_others(bench: Bench, relay: Relay, first: list[tuple[Command, Result]]) -> None:
    """None of them passes for a retry, nor for a new command; the commands themselves are known still."""
    for each, _ in first:
        for other in ({"payload": {"size": 4}}, {"kind": "cancel"}, {"job_id": "c"}):
            relay.refused({**each, **other}, REUSED)
    again(bench, relay, first)
    (done, result), (bare, bare_result) = first[:2]
    turned = {**done, "payload": {"colour": {"tone": 2, "hue": 7}, "size": 3}}
    assert relay.handle(turned) == result, "the order of a payload's keys makes it another command"
    without = {name: value for name, value in bare.items() if name != "payload"}
    assert relay.handle(without) == bare_result, "no payload and an empty one make two commands"


def after_each_commit(bench: Bench) -> None:
    """Killed after each commit: the client that got no answer sends its command again, twice."""

    def play(fault: str) -> bool:
        case = Case(bench, "submit a, start a")
        struck = case.killed(Relay(bench, fault))
        if struck:
            ask_again(case)
        case.sink.close()
        return struck

    bench.every_crash(play, kinds=("commit",))


def ask_again(case: Case) -> None:
    """All clients do, after a restart; those that were answered already get the same again."""
    with Relay(case.bench) as relay:
        relay.open(case.database, case.sink)
        first = case.answered + [(each, relay.done(each)) for each in case.unanswered]
        again(case.bench, relay, first)
        relay.end()
    one_effect(case.database, case.sink, first)
