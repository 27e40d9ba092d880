"""The mail in a request: `raw` in a JSON body, or an upload, alone (media) or beside JSON (multipart)."""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass
from typing import Any

from fakes.gmail.api.calls import Call, json_object
from fakes.gmail.errors import InvalidValue, NotFaked, RawRequired

_NOT_BASE64 = re.compile(r"[^A-Za-z0-9+/_-]")
_BOUNDARY = re.compile(r'boundary="?([^";]+)"?', re.IGNORECASE)


@dataclass(frozen=True)
class Given:
    """A mail as it was handed in, and the Message resource that came with it ({} with a media upload)."""

    raw: bytes
    resource: dict[str, Any]

    @property
    def thread_id(self) -> str | None:
        """The thread that it should join. Raises InvalidValue."""
        found = self.resource.get("threadId")
        if found is not None and not isinstance(found, str):
            raise InvalidValue("message.thread_id", "TYPE_STRING", _shown(found))
        return found or None


async def message_given(call: Call, key: str = "") -> Given:
    """The mail of a request; `key` names the field that the Message resource is in ("message" of a Draft).

    Raises RawRequired where there is none, InvalidValue, InvalidJson, TooLarge.
    """
    body = await call.body()
    resource, raw = _uploaded(call, body) if call.is_upload else (json_object(body), None)
    message = _object_in(resource, key) if key else resource
    if raw is None and (told := message.get("raw")):
        raw = _bytes(told)
    if raw is None or not raw.strip():
        raise RawRequired()
    return Given(raw, message)


def _object_in(resource: dict[str, Any], key: str) -> dict[str, Any]:
    found = resource.get(key)
    if found is not None and not isinstance(found, dict):
        raise InvalidValue(key, "TYPE_MESSAGE", _shown(found))
    return found or {}


def _uploaded(call: Call, body: bytes) -> tuple[dict[str, Any], bytes]:
    if call.text("uploadType") == "resumable":
        raise NotFaked("A resumable upload")
    media_type = call.request.headers.get("content-type", "")
    if not media_type.lower().startswith("multipart/related"):
        return {}, body
    parts = _related(body, media_type)
    if len(parts) != 2:
        raise RawRequired()
    return json_object(parts[0]), parts[1]


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
