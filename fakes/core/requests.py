"""The request log: a row for every request, reads too, and the redaction of what must never be kept.

A write's row goes with its transaction and is completed after rendering (a crash leaves its status NULL, and
so does a planned failure that hangs up).
Reads are buffered and written in batches, always before a diff, a snapshot or an answer about the log.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import parse_qsl, urlencode

import orjson

from fakes.core.store import Row

if TYPE_CHECKING:
    from fakes.core.faults import Fault
    from fakes.core.world import World

Kind = Literal["agent", "person", "cast", "harness", "clock"]
Surface = Literal["browser", "api", "mcp"]

READS = frozenset({"GET", "HEAD", "OPTIONS"})
BODY_LIMIT = 8192
BATCH = 512
REDACTED = "[redacted]"
_LONG_WORD = re.compile(r"(?=.*[0-9A-Z])[\w~-]{20,}")
SECRET_NAMES = frozenset(
    "password passwd token access_token refresh_token id_token secret client_secret code otp totp csrf _csrf "
    "authorization assertion link".split()
)


class Overtaken(Exception):
    """The world was reset while a request was on its way: what it writes belongs to a state that is gone."""


@dataclass(slots=True)
class RequestRecord:
    """One request while it runs; what the log keeps of it. Instants are run-clock UTC milliseconds."""

    id: int = 0
    at: int = 0
    lease: str | None = None
    kind: str | None = None
    person: str | None = None
    credential: str | None = None
    surface: str = "api"
    service: str | None = None
    method: str = ""
    host: str = ""
    path: str = ""
    route: str | None = None
    query: str = ""
    body: str | None = None
    status: int | None = None
    mode: str | None = None
    dest: str | None = None
    fault: str | None = None
    log: RequestLog | None = None


class LoggedRequest(Row, table="requests", journaled=False, judged=False, hashed=False):
    """A request as the log keeps it. `status` is None when it was not answered: the server stopped, or
    a planned failure hung up.

    `lease` is a lease's id, `kind` who holds it, `person` the account that the credential belongs to,
    `credential` its kind and number ("session:…", "token:…", "link:…"), `mode` and `dest` are
    Sec-Fetch headers, `fault` is the planned failure that struck it, as `Fault.mark` spells it ("3:503").
    """

    id: int
    at: int
    lease: str | None
    kind: str | None
    person: str | None
    credential: str | None
    surface: str
    service: str | None
    method: str
    host: str
    path: str
    route: str | None
    query: str
    body: str | None
    status: int | None
    mode: str | None
    dest: str | None
    fault: str | None


_COLUMNS = tuple(f.name for f in fields(RequestRecord) if f.name != "log")
_INSERT = f"INSERT INTO requests ({', '.join(_COLUMNS)}) VALUES ({', '.join('?' * len(_COLUMNS))})"
_UPDATE = (
    "UPDATE requests SET status = ?, route = ?, person = ?, credential = ?, body = ?, path = ?, fault = ? "
    "WHERE id = ?"
)

_current: ContextVar[RequestRecord | None] = ContextVar("paracosm_request", default=None)


def current() -> RequestRecord | None:
    """The request that is being answered, if any."""
    return _current.get()


class acting:
    """`with acting(record):` everything written inside is journaled as this request's."""

    __slots__ = ("_record", "_token")

    def __init__(self, record: RequestRecord) -> None:
        self._record = record

    def __enter__(self) -> RequestRecord:
        self._token = _current.set(self._record)
        return self._record

    def __exit__(self, *_: object) -> None:
        _current.reset(self._token)


class RequestLog:
    """The log of one world."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.faults: tuple[Fault, ...] | None = None
        """The faults that may strike yet; None: not looked up."""
        self._reads: list[tuple[Any, ...]] = []
        self.reload()

    @property
    def newest(self) -> int:
        """The number of the newest request, read or write; 0 when there is none."""
        return self._last

    def reload(self) -> None:
        """Takes up the numbering where the stored log ends."""
        self._reads.clear()
        self._last = int(self._world.select("SELECT coalesce(max(id), 0) FROM requests")[0][0])
        self._stored: set[int] = set()

    def begin(self, record: RequestRecord) -> RequestRecord:
        """Numbers and dates a request."""
        self._last += 1
        record.id, record.at, record.log = self._last, self._world.now(), self
        return record

    def attach(self) -> tuple[int | None, bool]:
        """Stores the current request in the open transaction, once; its id, and whether this stored it."""
        record = current()
        if record is None:
            return None, False
        if record.log is None:
            self.begin(record)
        if record.log is not self:
            raise Overtaken("The world was reset while this request was on its way.")
        if record.id in self._stored:
            return record.id, False
        self._world.con.execute(_INSERT, _values(record))
        self._stored.add(record.id)
        return record.id, True

    def holds(self, record: RequestRecord) -> bool:
        """Whether a request that is under way has written something, which was kept."""
        return record.id in self._stored

    def forget(self, request: int | None) -> None:
        """The transaction that stored this request could not be committed."""
        self._stored.discard(request or 0)

    def finish(self, record: RequestRecord) -> bool:
        """Completes a request after rendering; returns whether it had written anything.

        A request that a reset overtook belongs to a log that is gone.
        """
        if record.log is None:
            self.begin(record)
        if record.log is not self or self._world.is_closed:
            return False
        if record.id in self._stored:
            self._stored.discard(record.id)
            end = (
                record.status,
                record.route,
                record.person,
                record.credential,
                record.body,
                record.path,
                record.fault,
                record.id,
            )
            with self._world.kernel_write():
                self._world.con.execute(_UPDATE, end)
            return True
        self._reads.append(_values(record))
        if len(self._reads) >= BATCH:
            self.flush()
        return False

    def flush(self) -> None:
        """Writes the buffered reads."""
        if self._reads and not self._world.open_txs:
            with self._world.kernel_write(), self._world.con:  # one transaction for them all
                self._world.con.executemany(_INSERT, self._reads)
            self._reads = []

    def rows(self, tail: str = "ORDER BY id", params: tuple[Any, ...] = ()) -> list[LoggedRequest]:
        """Logged requests, reads included; `tail` as in `World.all`."""
        self.flush()
        return self._world.all(LoggedRequest, tail, params)


_values: Callable[[RequestRecord], tuple[Any, ...]] = attrgetter(*_COLUMNS)


def redact_query(query: str, names: frozenset[str] = SECRET_NAMES) -> str:
    """The query string or form without the values of secret fields and without drawn words of paths."""
    pairs = parse_qsl(query, keep_blank_values=True)
    kept = [(k, REDACTED if _is_secret(k, names) else redact_path(v) if "/" in v else v) for k, v in pairs]
    return query if kept == pairs else urlencode(kept, safe="[]/")


def _is_secret(name: str, names: frozenset[str]) -> bool:
    """Whether a field's name says that its value is a secret; `password[]` and " Password" do too."""
    return name.strip().lower().removesuffix("[]") in names


def redact_path(path: str) -> str:
    """The path without long words that look drawn: where no route says what they are, one may be a secret."""
    return "/".join(REDACTED if _LONG_WORD.fullmatch(part) else part for part in path.split("/"))


def redact_body(body: bytes, media_type: str, names: frozenset[str] = SECRET_NAMES) -> str | None:
    """What the log keeps of a body: JSON and forms without their secrets, text as it is, of anything else its
    size.
    """
    if not body:
        return None
    if "json" in media_type or body.lstrip()[:1] in (b"{", b"["):  # JSON, whatever it calls itself
        return _redact_json(body, names)
    if media_type.startswith("application/x-www-form-urlencoded"):
        return redact_query(body.decode("latin-1"), names)[:BODY_LIMIT]
    return f"[{len(body)} bytes of {media_type or 'unnamed type'}]"


def _redact_json(body: bytes, names: frozenset[str]) -> str:
    try:
        return orjson.dumps(_without_secrets(orjson.loads(body), names)).decode()[:BODY_LIMIT]
    except (orjson.JSONDecodeError, RecursionError):
        return f"[{len(body)} bytes that are no JSON, or nested too deep]"


def _without_secrets(value: Any, names: frozenset[str]) -> Any:
    if isinstance(value, dict):
        return {k: REDACTED if _is_secret(k, names) else _without_secrets(v, names) for k, v in value.items()}
    if isinstance(value, list):
        return [_without_secrets(item, names) for item in value]
    return value
