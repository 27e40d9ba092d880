"""What guards read: the world before, the world after, and everything recorded in between."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import apsw

from fakes.core.journal import Change, Values
from fakes.core.requests import LoggedRequest
from fakes.core.service import Service
from fakes.core.store import Params, R, Row
from fakes.core.world import World, open_world

STRAYED = "the browser was sent outside the world"
"""Why a browser's attempt to open a file of this machine stands among the refusals."""

Ended = Literal["finished", "error", "time-out", "not-run"]


@dataclass(frozen=True)
class Seat:
    """An actor's place in a run: its lease, what it drives, and the address of the person it stands for."""

    lease: str
    medium: Literal["browser", "client"]
    person: str


@dataclass(frozen=True)
class Usage:
    """What an attempt took: a model's turns or an agent's actions, tokens, US dollars. None: nobody knows."""

    steps: int | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost_usd: float | None = None


@dataclass(frozen=True)
class Evidence:
    """All that is kept of one attempt, and all that a grade rests on.

    `before` and `after` are whole worlds; journal rows after `baseline` and requests after `first_request`
    belong to the attempt, which began once its actors had signed in. `answer` is as it was given, unparsed;
    `error` says in a line why the attempt did not come to its end, `trace` is the whole traceback. `extras`
    are files for people, such as a transcript: no grade rests on them.
    """

    env: str
    task: str
    facts: Any
    before: bytes
    after: bytes
    pristine_hash: str
    baseline: int = 0
    first_request: int = 0
    actors: Mapping[str, Seat] = field(default_factory=dict)
    answer: Any = None
    refusals: Sequence[Mapping[str, Any]] = ()
    rail: str = ""
    ended: Ended = "finished"
    error: str = ""
    trace: str = ""
    confined: bool = False
    versions: Mapping[str, Any] = field(default_factory=dict)
    usage: Usage = field(default_factory=Usage)
    extras: Mapping[str, bytes] = field(default_factory=dict)


class End:
    """The end of an attempt, for guards to read. Nothing of it can be written.

    Rows are typed. `None`, "", NaN and 0 are four values, here as in the tables.
    """

    def __init__(self, before: World, after: World, evidence: Evidence, answer: Any = None) -> None:
        self._before, self._after, self._evidence = before, after, evidence
        self.answer = answer
        for world in (before, after):
            world.con.execute("PRAGMA query_only = 1")

    @cached_property
    def changes(self) -> list[Change]:
        """Every changed row since the baseline, collapsed by key."""
        return self._after.diff(since=self._evidence.baseline)

    def _of(self, row: type[Row]) -> list[Change]:
        return [change for change in self.changes if change.table == row.__table__.name]

    def new(self, row: type[R]) -> list[R]:
        """The rows that were not there before, as they are now."""
        return [read(row, c.after) for c in self._of(row) if c.before is None and c.after is not None]

    def gone(self, row: type[R]) -> list[R]:
        """The rows that are no longer there, as they were."""
        return [read(row, c.before) for c in self._of(row) if c.before is not None and c.after is None]

    def changed(self, row: type[R]) -> list[tuple[R, R]]:
        """The rows that differ, before and after."""
        both = [(c.before, c.after) for c in self._of(row)]
        return [(read(row, b), read(row, a)) for b, a in both if b is not None and a is not None]

    def all(self, row: type[R], tail: str = "", params: Params = ()) -> list[R]:
        """Rows as they are at the end; `tail` is what follows FROM."""
        return self._after.all(row, tail, params)

    def was(self, row: type[R], tail: str = "", params: Params = ()) -> list[R]:
        """Rows as they were before."""
        return self._before.all(row, tail, params)

    def writer(self, row: Row) -> LoggedRequest | None:
        """The request that wrote this row last since the baseline; None: nobody did, or no request."""
        number = self._after.journal.writer(row.__table__.name, row.key(), self._evidence.baseline)
        return None if number is None else self._by_id.get(number)

    def request(self, number: int) -> LoggedRequest | None:
        """A request of the attempt by its number."""
        return self._by_id.get(number)

    @cached_property
    def requests(self) -> list[LoggedRequest]:
        """The requests since the baseline, oldest first."""
        return self._after.all(LoggedRequest, "WHERE id > ? ORDER BY id", (self._evidence.first_request,))

    @cached_property
    def _by_id(self) -> dict[int, LoggedRequest]:
        return {request.id: request for request in self.requests}

    @property
    def refusals(self) -> Sequence[Mapping[str, Any]]:
        """What the gateway turned away from this attempt's leases."""
        return self._evidence.refusals

    @property
    def actors(self) -> Mapping[str, Seat]:
        """The actors' places: lease, medium, person's address."""
        return self._evidence.actors

    @property
    def now(self) -> int:
        """The run clock at the end, in UTC milliseconds."""
        return self._after.now()

    def judged(self, table: str) -> bool:
        """Whether the table has to hold still; sessions, tokens and the kernel's own books do not."""
        found = self._after.tables.get(table)
        return found is None or found.judged

    def row(self, table: str, values: Values) -> Row:
        """A typed row of any table."""
        return read(self._after.rows[table], values)


def read(row: type[R], values: Values | None) -> R:
    """A typed row from the journal's values."""
    assert values is not None
    return row.read([values[name] for name in row.__table__.columns])


class EvidenceError(Exception):
    """A world of the evidence is none, or is damaged; the sentence says which."""


class OpenEvidence:
    """The worlds of some evidence, open: `with OpenEvidence(evidence, services) as (before, after):`.

    Raises EvidenceError.
    """

    def __init__(self, evidence: Evidence, services: Mapping[str, Service]) -> None:
        self._evidence, self._services = evidence, services

    def __enter__(self) -> tuple[World, World]:
        self._worlds: list[World] = []
        for name, image in (("before", self._evidence.before), ("after", self._evidence.after)):
            try:
                self._worlds.append(open_world(name, self._services, image=image))
            except (apsw.Error, LookupError, ValueError) as error:
                self.__exit__()
                raise EvidenceError(
                    f"The world {name!r} of this evidence can't be opened: {error}."
                ) from None
        return self._worlds[0], self._worlds[1]

    def __exit__(self, *error: object) -> None:
        for world in self._worlds:
            world.con.close()
