"""Commands that are not good are refused."""

from __future__ import annotations

from tests.case import RelayCase, command


class Refusals(RelayCase):
    def test_a_job_that_is_not_there_is_not_found(self) -> None:
        self.assertEqual(
            self.dispatcher.handle(command("start", "a")),
            {"ok": False, "job_id": "a", "error": "JOB_NOT_FOUND", "state": None},
        )

    def test_a_job_that_waits_cannot_succeed(self) -> None:
        self.have("a", "queued")
        self.assertEqual(
            self.dispatcher.handle(command("succeed", "a")),
            {"ok": False, "job_id": "a", "error": "INVALID_TRANSITION", "state": "queued"},
        )

    def test_a_refused_command_is_no_event(self) -> None:
        self.dispatcher.handle(command("fail", "a"))
        self.assertEqual(self.rows("SELECT * FROM events"), [])
        self.assertEqual(self.sink.received, [])
