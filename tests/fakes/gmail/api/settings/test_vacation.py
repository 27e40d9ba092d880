"""The vacation responder, as clients set it."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from fakes.core.world import World
from fakes.gmail import store
from fakes.gmail.schema import Message
from tests.fakes.gmail.api.asking import received, refused, told
from tests.fakes.gmail.town import MORNING, Cast

AWAY = {
    "enableAutoReply": True,
    "responseSubject": "Away",
    "responseBodyPlainText": "Back on Monday",
    "restrictToContacts": False,
    "restrictToDomain": True,
    "startTime": str(MORNING),
    "endTime": str(MORNING + 86_400_000),
}


async def test_nobody_is_away_at_first(api: httpx.AsyncClient) -> None:
    assert told(await api.get("settings/vacation")) == {
        "enableAutoReply": False, "restrictToContacts": False, "restrictToDomain": False,
    }  # fmt: skip


async def test_instants_are_strings(api: httpx.AsyncClient, world: World, cast: Cast) -> None:
    assert told(await api.put("settings/vacation", json=AWAY)) == AWAY
    assert told(await api.get("settings/vacation")) == AWAY
    received(world, cast, Subject="Lunch")
    [answer] = world.all(Message, "WHERE owner = ? AND sender = ?", (cast.tom.id, cast.mira.email))
    assert answer.snippet == "Back on Monday"


async def test_html_is_sanitised(api: httpx.AsyncClient) -> None:
    given = {"enableAutoReply": True, "responseBodyHtml": "<p>Gone<script>alert(1)</script></p>"}
    assert told(await api.put("settings/vacation", json=given))["responseBodyHtml"] == "<p>Gone</p>"


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ({**AWAY, "endTime": AWAY["startTime"]}, "Start time must precede end time"),
        ({"enableAutoReply": True}, "Either the subject or the body"),
        ({**AWAY, "responseSubject": "x" * 999}, "The subject of the response holds at most 998"),
        ({"startTime": "-1"}, "Start and end time are milliseconds"),
        ({"endTime": "9223372036854775807"}, "Start and end time are milliseconds"),
        ({"startTime": "soon"}, "Invalid value at 'vacation_settings.start_time' (TYPE_INT64), \"soon\""),
        ({"responseSubject": 7}, "Invalid value at 'vacation_settings.response_subject' (TYPE_STRING), 7"),
    ],
)
async def test_wrong_settings_are_refused(
    api: httpx.AsyncClient, world: World, body: dict[str, Any], sentence: str
) -> None:
    before = world.state_hash()
    assert refused(await api.put("settings/vacation", json=body)).startswith(sentence)
    assert world.state_hash() == before


async def test_a_long_subject_is_answered_too(api: httpx.AsyncClient, world: World, cast: Cast) -> None:
    away = {"enableAutoReply": True, "responseSubject": "x" * 998}
    assert (await api.put("settings/vacation", json=away)).status_code == 200
    store.send(world, cast.tom, f"To: {cast.mira.email}\nSubject: {'é' * 16_000}\n\nHi".encode())
    got = world.select("SELECT label FROM gmail_message_labels WHERE owner = ?", (cast.tom.id,))
    assert ("INBOX",) in got
