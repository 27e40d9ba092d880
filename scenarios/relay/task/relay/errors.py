"""What can go wrong: a command that is refused, a sink that does not take a notification."""

from __future__ import annotations


class Refused(Exception):
    """A command that may not be done, with its code and the state that its job is in (None: no such job)."""

    def __init__(self, code: str, state: str | None) -> None:
        super().__init__(f"{code}: the job is {state}")
        self.code, self.state = code, state


class SinkError(Exception):
    """A notification that the sink has not accepted, with its answer's status (None: it gave none)."""

    def __init__(self, said: str, status: int | None = None) -> None:
        super().__init__(said)
        self.status = status
