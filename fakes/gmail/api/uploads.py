"""The mail in a request: `raw` in a JSON body, or an upload: alone (media), beside JSON (multipart), or in
several requests (resumable).
"""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass
from typing import Any

from fakes.core.google.parts import parts_of
from fakes.core.google.uploads import Uploaded
from fakes.gmail.api.calls import Call
from fakes.gmail.errors import InvalidValue, RawRequired

_SHOWN = 80
_NOT_BASE64 = re.compile(r"[^A-Za-z0-9+/_-]")


@dataclass(frozen=True)
class Handed:
    """What a request handed in: a JSON resource ({} with a media upload), and the uploaded bytes, if any."""

    resource: dict[str, Any]
    raw: bytes | None


@dataclass(frozen=True)
class Given:
    """A mail as it was handed in, and the Message resource that came with it ({} with a media upload)."""

    raw: bytes
    resource: dict[str, Any]

    @property
    def thread_id(self) -> str | None:
        """The thread that it should join."""
        return self.resource.get("threadId") or None

    @property
    def label_ids(self) -> list[str]:
        """The labels that it should have."""
        found: list[str] = self.resource.get("labelIds", [])
        return found


async def message_given(call: Call, key: str = "") -> Given:
    """The mail of a request; `key` names the field that the Message resource is in ("message" of a Draft).

    Raises RawRequired where there is none, InvalidValue, InvalidJson, TooLarge.
    """
    return message_in(await given(call), key)


async def given(call: Call) -> Handed:
    """What a request handed in. Raises RawRequired for an upload that is none, Malformed, InvalidJson,
    TooLarge.
    """
    uploaded: Uploaded | None = getattr(call.request.state, "uploaded", None)
    if uploaded is not None:
        return Handed(call.resource(uploaded.resource), uploaded.content)
    body = await call.body()
    if not call.is_upload:
        return Handed(call.resource(body), None)
    media_type = call.request.headers.get("content-type", "")
    if not media_type.lower().startswith("multipart/related"):
        return Handed({}, body)
    parts = parts_of(body, media_type)
    if len(parts) != 2:
        raise RawRequired()
    return Handed(call.resource(parts[0].content), parts[1].content)


def message_in(handed: Handed, key: str = "") -> Given:
    """The mail of what was handed in. Raises RawRequired, InvalidValue."""
    message, raw = object_in(handed.resource, key) if key else handed.resource, handed.raw
    if raw is None and (told := message.get("raw")):
        raw = _bytes(told, f"draft.{key}.raw" if key else "message.raw")
    if raw is None or not raw.strip():
        raise RawRequired()
    return Given(raw, message)


def object_in(resource: dict[str, Any], key: str) -> dict[str, Any]:
    """The object in a field, {} where there is none."""
    found: dict[str, Any] = resource.get(key, {})
    return found


def _bytes(raw: str, at: str) -> bytes:
    """base64url (or plain base64), with or without padding. Raises InvalidValue."""
    try:
        text = re.sub(r"\s", "", raw).rstrip("=")
        if _NOT_BASE64.search(text):
            raise ValueError(text)
        return base64.urlsafe_b64decode(text.replace("+", "-").replace("/", "_") + "=" * (-len(text) % 4))
    except (ValueError, binascii.Error):
        failed = f'Base64 decoding failed for "{raw[:_SHOWN]}"'
        raise InvalidValue(at, "TYPE_BYTES", failed) from None
