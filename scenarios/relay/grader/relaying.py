"""A dispatcher in a process of its own, and the commands that clients send it."""

from __future__ import annotations

import shutil
import signal
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from harness.code.bench import Bench, Died, Sink
from scenarios.relay.grader.stored import Command

Result = dict[str, Any]


class Relay:
    """`with Relay(bench) as relay:` is one life of it, killed at the end if it has not ended."""

    def __init__(self, bench: Bench, fault: str | None = None) -> None:
        self.life = bench.life(fault=fault)

    def __enter__(self) -> Relay:
        self.life.__enter__()
        return self

    def __exit__(self, *raised: object) -> None:
        self.life.__exit__(*raised)

    def open(self, database: Path, sink: Sink) -> Relay:
        """Opens the dispatcher; a planned crash may strike here already."""
        self.life.ask({"open": str(database), "sink": f"{sink.url}/events"})
        return self

    def handle(self, command: Command) -> Result:
        """What a client is answered."""
        result = self.life.ask({"handle": command})
        assert isinstance(result, dict), f"{command['command_id']!r} was answered {result!r}"
        return result

    def done(self, command: Command) -> Result:
        """The same, of a command that is good."""
        result = self.handle(command)
        assert result.get("ok") is True, f"{command['command_id']!r} is good, and was answered {result}"
        return result

    def refused(self, command: Command, code: str) -> Result:
        """The same, of one that is to be refused."""
        result = self.handle(command)
        answered = (result.get("ok"), result.get("error"))
        said = f"{command['command_id']!r} is to be refused with {code}, and was answered {result}"
        assert answered == (False, code), said
        return result

    def pump(self) -> None:
        """Has it send what is pending."""
        self.life.ask({"pump": True})

    def end(self) -> int:
        """Ends it in good order; its exit code."""
        return self.life.end()


class Case:
    """One crash: a database and a sink of its own, a script, and what clients were `answered` until then.

    Of what the process leaves behind, only the `database` is there when it starts again.
    """

    def __init__(self, bench: Bench, script: str) -> None:
        self.bench, self.database, self.sink = bench, bench.scratch() / "relay.db", bench.sink()
        self.script = commands(script)
        self.answered: list[tuple[Command, Result]] = []

    def killed(self, relay: Relay, *, pumps: bool = False) -> bool:
        """Lives through its script, after a pump if it `pumps`; False if nothing killed it."""
        with relay:
            struck = self._lives(relay, pumps)
        self.database = alone(self.database, self.bench.scratch())
        return struck

    def _lives(self, relay: Relay, pumps: bool) -> bool:
        try:
            relay.open(self.database, self.sink)
            if pumps:
                relay.pump()
            self.answered += ((each, relay.done(each)) for each in self.script)
            return relay.end() == self.bench.env.fault_exit
        except Died as died:
            assert died.by_fault or died.code == -signal.SIGKILL, str(died)
            return True

    @property
    def unanswered(self) -> Sequence[Command]:
        """What no client has an answer to; the first may be done or not."""
        return self.script[len(self.answered) :]


def alone(database: Path, folder: Path) -> Path:
    """A copy of a database, with what is committed in its log, and of nothing beside it."""
    for path in (database, database.with_name(f"{database.name}-wal")):
        if path.exists():
            shutil.copy(path, folder)
    return folder / database.name


def command(kind: str, job_id: str, tag: str = "", **payload: Any) -> Command:
    """A command whose id says what it is; a `tag` makes it another one."""
    command_id = " ".join(filter(None, [kind, job_id, tag]))
    return {"command_id": command_id, "kind": kind, "job_id": job_id, "payload": payload or {"of": kind}}


def commands(script: str) -> list[Command]:
    """Commands from `submit a, start a, cancel b`."""
    return [command(*each.split()) for each in script.split(", ")]
