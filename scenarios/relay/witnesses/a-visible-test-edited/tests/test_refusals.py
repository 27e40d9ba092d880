"""Commands that are not good are refused."""

from __future__ import annotations

from tests.case import RelayCase, command


class Refusals(RelayCase):
    def test_a_job_that_is_not_there_is_not_found(self) -> None:
        self.assertFalse(self.dispatcher.handle(command("start", "a"))["ok"])

    def test_a_job_that_waits_cannot_succeed(self) -> None:
        self.have("a", "queued")
        self.assertFalse(self.dispatcher.handle(command("succeed", "a"))["ok"])

    def test_a_refused_command_is_no_event(self) -> None:
        self.dispatcher.handle(command("fail", "a"))
        self.assertEqual(self.sink.received, [])
