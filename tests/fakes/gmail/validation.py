"""Every answer of the API, in every test that has `answers_are_valid`, is held against the vendor's document,
as its client package brings it: types, formats, words, no field that is not there; errors against the
envelope.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from googleapiclient.discovery_cache import get_static_doc
from starlette.types import Message, Receive, Scope, Send

from fakes.core.serving import ServiceApp

API_PATHS = ("/gmail/v1/", "/upload/gmail/v1/", "/resumable/upload/gmail/v1/", "/batch")
STATES = {
    400: {"INVALID_ARGUMENT", "FAILED_PRECONDITION"}, 401: {"UNAUTHENTICATED"}, 403: {"PERMISSION_DENIED"},
    404: {"NOT_FOUND"}, 409: {"ALREADY_EXISTS", "ABORTED"}, 410: {"NOT_FOUND"},
    413: {"INVALID_ARGUMENT"}, 429: {"RESOURCE_EXHAUSTED"}, 500: {"INTERNAL"}, 501: {"UNIMPLEMENTED"},
    503: {"UNAVAILABLE"}, 504: {"DEADLINE_EXCEEDED"},
}  # fmt: skip
"""HTTP statuses and the codes that google.rpc.Code maps to them; for 409 and 413 as they were measured."""
_ENTRY = {"message", "domain", "reason", "location", "locationType"}
_LEAST = {"int32": -(1 << 31), "uint32": 0, "int64": -(1 << 63), "uint64": 0}
_BEYOND = {"int32": 1 << 31, "uint32": 1 << 32, "int64": 1 << 63, "uint64": 1 << 64}


@cache
def vendors() -> dict[str, Any]:
    """The vendor's document."""
    text = get_static_doc("gmail", "v1")
    assert text is not None
    document: dict[str, Any] = json.loads(text)
    return document


@cache
def vendors_methods() -> dict[str, dict[str, Any]]:
    """The vendor's methods by their names, without the API's."""
    return dict(_methods(vendors()["resources"]))


def _methods(resources: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for resource in resources.values():
        for method in resource.get("methods", {}).values():
            yield method["id"].removeprefix("gmail."), method
        yield from _methods(resource.get("resources", {}))


@pytest.fixture(autouse=True)
def answers_are_valid(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fails the test if an answer of the Gmail API was none that the real one could give."""
    wrong: list[str] = []
    own = ServiceApp.__call__

    async def checked(self: ServiceApp, scope: Scope, receive: Receive, send: Send) -> None:
        seen: list[Message] = []

        async def sending(message: Message) -> None:
            seen.append(message)
            await send(message)

        await own(self, scope, receive, sending)
        path = scope["path"].removeprefix(scope.get("root_path", "")) if scope["type"] == "http" else ""
        if path.startswith(API_PATHS) and seen:
            wrong.extend(f"{scope['method']} {path}: {each}" for each in _wrong_in(scope, seen))

    monkeypatch.setattr(ServiceApp, "__call__", checked)
    yield
    assert not wrong, "\n".join(wrong)


def _wrong_in(scope: Scope, seen: list[Message]) -> list[str]:
    """What is wrong with an answer."""
    status, body = seen[0]["status"], b"".join(message.get("body", b"") for message in seen[1:])
    headers = {name.decode(): value.decode() for name, value in seen[0]["headers"]}
    media_type = headers.get("content-type", "").split(";")[0]
    if media_type in ("multipart/mixed", "text/javascript") or status == 308:
        return []
    name = _overridden(scope) or getattr(scope.get("route"), "name", "").split(" ")[-1]
    answers = vendors_methods().get(name, {}).get("response", {}).get("$ref")
    if not body:
        return [f"{status} without a body"] if answers and not _may_be_empty(scope) else []
    if media_type != "application/json":
        return [f"an answer of type {media_type!r}"]
    told = json.loads(body)
    if status >= 400:
        return list(errors_in(status, told))
    return list(wrong_with(told, {"$ref": answers}, "")) if answers else [f"a body, {told!r}, where none is"]


def _overridden(scope: Scope) -> str | None:
    """The method that was meant, where its header says another than the one that it came by."""
    if all(name != b"x-http-method-override" for name, _ in scope["headers"]):
        return None
    verb, _, path = scope["state"]["record"].route.partition(" /")
    at = {(each["httpMethod"], each["path"]): name for name, each in vendors_methods().items()}
    return at.get((verb, path))


def _may_be_empty(scope: Scope) -> bool:
    """Whether this is a step of a resumable upload, which answers with headers."""
    return b"uploadType=resumable" in scope["query_string"] or b"upload_id=" in scope["query_string"]


def wrong_with(value: Any, schema: dict[str, Any], at: str) -> Iterator[str]:
    """Where a value does not fit a schema of the vendor's document."""
    if "$ref" in schema:
        schema = vendors()["schemas"][schema["$ref"]]
    kind = schema["type"]
    if kind == "object":
        yield from _wrong_in_object(value, schema, at)
    elif kind == "array":
        if not isinstance(value, list) or not value:
            yield f"{at} is {value!r}: a list that is not empty"
            return
        for number, each in enumerate(value):
            yield from wrong_with(each, schema["items"], f"{at}[{number}]")
    elif not _fits(value, kind, schema.get("format", "")) or value not in schema.get("enum", [value]):
        yield f"{at} is {value!r}: {schema.get('enum', [kind, schema.get('format', '')])}"


def _wrong_in_object(value: Any, schema: dict[str, Any], at: str) -> Iterator[str]:
    if not isinstance(value, dict):
        yield f"{at} is {value!r}: an object"
        return
    for name, each in value.items():
        if name in schema["properties"]:
            yield from wrong_with(each, schema["properties"][name], f"{at}.{name}")
        else:
            yield f"{at}.{name} is no field of {schema['id']}"


def _fits(value: Any, kind: str, format: str) -> bool:
    if kind == "boolean":
        return isinstance(value, bool)
    if kind == "integer":
        return type(value) is int and _LEAST[format] <= value < _BEYOND[format]
    if not isinstance(value, str):
        return False
    if format in _LEAST:
        return bool(re.fullmatch(r"0|-?[1-9]\d*", value)) and _LEAST[format] <= int(value) < _BEYOND[format]
    return format != "byte" or bool(re.fullmatch(r"[\w-]*={0,2}", value, re.ASCII) and len(value) % 4 == 0)


def errors_in(status: int, told: Any) -> Iterator[str]:
    """Where a body is none of an error with this status."""
    error = told.get("error") if isinstance(told, dict) and set(told) == {"error"} else None
    if not isinstance(error, dict):
        yield f"{told!r} is no envelope"
        return
    if not set(error) <= {"code", "message", "errors", "status", "details"}:
        yield f"an envelope with {sorted(error)}"
    if error.get("code") != status or error.get("status") not in STATES.get(status, ()):
        yield f"{status} with {error.get('code')} and {error.get('status')}"
    if not isinstance(error.get("message"), str) or not error["message"]:
        yield "an error that says nothing"
    for entry in error.get("errors", []):
        if not {"message", "reason"} <= set(entry) <= _ENTRY:
            yield f"an entry with {sorted(entry)}"
    if any(not each.get("@type", "").startswith("type.googleapis.com/") for each in error.get("details", [])):
        yield f"details without a type: {error['details']}"
