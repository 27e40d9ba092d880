"""Commands move jobs."""

from __future__ import annotations

from tests.case import RelayCase, command


class Moves(RelayCase):
    def test_submit_queues_a_job(self) -> None:
        result = self.dispatcher.handle(command("submit", "a"))
        self.assertEqual((result["ok"], result["job_id"], result["state"]), (True, "a", "queued"))
        self.assertEqual(self.rows("SELECT job_id, state FROM jobs"), [("a", "queued")])

    def test_start_runs_a_queued_job(self) -> None:
        self.moves("queued", "start", "running")

    def test_succeed_ends_a_running_job(self) -> None:
        self.moves("running", "succeed", "succeeded")

    def test_fail_ends_a_running_job(self) -> None:
        self.moves("running", "fail", "failed")

    def moves(self, before: str, kind: str, after: str) -> None:
        self.have("a", before)
        self.assertEqual(self.dispatcher.handle(command(kind, "a"))["state"], after)
        self.assertEqual(self.rows("SELECT job_id, state FROM jobs"), [("a", after)])
