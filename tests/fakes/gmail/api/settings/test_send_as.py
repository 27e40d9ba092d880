"""The addresses that mail is sent from, as clients set them."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from fakes.core.outbox import Outgoing
from fakes.core.world import World
from fakes.gmail.schema import Message
from tests.fakes.gmail.api.asking import refused, told
from tests.fakes.gmail.town import Cast

MIRA, TOM = "mira@harborlight.example", "tom@harborlight.example"
OWN = {
    "sendAsEmail": MIRA, "displayName": "Mira Okafor", "replyToAddress": "", "signature": "",
    "isPrimary": True, "isDefault": True,
}  # fmt: skip
SERVER = {"host": "smtp.home.example", "port": 587, "securityMode": "starttls"}


async def _add(api: httpx.AsyncClient, email: str, **more: Any) -> dict[str, Any]:
    return told(await api.post("settings/sendAs", json={"sendAsEmail": email, **more}))


async def test_the_own_address_is_there_from_the_beginning(api: httpx.AsyncClient) -> None:
    assert told(await api.get("settings/sendAs")) == {"sendAs": [OWN]}
    assert told(await api.get(f"settings/sendAs/{MIRA}")) == OWN
    assert refused(await api.get(f"settings/sendAs/{TOM}"), 404)


async def test_patch_merges_and_put_replaces(api: httpx.AsyncClient) -> None:
    given = {"displayName": "Mira", "signature": "<b>Mira</b><script>x</script>"}
    first = told(await api.patch(f"settings/sendAs/{MIRA}", json=given))
    assert (first["displayName"], first["signature"]) == ("Mira", "<b>Mira</b>")
    second = told(await api.patch(f"settings/sendAs/{MIRA}", json={"replyToAddress": TOM}))
    assert (second["displayName"], second["replyToAddress"]) == ("Mira", TOM)
    third = told(await api.put(f"settings/sendAs/{MIRA}", json={"displayName": "M"}))
    assert third == {**OWN, "displayName": "M"}


async def test_an_alias_becomes_the_default_and_gives_it_back(api: httpx.AsyncClient) -> None:
    alias = "support@harborlight.example"
    made = await _add(api, alias, isDefault=True, treatAsAlias=True)
    assert (made["isDefault"], made["verificationStatus"]) == (True, "accepted")
    listed = told(await api.get("settings/sendAs"))["sendAs"]
    assert [each.get("isDefault", False) for each in listed] == [False, True]
    again = told(await api.patch(f"settings/sendAs/{MIRA}", json={"isDefault": True}))
    assert again["isDefault"]
    assert "isDefault" not in told(await api.get(f"settings/sendAs/{alias}"))
    told(await api.patch(f"settings/sendAs/{alias}", json={"isDefault": True}))
    assert (await api.delete(f"settings/sendAs/{alias}")).status_code == 204
    assert told(await api.get("settings/sendAs")) == {"sendAs": [OWN]}


async def test_the_own_address_stays(api: httpx.AsyncClient) -> None:
    answer = await api.delete(f"settings/sendAs/{MIRA}")
    assert refused(answer)
    assert answer.json()["error"]["errors"][0]["reason"] == "cannotDeletePrimarySendAs"


async def test_an_address_elsewhere_needs_a_server_and_is_asked(api: httpx.AsyncClient, world: World) -> None:
    body: dict[str, Any] = {"sendAsEmail": "me@home.example"}
    sentence = "Custom from requires smtpMsa configuration"
    assert refused(await api.post("settings/sendAs", json=body)) == sentence
    login = {"username": "me", "password": "hunter2-and-more"}
    made = await _add(api, "me@home.example", smtpMsa={**SERVER, **login})
    assert (made["verificationStatus"], made["smtpMsa"]) == ("pending", SERVER)
    assert [mail.receiver for mail in world.all(Outgoing)] == ["me@home.example"]
    assert (await api.post("settings/sendAs/me@home.example/verify")).status_code == 204
    assert len(world.all(Outgoing)) == 2
    assert b"hunter2-and-more" not in world.image()


async def test_somebody_elses_address_is_asked(api: httpx.AsyncClient, world: World, cast: Cast) -> None:
    made = await _add(api, TOM)
    assert made["verificationStatus"] == "pending"
    [asked] = world.all(Message, "WHERE owner = ?", (cast.tom.id,))
    assert asked.subject == f"Confirmation - send mail as {TOM}"
    assert refused(await api.post(f"settings/sendAs/{MIRA}/verify")) == "Verification status must be pending"


@pytest.mark.parametrize(
    ("body", "status", "sentence"),
    [
        ({}, 400, "Invalid email address"),
        ({"sendAsEmail": "nobody"}, 400, "Invalid email address"),
        ({"sendAsEmail": MIRA}, 409, "Requested entity already exists"),
        ({"sendAsEmail": "a@harborlight.example", "replyToAddress": "x"}, 400, "Invalid email address"),
        ({"sendAsEmail": "a@b.example", "smtpMsa": {"host": "x"}}, 400, "Invalid SMTP MSA"),
        ({"sendAsEmail": "a@harborlight.example", "displayName": "x" * 999}, 400, "Invalid display name"),
        ({"sendAsEmail": 7}, 400, "Invalid value at 'send_as.send_as_email' (TYPE_STRING), 7"),
    ],
)
async def test_wrong_addresses_are_refused(
    api: httpx.AsyncClient, world: World, body: dict[str, Any], status: int, sentence: str
) -> None:
    before = world.state_hash()
    assert refused(await api.post("settings/sendAs", json=body), status).startswith(sentence)
    assert world.state_hash() == before
