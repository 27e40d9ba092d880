"""Keyset paging: page tokens that are signed and bound to the world, the method and its parameters."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import orjson

if TYPE_CHECKING:
    from fakes.core.world import World


class BadPageToken(ValueError):
    """The token was made by somebody else, or for another call; fakes answer their vendor's 400."""


def page_token(world: World, method: str, params: Mapping[str, Any], position: list[Any]) -> str:
    """A token for the page after `position`: the ordering values of the last row shown."""
    body = orjson.dumps(position)
    return base64.urlsafe_b64encode(_sign(world, method, params, body) + body).decode().rstrip("=")


def page_position(world: World, method: str, params: Mapping[str, Any], token: str) -> list[Any]:
    """The position inside a token of ours. Raises BadPageToken."""
    try:
        raw = base64.b64decode(token + "=" * (-len(token) % 4), altchars=b"-_", validate=True)
    except ValueError as error:
        raise BadPageToken(token) from error
    signature, body = raw[:16], raw[16:]
    if not hmac.compare_digest(signature, _sign(world, method, params, body)):
        raise BadPageToken(token)
    position: list[Any] = orjson.loads(body)
    return position


def _sign(world: World, method: str, params: Mapping[str, Any], body: bytes) -> bytes:
    bound = orjson.dumps([world.name, method, dict(params)], option=orjson.OPT_SORT_KEYS)
    return hmac.new(world.secrets.key("page"), bound + b"\0" + body, hashlib.sha256).digest()[:16]
