"""Delegates: who may use the mailbox by their own token, with its owner's address as `userId`."""

from __future__ import annotations

from typing import Any

from fakes.gmail import store
from fakes.gmail.api.calls import Call
from fakes.gmail.errors import NotFound
from fakes.gmail.schema import Delegate


async def list_delegates(call: Call) -> dict[str, Any]:
    """users.settings.delegates.list: {} where there is none."""
    found = store.delegates_of(call.world, call.person.id)
    return {"delegates": [_told(each) for each in found]} if found else {}


async def get(call: Call) -> dict[str, Any]:
    """users.settings.delegates.get."""
    return _told(_delegate(call))


async def create(call: Call) -> dict[str, Any]:
    """users.settings.delegates.create: accepted at once."""
    given = await call.json()
    return _told(store.add_delegate(call.world, call.person, given.get("delegateEmail", "")))


async def delete(call: Call) -> None:
    """users.settings.delegates.delete."""
    store.remove_delegate(call.world, _delegate(call))


def _delegate(call: Call) -> Delegate:
    found = store.delegate_of(call.world, call.person.id, call.path("delegateEmail"))
    if found is None:
        raise NotFound()
    return found


def _told(delegate: Delegate) -> dict[str, Any]:
    return {"delegateEmail": delegate.email, "verificationStatus": delegate.verification}


FAKED = {
    "users.settings.delegates.create": create,
    "users.settings.delegates.delete": delete,
    "users.settings.delegates.get": get,
    "users.settings.delegates.list": list_delegates,
}
