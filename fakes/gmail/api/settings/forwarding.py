"""Forwarding: addresses that mail may be sent on to, and all of it going to one of them."""

from __future__ import annotations

from typing import Any

from fakes.gmail import store
from fakes.gmail.api.calls import Call
from fakes.gmail.errors import NotFound
from fakes.gmail.schema import ForwardingAddress, Settings

_UNSPECIFIED = "dispositionUnspecified"


async def list_addresses(call: Call) -> dict[str, Any]:
    """users.settings.forwardingAddresses.list."""
    found = store.forwarding_addresses(call.world, call.person.id)
    return {"forwardingAddresses": [_told(each) for each in found]} if found else {}


async def get(call: Call) -> dict[str, Any]:
    """users.settings.forwardingAddresses.get."""
    return _told(_address(call))


async def create(call: Call) -> dict[str, Any]:
    """users.settings.forwardingAddresses.create: pending until whoever has the address agrees."""
    given = await call.json()
    email = given.get("forwardingEmail", "")
    return _told(store.add_forwarding_address(call.world, call.person, email))


async def delete(call: Call) -> None:
    """users.settings.forwardingAddresses.delete: nothing is forwarded there any more."""
    store.remove_forwarding_address(call.world, _address(call))


def _address(call: Call) -> ForwardingAddress:
    found = store.forwarding_address(call.world, call.person.id, call.path("forwardingEmail"))
    if found is None:
        raise NotFound()
    return found


def _told(address: ForwardingAddress) -> dict[str, Any]:
    return {"forwardingEmail": address.email, "verificationStatus": address.verification}


async def get_auto_forwarding(call: Call) -> dict[str, Any]:
    """users.settings.getAutoForwarding."""
    return _auto(store.settings_of(call.world, call.person.id))


async def update_auto_forwarding(call: Call) -> dict[str, Any]:
    """users.settings.updateAutoForwarding: what the body leaves out is off, or empty."""
    given = await call.json()
    disposition = given.get("disposition", _UNSPECIFIED)
    changed = store.set_auto_forwarding(
        call.world, call.person.id,
        enabled=given.get("enabled", False),
        email=given.get("emailAddress", ""),
        disposition="leaveInInbox" if disposition == _UNSPECIFIED else disposition,
    )  # fmt: skip
    return _auto(changed)


def _auto(settings: Settings) -> dict[str, Any]:
    told: dict[str, Any] = {"enabled": settings.forwarding_enabled}
    if settings.forwarding_email:
        told |= {"emailAddress": settings.forwarding_email, "disposition": settings.forwarding_disposition}
    return told


FAKED = {
    "users.settings.forwardingAddresses.create": create,
    "users.settings.forwardingAddresses.delete": delete,
    "users.settings.forwardingAddresses.get": get,
    "users.settings.forwardingAddresses.list": list_addresses,
    "users.settings.getAutoForwarding": get_auto_forwarding,
    "users.settings.updateAutoForwarding": update_auto_forwarding,
}
