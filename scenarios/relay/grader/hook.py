"""Writes once through the solution, so that a planned crash has something to strike."""

from __future__ import annotations

from answering import serve


def handle(value: object) -> None:
    """Whatever it is asked."""
    from relay import Dispatcher

    relay = Dispatcher("hook.db", "http://127.0.0.1:9/")
    relay.handle({"command_id": "hook", "kind": "submit", "job_id": "hook", "payload": {}})


serve(handle)
