"""The addresses that mail is sent from: the account's own, and aliases."""

from __future__ import annotations

from typing import Any

from fakes.gmail import store
from fakes.gmail.api.calls import Call
from fakes.gmail.errors import InvalidArgument, NotFound
from fakes.gmail.schema import SendAs

_UNSPECIFIED = "securityModeUnspecified"


async def list_send_as(call: Call) -> dict[str, Any]:
    """users.settings.sendAs.list: the account's own address first."""
    return {"sendAs": [_told(each) for each in store.send_as_of(call.world, call.person)]}


async def get(call: Call) -> dict[str, Any]:
    """users.settings.sendAs.get."""
    return _told(_send_as(call))


async def create(call: Call) -> dict[str, Any]:
    """users.settings.sendAs.create."""
    given = await call.json()
    email = given.get("sendAsEmail", "")
    return _told(store.add_send_as(call.world, call.person, email, **_columns(given)))


async def update(call: Call) -> dict[str, Any]:
    """users.settings.sendAs.update: what the body leaves out is as in a new one; the default stays that."""
    given = await call.json()
    changed = {**store.SEND_AS_DEFAULTS, **_columns(given)}
    return _told(store.change_send_as(call.world, call.person, _send_as(call), **changed))


async def patch(call: Call) -> dict[str, Any]:
    """users.settings.sendAs.patch: what the body leaves out stays."""
    given = await call.json()
    return _told(store.change_send_as(call.world, call.person, _send_as(call), **_columns(given)))


async def delete(call: Call) -> None:
    """users.settings.sendAs.delete."""
    store.remove_send_as(call.world, call.person, _send_as(call))


async def verify(call: Call) -> None:
    """users.settings.sendAs.verify: asks by mail once more."""
    store.ask_again(call.world, call.person, _send_as(call))


def _send_as(call: Call) -> SendAs:
    found = store.send_as(call.world, call.person, call.path("sendAsEmail"))
    if found is None:
        raise NotFound()
    return found


_COLUMNS = {
    "displayName": "display_name", "replyToAddress": "reply_to", "signature": "signature",
    "treatAsAlias": "treat_as_alias",
}  # fmt: skip


def _columns(given: dict[str, Any]) -> dict[str, Any]:
    """The columns that a resource sets; `isDefault` can only be set to true (its reference says so)."""
    columns = {column: given[name] for name, column in _COLUMNS.items() if name in given}
    default = {"is_default": True} if given.get("isDefault") else {}
    return {**columns, **default, **_server(given.get("smtpMsa"))}


def _server(server: dict[str, Any] | None) -> dict[str, Any]:
    """The server; it needs a host, a port and a way to secure it (reference of SmtpMsa)."""
    if server is None:
        return {}
    mode = server.get("securityMode", _UNSPECIFIED)
    host, port = server.get("host", ""), server.get("port", 0)
    if not host.strip() or not 0 < port < 65_536 or mode == _UNSPECIFIED:
        raise InvalidArgument("Invalid SMTP MSA: host, port and security mode are required")
    username = server.get("username", "")
    return {"smtp_host": host, "smtp_port": port, "smtp_username": username, "smtp_security": mode}


def _told(row: SendAs) -> dict[str, Any]:
    """As the API tells it; name and password of a server are never told."""
    told: dict[str, Any] = {"sendAsEmail": row.email, "displayName": row.display_name}
    told |= {"replyToAddress": row.reply_to, "signature": row.signature}
    if row.is_primary:
        told["isPrimary"] = True
    if row.is_default:
        told["isDefault"] = True
    if not row.is_primary:
        told |= {"treatAsAlias": row.treat_as_alias, "verificationStatus": row.verification}
    if row.smtp_host:
        told["smtpMsa"] = {
            "host": row.smtp_host, "port": row.smtp_port, "securityMode": row.smtp_security
        }  # fmt: skip
    return told


FAKED = {
    "users.settings.sendAs.create": create,
    "users.settings.sendAs.delete": delete,
    "users.settings.sendAs.get": get,
    "users.settings.sendAs.list": list_send_as,
    "users.settings.sendAs.patch": patch,
    "users.settings.sendAs.update": update,
    "users.settings.sendAs.verify": verify,
}
