"""What the sink was told, against what the log says."""

from __future__ import annotations

from collections.abc import Iterable

from harness.code.bench import Received, Sink
from scenarios.relay.grader.stored import Event, Stored

FIELDS = {"event_id", "job_id", "command_id", "state", "payload"}


def told(received: Received, field: str) -> str | None:
    """A field of a notification; None if it has none."""
    value = received.json.get(field) if isinstance(received.json, dict) else None
    return value if isinstance(value, str) else None


def announced(sink: Sink, since: int = 0) -> set[str | None]:
    """The ids of events that the sink has accepted, from its so-manieth request on."""
    return {told(each, "event_id") for each in sink.received[since:] if 200 <= each.status < 300}


def no_phantom(sink: Sink, stored: Stored) -> None:
    """The sink was told of nothing that is not in the log, and in the log's words."""
    events = {event.event_id: event for event in stored.events}
    for each in sink.received:
        assert each.method == "POST", f"the sink got a {each.method}"
        event = events.get(told(each, "event_id") or "")
        assert event, f"the sink was told of an event that is not in the log: {each.json}"
        said = {name: each.json[name] for name in FIELDS if name in each.json}
        assert said == vars(event), f"the sink was told {said}, and the log has {vars(event)}"


def all_told(sink: Sink, events: Iterable[Event]) -> None:
    """The sink has accepted a notification of each of these events."""
    accepted = announced(sink)
    lost = [event.command_id for event in events if event.event_id not in accepted]
    assert not lost, f"the sink never accepted the notification of {', '.join(lost)}"


def agrees(sink: Sink, stored: Stored) -> None:
    """Each event was announced, and nothing else was."""
    no_phantom(sink, stored)
    all_told(sink, stored.events)
