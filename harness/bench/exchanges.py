"""Requests to a served world, held against a bare route of the same run, round by round."""

from __future__ import annotations

import base64
import json
import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from statistics import median
from typing import Any
from urllib.parse import urlencode

from harness.bench.lines import Line, Plan, Say, Unmeasured
from harness.bench.link import Answer, Dialed, ServerProcess
from harness.bench.served import WORLD

_DESK = f"claims-desk.{WORLD}.localhost"
_FORM = "application/x-www-form-urlencoded"
_CSRF = re.compile(r'name="csrf" value="([^"]+)"')


@dataclass(frozen=True)
class Exchange:
    """Something to do once: its n-th time on a connection. `bare` is False where no bare route compares."""

    name: str
    do: Callable[[Dialed, int], Answer]
    by_lease: bool = False
    bare: bool = True
    writes: bool = False
    end: Callable[[], None] = lambda: None


def measure(names: Sequence[str], plan: Plan, say: Say) -> Iterator[Line | Unmeasured]:
    """The lines of everything that is asked of a server."""
    say("starting a server over a large world")
    with ServerProcess() as server:
        for exchange in exchanges(server.facts):
            if exchange.name in names:
                say(exchange.name)
                try:
                    yield _measured(server, exchange, plan)
                except (Unmeasured, OSError) as error:
                    yield Unmeasured(f"{exchange.name}: {error}")
                finally:
                    exchange.end()


def _measured(server: ServerProcess, exchange: Exchange, plan: Plan) -> Line:
    facts = server.facts
    address = facts["lease"] if exchange.by_lease else "127.0.0.1"
    with (
        closing(Dialed(address, facts["port"])) as dialed,
        closing(Dialed("127.0.0.1", facts["bare"])) as bare,
    ):
        server.tell("reset")
        first = exchange.do(dialed, 0)
        server.tell("bare", len(first.body))
        against = Exchange("bare", lambda to, n: to.ask(_bare_request(facts, exchange.writes)))
        rounds = []
        for n in range(plan.rounds + 1):
            server.tell("reset")
            pair = {}
            for each, to in ((exchange, dialed), (against, bare))[:: 1 if n % 2 else -1]:
                pair[each.name] = _round(server, each, to, plan.batch)
            rounds.append((pair[exchange.name], pair["bare"]))
    rounds = rounds[1:]  # the first one warmed up
    return Line(
        exchange.name,
        median(cpu for (cpu, _), _ in rounds) * 1000,
        median(wall for (_, walls), _ in rounds for wall in walls) * 1000,
        median(cpu / bare_cpu for (cpu, _), (bare_cpu, _) in rounds) if exchange.bare else None,
    )


def _round(
    server: ServerProcess, exchange: Exchange, dialed: Dialed, batch: int
) -> tuple[float, list[float]]:
    """Seconds of the server's CPU each, and the wall seconds of each."""
    walls = []
    before = server.cpu()
    for n in range(batch):
        start = time.perf_counter()
        answer = exchange.do(dialed, n)
        walls.append(time.perf_counter() - start)
        if answer.status >= 400:
            raise Unmeasured(f"answered {answer.status}: {answer.body[:200].decode()}")
    return (server.cpu() - before) / batch, walls


def request(
    method: str, target: str, host: str, headers: dict[str, str] | None = None, body: bytes = b""
) -> bytes:
    """A request as bytes."""
    fields = {"Host": host, "Accept": "*/*", **(headers or {})}
    if body or method == "POST":
        fields["Content-Length"] = str(len(body))
    lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return f"{method} {target} HTTP/1.1\r\n{lines}\r\n".encode("latin-1") + body


def _bare_request(facts: dict[str, Any], writes: bool) -> bytes:
    host = f"127.0.0.1:{facts['bare']}"
    return request("POST", "/bare", host, body=b"{}") if writes else request("GET", "/bare", host)


def exchanges(facts: dict[str, Any]) -> Iterator[Exchange]:
    """All that is asked of the server, in the order in which it is shown."""
    port = facts["port"]
    here, echo, desk = f"127.0.0.1:{port}", f"echo.{WORLD}.localhost:{port}", f"{_DESK}:{port}"
    gmail = {"Authorization": f"Bearer {facts['gmail']}"}
    api = {"Authorization": f"Bearer {facts['desk']}"}
    by_path = f"/w/{WORLD}/gmail/v1/users/me/messages"

    yield _reading("gateway.path", request("GET", f"/w/{WORLD}/sites/echo/bare", here))
    yield _reading("gateway.host", request("GET", "/bare", echo))
    yield _reading("gateway.proxy", request("GET", f"http://{echo}/bare", echo), by_lease=True)
    yield _reading("gmail.messages.list", request("GET", f"{by_path}?maxResults=20", here, gmail))
    yield _reading("gmail.messages.get", request("GET", f"{by_path}/{facts['message']}", here, gmail))
    yield _writing("gmail.messages.send", f"{by_path}/send", here, gmail, _mail)
    called = {"name": "read_email", "arguments": {"messageId": facts["message"]}}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": called}
    yield _writing("mcp.call", f"/w/{WORLD}/mcp/gmail", here, gmail, lambda n: message)
    yield _reading("desk.claims.list", request("GET", "/api/claims", desk, api))
    yield _reading("desk.notices.list", request("GET", "/api/notices", desk, api))
    yield _reading("desk.claims.get", request("GET", f"/api/claims/{facts['claims'][0]}", desk, api))
    yield _writing("desk.notices.record", "/api/notices", desk, api, lambda n: _notice(facts, n))
    yield _log_in(facts, desk)
    yield _reading("desk.page", request("GET", "/claims", desk, {"Cookie": facts["session"]}))
    yield _wake(facts, desk, api)
    yield _reading("portal.page", request("GET", f"/worlds/{WORLD}/", here, {"Cookie": facts["portal"]}))


def _reading(name: str, asked: bytes, *, by_lease: bool = False) -> Exchange:
    return Exchange(name, lambda dialed, n: dialed.ask(asked), by_lease)


def _writing(
    name: str, path: str, host: str, headers: dict[str, str], body: Callable[[int], dict[str, Any]]
) -> Exchange:
    typed = {**headers, "Content-Type": "application/json"}

    def write(dialed: Dialed, n: int) -> Answer:
        return dialed.ask(request("POST", path, host, typed, json.dumps(body(n)).encode()))

    return Exchange(name, write, writes=True)


def _mail(n: int) -> dict[str, Any]:
    text = f"To: tom@harborlight.example\r\nSubject: Number {n}\r\n\r\nAs agreed.\r\n"
    return {"raw": base64.urlsafe_b64encode(text.encode()).decode()}


def _notice(facts: dict[str, Any], n: int) -> dict[str, Any]:
    return {
        "type": "determination", "state": "NY", "document_id": facts["papers"][n],
        "claim_id": facts["claims"][n], "notice_date": "2025-10-14", "mail_date": "2025-10-15",
        "printed_due": "2025-11-14",
    }  # fmt: skip


def _log_in(facts: dict[str, Any], host: str) -> Exchange:
    def log_in(dialed: Dialed, n: int) -> Answer:
        cookie = _form(dialed, "/login", host, email=facts["email"], password=facts["password"]).cookies()
        page = dialed.ask(request("GET", "/login/code", host, {"Cookie": cookie})).body.decode()
        token = _CSRF.search(page)
        return _form(dialed, "/login/code", host, cookie, code=facts["code"], csrf=token[1] if token else "")

    return Exchange("desk.login", log_in, bare=False)


def _form(dialed: Dialed, path: str, host: str, cookie: str = "", **fields: str) -> Answer:
    headers = {"Content-Type": _FORM, **({"Cookie": cookie} if cookie else {})}
    answer = dialed.ask(request("POST", path, host, headers, urlencode(fields).encode()))
    if answer.status != 303:
        raise Unmeasured(f"answered {answer.status} at {path}.")
    return answer


def _wake(facts: dict[str, Any], host: str, headers: dict[str, str]) -> Exchange:
    """A notice recorded, until the stream of a page that is open tells of it."""
    typed = {**headers, "Content-Type": "application/json"}
    streams: list[Dialed] = []

    def wake(dialed: Dialed, n: int) -> Answer:
        if not streams:
            streams.append(Dialed("127.0.0.1", facts["port"]))
            streams[0].ask(request("GET", "/_live", host, {"Cookie": facts["session"]}))
            streams[0].until(b"data: here\n\n")
        body = json.dumps(_notice(facts, n)).encode()
        answer = dialed.ask(request("POST", "/api/notices", host, typed, body))
        streams[0].until(b"cd_notices")
        streams[0].until(b"\n\n")
        return answer

    def end() -> None:
        for stream in streams:
            stream.close()

    return Exchange("live.wake", wake, bare=False, end=end)
