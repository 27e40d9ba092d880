"""Delegates: who may use somebody's mailbox."""

from __future__ import annotations

import httpx
import pytest

from fakes.core import auth
from fakes.core.world import World
from fakes.gmail import store
from tests.fakes.gmail.api.asking import received, refused, told
from tests.fakes.gmail.town import Cast, encoded, raw

MIRA, TOM, LENA = (f"{name}@harborlight.example" for name in ("mira", "tom", "lena"))


async def test_a_delegate_uses_the_mailbox_with_their_own_token(
    api: httpx.AsyncClient, world: World, cast: Cast
) -> None:
    mail = received(world, cast, Subject="For Mira")
    toms = {"Authorization": f"Bearer {auth.issue_token(world, cast.tom, 'gmail')}"}
    miras = f"../{MIRA}"
    denied = await api.get(f"{miras}/messages", headers=toms)
    assert refused(denied, 403) == f"Delegation denied for {TOM}"
    made = told(await api.post("settings/delegates", json={"delegateEmail": TOM}))
    assert made == {"delegateEmail": TOM, "verificationStatus": "accepted"}
    listed = told(await api.get(f"{miras}/messages", headers=toms))
    assert [each["id"] for each in listed["messages"]] == [mail.id]
    body = {"raw": encoded(raw(To=LENA, Subject="Hi"))}
    sent = told(await api.post(f"{miras}/messages/send", headers=toms, json=body))
    assert world.select("SELECT sender FROM gmail_messages WHERE id = ?", (sent["id"],)) == [(MIRA,)]
    assert (await api.delete(f"settings/delegates/{TOM}")).status_code == 204
    assert refused(await api.get(f"{miras}/messages", headers=toms), 403)


async def test_delegates_are_listed(api: httpx.AsyncClient) -> None:
    assert told(await api.get("settings/delegates")) == {}
    for each in (TOM, LENA):
        told(await api.post("settings/delegates", json={"delegateEmail": each}))
    listed = told(await api.get("settings/delegates"))["delegates"]
    assert [each["delegateEmail"] for each in listed] == [TOM, LENA]
    assert told(await api.get(f"settings/delegates/{LENA}"))["verificationStatus"] == "accepted"
    assert refused(await api.get("settings/delegates/x@harborlight.example"), 404)


@pytest.mark.parametrize("given", ["", MIRA, "gone@harborlight.example", "me@home.example"])
async def test_a_delegate_is_somebody_else_here(api: httpx.AsyncClient, world: World, given: str) -> None:
    before = world.state_hash()
    answer = await api.post("settings/delegates", json={"delegateEmail": given})
    assert refused(answer) == "Invalid delegate"
    assert world.state_hash() == before


async def test_who_was_invited_may_not_use_it_before_agreeing(
    api: httpx.AsyncClient, world: World, cast: Cast
) -> None:
    made = store.invite_delegate(world, cast.mira, TOM)
    toms = {"Authorization": f"Bearer {auth.issue_token(world, cast.tom, 'gmail')}"}
    assert refused(await api.get(f"../{MIRA}/profile", headers=toms), 403)
    found = store.question(world, store_token(world, made))
    assert found is not None and found.kind == "delegation"
    store.agree(world, found)
    assert told(await api.get(f"../{MIRA}/profile", headers=toms))["emailAddress"] == MIRA
    assert refused(await api.post("settings/delegates", json={"delegateEmail": TOM}), 409)


def store_token(world: World, made: object) -> str:
    """The secret of a link, out of the mail that holds it."""
    [(text,)] = world.select("SELECT text FROM gmail_sources WHERE text LIKE '%/gmail/confirm/%'")
    return str(text).partition("/gmail/confirm/")[2].split()[0]
