"""Events are logged, and the sink is told of them."""

from __future__ import annotations

import json

from tests.case import RelayCase, command


class Events(RelayCase):
    def test_a_command_is_logged(self) -> None:
        result = self.dispatcher.handle(command("submit", "a", size=3))
        ((event_id, job_id, command_id, state, payload),) = self.rows(
            "SELECT event_id, job_id, command_id, state, payload FROM events"
        )
        self.assertEqual((event_id, job_id, command_id), (result["event_id"], "a", "submit-a"))
        self.assertEqual((state, json.loads(payload)), ("queued", {"size": 3}))

    def test_the_sink_is_told(self) -> None:
        result = self.dispatcher.handle(command("submit", "a", size=3))
        told = {
            "event_id": result["event_id"],
            "job_id": "a",
            "command_id": "submit-a",
            "state": "queued",
            "payload": {"size": 3},
        }
        self.assertEqual(self.sink.received, [told])
