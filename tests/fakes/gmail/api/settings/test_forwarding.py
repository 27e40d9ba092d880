"""Forwarding addresses and automatic forwarding, as clients set them."""

from __future__ import annotations

import httpx
import pytest

from fakes.core.outbox import Outgoing
from fakes.core.world import World
from tests.fakes.gmail.api.asking import refused, told

LENA = "lena@harborlight.example"
OUTSIDE = "me@home.example"


async def test_an_address_of_ones_own_domain_is_accepted_at_once(
    api: httpx.AsyncClient, world: World
) -> None:
    assert told(await api.get("settings/forwardingAddresses")) == {}
    accepted = {"forwardingEmail": LENA, "verificationStatus": "accepted"}
    assert told(await api.post("settings/forwardingAddresses", json={"forwardingEmail": LENA})) == accepted
    assert told(await api.get(f"settings/forwardingAddresses/{LENA}")) == accepted
    assert told(await api.get("settings/forwardingAddresses")) == {"forwardingAddresses": [accepted]}
    assert not world.all(Outgoing)


async def test_an_address_elsewhere_is_asked(api: httpx.AsyncClient, world: World) -> None:
    made = told(await api.post("settings/forwardingAddresses", json={"forwardingEmail": OUTSIDE}))
    assert made["verificationStatus"] == "pending"
    [mail] = world.all(Outgoing)
    assert (mail.kind, mail.receiver) == ("mail", OUTSIDE)
    enabled = {"enabled": True, "emailAddress": OUTSIDE, "disposition": "archive"}
    assert refused(await api.put("settings/autoForwarding", json=enabled)) == "Invalid forwarding address"


async def test_an_address_is_there_once(api: httpx.AsyncClient) -> None:
    body = {"forwardingEmail": LENA}
    told(await api.post("settings/forwardingAddresses", json=body))
    again = await api.post("settings/forwardingAddresses", json={"forwardingEmail": LENA.upper()})
    assert refused(again, 409) == "Requested entity already exists"


@pytest.mark.parametrize("given", ["", "nobody", "mira@harborlight.example"])
async def test_what_can_be_no_forwarding_address_is_refused(
    api: httpx.AsyncClient, world: World, given: str
) -> None:
    before = world.state_hash()
    assert refused(await api.post("settings/forwardingAddresses", json={"forwardingEmail": given}))
    assert world.state_hash() == before


async def test_all_mail_is_forwarded_until_the_address_is_removed(api: httpx.AsyncClient) -> None:
    assert told(await api.get("settings/autoForwarding")) == {"enabled": False}
    await api.post("settings/forwardingAddresses", json={"forwardingEmail": LENA})
    enabled = {"enabled": True, "emailAddress": LENA, "disposition": "markRead"}
    assert told(await api.put("settings/autoForwarding", json=enabled)) == enabled
    assert told(await api.get("settings/autoForwarding")) == enabled
    assert (await api.delete(f"settings/forwardingAddresses/{LENA}")).status_code == 204
    assert told(await api.get("settings/autoForwarding")) == {"enabled": False}
    assert refused(await api.get(f"settings/forwardingAddresses/{LENA}"), 404)
    assert refused(await api.delete(f"settings/forwardingAddresses/{LENA}"), 404)
