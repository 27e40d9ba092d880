"""The request log of an attempt as an HTTP Archive (HAR 1.2, http://www.softwareishard.com/blog/har-12-spec/),
which browsers' network panels and proxies open.

The log keeps what was asked, without secrets, and the status; of answers neither headers nor text. Instants
are the run clock's, and durations are not known: 0. Fields of our own begin with an underscore.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from fakes.core.clock import utc
from fakes.core.requests import LoggedRequest
from fakes.core.service import Service
from harness.app import discover_services
from harness.attempt import product_version
from harness.bundle import Bundle
from harness.discovery import find_task
from harness.evidence import End, Evidence, OpenEvidence
from harness.hiding import Hiding, secrets_of

PROTOCOL = "HTTP/1.1"
_OURS = tuple("id lease kind person credential surface service route mode dest fault".split())

Json = dict[str, Any]


def har_of(path: Path) -> Json:
    """The archive of a world's bundle.

    Raises BundleError, EvidenceError, UnknownTarget and BrokenScenario.
    """
    bundle, services = Bundle.at(path), discover_services()
    return har(bundle.evidence(find_task(bundle.task_name), services), services)


def har(evidence: Evidence, services: Mapping[str, Service]) -> Json:
    """The archive: a page a lease, named by its actor, and an entry a request. Raises EvidenceError."""
    with OpenEvidence(evidence, services) as (before, after):
        requests = End(before, after, evidence).requests
        begun = _iso(requests[0].at if requests else after.now())
        # The log was redacted as it was written; an agent may still have put a secret where none belongs.
        hidden = Hiding(secrets_of(after, requests))
    return {
        "log": {
            "version": "1.2",
            "creator": {"name": "paracosm", "version": product_version()},
            "pages": _pages(evidence, requests, begun),
            "entries": [_entry(request, hidden) for request in requests],
            "comment": f"{evidence.env}/{evidence.task}, by the run clock; durations are not recorded",
        }
    }


def _pages(evidence: Evidence, requests: Sequence[LoggedRequest], begun: str) -> list[Json]:
    """A page for each actor's lease, and for each other that sent something."""
    titles = {seat.lease: f"{name}: {seat.person}, {seat.medium}" for name, seat in evidence.actors.items()}
    first: dict[str, str] = dict.fromkeys(titles, begun)
    for request in reversed(requests):
        if request.lease:
            first[request.lease] = _iso(request.at)
    return [
        {"startedDateTime": at, "id": lease, "title": titles.get(lease, lease), "pageTimings": {}}
        for lease, at in first.items()
    ]  # fmt: skip


def _entry(request: LoggedRequest, hidden: Hiding) -> Json:
    entry: Json = {
        "startedDateTime": _iso(request.at),
        "time": 0,
        "request": _asked(request, hidden),
        "response": _answered(request),
        "cache": {},
        "timings": {"send": 0, "wait": 0, "receive": 0},
    }
    if request.lease:
        entry["pageref"] = request.lease
    ours = {f"_{name}": getattr(request, name) for name in _OURS}
    return entry | {name: value for name, value in ours.items() if value is not None}


def _asked(request: LoggedRequest, hidden: Hiding) -> Json:
    query = hidden.text(request.query)
    asked: Json = {
        "method": request.method,
        "url": f"http://{request.host}{hidden.text(request.path)}" + (f"?{query}" if query else ""),
        "httpVersion": PROTOCOL,
        "cookies": [],
        "headers": [],
        "queryString": [{"name": n, "value": v} for n, v in parse_qsl(query, keep_blank_values=True)],
        "headersSize": -1,
        "bodySize": -1,
    }
    if request.body:
        text = hidden.text(request.body)
        kind = "application/json" if text[:1] in "{[" else "application/x-www-form-urlencoded"
        asked["postData"] = {"mimeType": kind, "text": text}
    return asked


def _answered(request: LoggedRequest) -> Json:
    """The answer; status 0, as browsers write it, where there was none."""
    status = request.status or 0
    known = {each.value: each.phrase for each in HTTPStatus}
    return {
        "status": status,
        "statusText": known.get(status, ""),
        "httpVersion": PROTOCOL,
        "cookies": [],
        "headers": [],
        "content": {"size": 0, "mimeType": "x-unknown"},
        "redirectURL": "",
        "headersSize": -1,
        "bodySize": -1,
    }


def _iso(at_ms: int) -> str:
    return utc(at_ms).isoformat(timespec="milliseconds").replace("+00:00", "Z")
