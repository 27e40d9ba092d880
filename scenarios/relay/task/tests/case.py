"""What the tests share: a database, a sink that is well, a dispatcher between them."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path
from typing import Any

from relay import Dispatcher
from relay.store import connect
from tests.sink import Sink


class RelayCase(unittest.TestCase):
    """Each test has a fresh one of each."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.database = Path(folder.name) / "relay.db"
        self.sink = Sink()
        self.addCleanup(self.sink.close)
        self.dispatcher = Dispatcher(self.database, self.sink.url)
        self.addCleanup(self.dispatcher.close)

    def have(self, job_id: str, state: str) -> None:
        """Puts a job in as if it had come that far."""
        connection = connect(self.database)
        connection.execute("INSERT INTO jobs (job_id, state) VALUES (?, ?)", (job_id, state))
        connection.close()

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        connection = connect(self.database)
        try:
            return [tuple(row) for row in connection.execute(sql)]
        finally:
            connection.close()


def command(kind: str, job_id: str, **payload: Any) -> dict[str, Any]:
    return {"command_id": f"{kind}-{job_id}", "kind": kind, "job_id": job_id, "payload": payload}
