from __future__ import annotations

import re

import httpx

from fakes.core.world import World
from fakes.gmail import store
from tests.fakes.gmail.town import Cast
from tests.fakes.gmail.web.forms import post

AS_IT_WAS = {"undo_seconds": "5", "shortcuts": "on", "tabs": "on", "language": "en", "text": ""}
PATHS = (
    "", "/labels", "/filters", "/filters/new", "/addresses", "/addresses/new", "/forwarding", "/vacation",
    "/delegates",
)  # fmt: skip


def _signature(world: World, cast: Cast) -> str:
    return store.default_send_as(world, cast.mira).signature


async def test_looking_at_settings_changes_nothing(mira: httpx.AsyncClient, world: World) -> None:
    before = world.journal.head()
    for path in PATHS:
        page = await mira.get(f"/settings{path}")
        section = f"/settings{path.removesuffix('/new')}"
        assert page.status_code == 200 and f'href="{section}" aria-current="page"' in page.text, path
    assert world.journal.head() == before


async def test_what_is_chosen_is_kept_and_holds(mira: httpx.AsyncClient, world: World, cast: Cast) -> None:
    wanted = {**AS_IT_WAS, "undo_seconds": "30", "shortcuts": "off", "tabs": "off", "language": "pt-BR"}
    answer = await post(mira, "/settings", **wanted)
    page = (await mira.get(answer.headers["location"])).text
    assert "Your changes are saved." in page and '<option value="30" selected>' in page
    settings = store.settings_of(world, cast.mira.id)
    assert (settings.undo_seconds, settings.shortcuts_on, settings.tabs_on) == (30, False, False)
    assert settings.language == "pt-BR" and not _signature(world, cast)
    inbox = (await mira.get("/")).text
    assert "shortcuts.js" not in inbox and 'id="tabs"' not in inbox


async def test_what_is_as_it_was_writes_nothing(mira: httpx.AsyncClient, world: World, cast: Cast) -> None:
    before = world.journal.head()
    assert (await post(mira, "/settings", **AS_IT_WAS)).status_code == 303
    assert world.journal.head() == before


async def test_a_rich_signature_is_made_safe(mira: httpx.AsyncClient, world: World, cast: Cast) -> None:
    html = "<b>Mira</b><script>alert(1)</script><br>Operations"
    await post(mira, "/settings", **{**AS_IT_WAS, "format": "html", "html": html})
    assert _signature(world, cast) == "<b>Mira</b><br>Operations"
    page = (await mira.get("/settings")).text
    assert "<b>Mira</b><br>Operations</div>" in page and ">Mira\nOperations</textarea>" in page


async def test_a_form_without_scripts_keeps_a_rich_signature_that_nobody_changed(
    mira: httpx.AsyncClient, world: World, cast: Cast
) -> None:
    own = store.default_send_as(world, cast.mira)
    store.change_send_as(world, cast.mira, own, signature="<b>Mira</b><br>Operations")
    await post(mira, "/settings", **{**AS_IT_WAS, "undo_seconds": "10", "text": "Mira\r\nOperations"})
    assert _signature(world, cast) == "<b>Mira</b><br>Operations"
    await post(mira, "/settings", **{**AS_IT_WAS, "text": "Mira <ops>"})
    assert _signature(world, cast) == "Mira &lt;ops&gt;"
    await post(mira, "/settings", **{**AS_IT_WAS, "format": "html", "html": "<br>"})
    assert _signature(world, cast) == ""


async def test_what_is_no_choice_is_told_beside_its_field(
    mira: httpx.AsyncClient, world: World, cast: Cast
) -> None:
    before = world.journal.head()
    wrong = {**AS_IT_WAS, "undo_seconds": "7", "language": "xx"}
    answer = await post(mira, "/settings", **wrong)
    assert answer.status_code == 400
    assert re.findall(r'id="problem-(\w+)"', answer.text) == ["undo_seconds", "language"]
    assert world.journal.head() == before


async def test_a_language_that_a_program_set_can_be_kept(
    mira: httpx.AsyncClient, world: World, cast: Cast
) -> None:
    store.change_settings(world, cast.mira.id, language="cy")
    assert '<option value="cy" selected>cy</option>' in (await mira.get("/settings")).text
    assert (await post(mira, "/settings", **{**AS_IT_WAS, "language": "cy"})).status_code == 303
