"""Messages: list, get, send."""

from __future__ import annotations

import base64
import binascii
import re
from typing import Any

from fakes.core.paging import BadPageToken, page_position, page_token
from fakes.gmail import store
from fakes.gmail.api import rendering
from fakes.gmail.api.calls import Call, json_object
from fakes.gmail.errors import (
    InvalidId,
    InvalidLabel,
    InvalidPageToken,
    InvalidValue,
    NotFaked,
    NotFound,
    RawRequired,
)
from fakes.gmail.rules.labels import SYSTEM
from fakes.gmail.rules.search import NotSupported, Query, parse
from fakes.gmail.rules.threads import is_id

METHOD = "gmail.users.messages.list"
DEFAULT_PAGE, LARGEST_PAGE = 100, 500
_NOT_BASE64 = re.compile(r"[^A-Za-z0-9+/_-]")
_BOUNDARY = re.compile(r'boundary="?([^";]+)"?', re.IGNORECASE)


async def list_messages(call: Call) -> dict[str, Any]:
    """users.messages.list: ids and thread ids, newest first."""
    limit = call.count("maxResults", DEFAULT_PAGE, LARGEST_PAGE)
    query = _query(call)
    asked = {"q": call.text("q"), "labelIds": call.texts("labelIds"), "all": query.anywhere}
    bound = {"owner": call.person.id, **asked}
    before = _position(call, bound)
    found = store.list_messages(call.world, call.person.id, query, limit=limit, before=before)
    page: dict[str, Any] = {}
    if found.refs:
        page["messages"] = [{"id": message_id, "threadId": thread_id} for message_id, thread_id in found.refs]
    if found.next:
        page["nextPageToken"] = page_token(call.world, METHOD, bound, found.next)
    return {**page, "resultSizeEstimate": found.estimate}


def _query(call: Call) -> Query:
    """What `q`, `labelIds` and `includeSpamTrash` ask for together."""
    try:
        query = parse(call.text("q"), call.person.email)
    except NotSupported as missing:
        raise NotFaked(str(missing)) from None
    labels = call.texts("labelIds")
    for label in labels:
        if label not in SYSTEM:
            raise InvalidLabel(label)
    wanted = tuple(dict.fromkeys((*labels, *query.labels)))
    return Query(query.match, wanted, query.without, query.anywhere or call.flag("includeSpamTrash"))


def _position(call: Call, bound: dict[str, Any]) -> list[Any] | None:
    token = call.text("pageToken")
    try:
        return page_position(call.world, METHOD, bound, token) if token else None
    except BadPageToken:
        raise InvalidPageToken() from None


async def get(call: Call) -> dict[str, Any]:
    """users.messages.get in one of four formats."""
    format = call.text("format", "full").lower()
    if format not in rendering.FORMATS:
        raise InvalidValue("format", "TYPE_ENUM", f'"{call.text("format")}"')
    message_id = call.path("id")
    if not is_id(message_id):
        raise InvalidId()
    message = store.message_in(call.world, call.person.id, message_id)
    if message is None:
        raise NotFound()
    return rendering.message(call.request, message, format, call.texts("metadataHeaders"))


async def send(call: Call) -> dict[str, Any]:
    """users.messages.send with `raw` in JSON."""
    given = await call.json()
    raw = given.get("raw")
    if not raw:
        raise RawRequired()
    return _sent(call, _bytes(raw), given.get("threadId"))


async def send_upload(call: Call) -> dict[str, Any]:
    """users.messages.send by upload: the mail as the body (media), or beside JSON (multipart)."""
    body = await call.body()
    if call.text("uploadType") == "resumable":
        raise NotFaked("A resumable upload")
    media_type = call.request.headers.get("content-type", "")
    if not media_type.lower().startswith("multipart/related"):
        return _sent(call, body, None)
    parts = _related(body, media_type)
    if len(parts) != 2:
        raise RawRequired()
    return _sent(call, parts[1], json_object(parts[0]).get("threadId"))


def _sent(call: Call, raw: bytes, thread_id: Any) -> dict[str, Any]:
    if not raw.strip():
        raise RawRequired()
    if thread_id is not None and not isinstance(thread_id, str):
        raise InvalidValue("message.thread_id", "TYPE_STRING", _shown(thread_id))
    message = store.send(call.world, call.person, raw, thread_id or None)
    return rendering.reference(call.world, message)


def _bytes(raw: Any) -> bytes:
    """base64url (or plain base64), with or without padding. Raises InvalidValue."""
    try:
        text = re.sub(r"\s", "", raw).rstrip("=") if isinstance(raw, str) else "?"
        if _NOT_BASE64.search(text):
            raise ValueError(text)
        return base64.urlsafe_b64decode(text.replace("+", "-").replace("/", "_") + "=" * (-len(text) % 4))
    except (ValueError, binascii.Error):
        failed = f'Base64 decoding failed for "{_shown(raw)}"'
        raise InvalidValue("message.raw", "TYPE_BYTES", failed) from None


def _shown(given: Any) -> str:
    """The beginning of a text; of anything else the kind, for it may be nested too deep to be written."""
    return given[:80] if isinstance(given, str) else type(given).__name__


def _related(body: bytes, media_type: str) -> list[bytes]:
    """The parts of a multipart/related body, without their headers; bytes as they came."""
    found = _BOUNDARY.search(media_type)
    if found is None:
        return []
    sections = (b"\r\n" + body.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")).split(
        f"\r\n--{found[1]}".encode()
    )
    return [section.partition(b"\r\n\r\n")[2] for section in sections[1:] if not section.startswith(b"--")]
