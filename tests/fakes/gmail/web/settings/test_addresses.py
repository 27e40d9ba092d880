from __future__ import annotations

import httpx

from fakes.core.world import World
from fakes.gmail import store
from fakes.gmail.schema import Message, SendAs
from tests.fakes.gmail.town import Cast
from tests.fakes.gmail.web.forms import post

ALIAS = "ops@harborlight.example"
AWAY = {"email": "mira@club.example", "host": "smtp.club.example", "port": "465", "security": "ssl"}


def _row(world: World, cast: Cast, email: str) -> SendAs:
    found = store.send_as(world, cast.mira, email)
    assert found is not None
    return found


async def test_an_alias_of_the_company_can_be_used_at_once(
    mira: httpx.AsyncClient, world: World, cast: Cast
) -> None:
    fields = {"email": ALIAS, "name": "Operations", "reply_to": cast.tom.email, "alias": "1", "text": "Ops"}
    answer = await post(mira, "/settings/addresses", **fields)
    assert "The address is added." in (await mira.get(answer.headers["location"])).text
    row = _row(world, cast, ALIAS)
    assert (row.display_name, row.reply_to, row.signature) == ("Operations", cast.tom.email, "Ops")
    await post(mira, f"/settings/addresses/{ALIAS}/default")
    assert store.default_send_as(world, cast.mira).email == ALIAS
    await post(mira, f"/settings/addresses/{ALIAS}", name="Desk", text="Desk")
    row = _row(world, cast, ALIAS)
    assert (row.display_name, row.reply_to, row.treat_as_alias, row.is_default) == ("Desk", "", False, True)
    await post(mira, f"/settings/addresses/{ALIAS}/remove")
    assert store.send_as(world, cast.mira, ALIAS) is None


async def test_somebody_elses_address_is_asked_by_mail_and_again(
    mira: httpx.AsyncClient, world: World, cast: Cast
) -> None:
    answer = await post(mira, "/settings/addresses", email=cast.tom.email, name="Tom for Mira")
    page = (await mira.get(answer.headers["location"])).text
    assert f"We asked {cast.tom.email} by mail." in page and "not confirmed yet" in page
    await post(mira, f"/settings/addresses/{cast.tom.email}/ask")
    assert world.count(Message, "WHERE owner = ?", (cast.tom.id,)) == 2
    await post(mira, f"/settings/addresses/{cast.tom.email}/default")
    assert store.default_send_as(world, cast.mira).email == cast.mira.email


async def test_an_address_elsewhere_has_its_server(mira: httpx.AsyncClient, world: World, cast: Cast) -> None:
    await post(mira, "/settings/addresses", **AWAY)
    row = _row(world, cast, AWAY["email"])
    assert (row.smtp_host, row.smtp_port, row.smtp_security) == ("smtp.club.example", 465, "ssl")
    page = (await mira.get(f"/settings/addresses/{AWAY['email']}")).text
    assert 'value="smtp.club.example"' in page and 'value="ssl" selected' in page


async def test_what_is_wrong_is_told_beside_its_field(mira: httpx.AsyncClient, world: World) -> None:
    wrong: tuple[tuple[dict[str, str], str], ...] = (
        ({"email": "nobody"}, "email"),
        ({"email": "mira@harborlight.example"}, "email"),
        ({"email": "mira@club.example"}, "host"),
        ({**AWAY, "port": "99999"}, "port"),
        ({"email": ALIAS, "reply_to": "me"}, "reply_to"),
        ({"email": ALIAS, "name": "x" * 201}, "name"),
    )
    before = world.journal.head()
    for fields, field in wrong:
        answer = await post(mira, "/settings/addresses", **fields)
        assert answer.status_code == 400 and f'id="problem-{field}"' in answer.text, fields
    assert world.journal.head() == before


async def test_the_accounts_own_address_stays_and_others_are_not_found(
    mira: httpx.AsyncClient, world: World, cast: Cast
) -> None:
    await post(mira, f"/settings/addresses/{cast.mira.email}", name="Mira O.")
    assert _row(world, cast, cast.mira.email).display_name == "Mira O."
    assert (await post(mira, f"/settings/addresses/{cast.mira.email}/remove")).status_code == 404
    store.add_send_as(world, cast.tom, ALIAS)
    assert (await mira.get(f"/settings/addresses/{ALIAS}")).status_code == 404
    for deed in ("", "/default", "/ask", "/remove"):
        assert (await post(mira, f"/settings/addresses/{ALIAS}{deed}")).status_code == 404
