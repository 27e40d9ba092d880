"""IMAP, POP and language."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from fakes.core.world import World
from tests.fakes.gmail.api.asking import refused, told

IMAP = {"enabled": True, "autoExpunge": False, "expungeBehavior": "trash", "maxFolderSize": 1000}


async def test_settings_have_defaults(api: httpx.AsyncClient) -> None:
    assert told(await api.get("settings/imap")) == {
        "enabled": False, "autoExpunge": True, "expungeBehavior": "archive", "maxFolderSize": 0,
    }  # fmt: skip
    assert told(await api.get("settings/pop")) == {
        "accessWindow": "disabled", "disposition": "leaveInInbox",
    }  # fmt: skip
    assert told(await api.get("settings/language")) == {"displayLanguage": "en"}


@pytest.mark.parametrize(
    ("path", "given"),
    [
        ("imap", IMAP),
        ("pop", {"accessWindow": "allMail", "disposition": "archive"}),
        ("language", {"displayLanguage": "en-GB"}),
    ],
)
async def test_what_is_set_stays(api: httpx.AsyncClient, path: str, given: dict[str, Any]) -> None:
    assert told(await api.put(f"settings/{path}", json=given)) == given
    assert told(await api.get(f"settings/{path}")) == given


async def test_an_update_replaces_all(api: httpx.AsyncClient) -> None:
    await api.put("settings/imap", json=IMAP)
    assert told(await api.put("settings/imap", json={"enabled": True})) == {
        "enabled": True, "autoExpunge": False, "expungeBehavior": "archive", "maxFolderSize": 0,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("path", "body", "sentence"),
    [
        ("imap", {"maxFolderSize": 7}, "Invalid maxFolderSize"),
        ("imap", {"maxFolderSize": "x"}, "Invalid value at 'imap_settings.max_folder_size' (TYPE_INT32)"),
        ("imap", {"maxFolderSize": 1 << 31}, "Invalid value at 'imap_settings.max_folder_size' (TYPE_INT32)"),
        ("imap", {"enabled": "maybe"}, "Invalid value at 'imap_settings.enabled' (TYPE_BOOL)"),
        ("imap", {"expungeBehavior": "keep"}, "Invalid value at 'imap_settings.expunge_behavior'"),
        ("pop", {"accessWindow": "always"}, "Invalid value at 'pop_settings.access_window'"),
        ("pop", {"window": "allMail"}, 'Invalid JSON payload received. Unknown name "window"'),
        ("language", {"displayLanguage": "not a tag"}, "Invalid display language"),
        ("language", {}, "Invalid display language"),
    ],
)
async def test_wrong_settings_are_refused(
    api: httpx.AsyncClient, world: World, path: str, body: dict[str, Any], sentence: str
) -> None:
    before = world.state_hash()
    assert refused(await api.put(f"settings/{path}", json=body)).startswith(sentence)
    assert world.state_hash() == before
