"""IMAP, POP and language: kept and told; nothing here speaks IMAP or POP."""

from __future__ import annotations

import re
from typing import Any

from fakes.gmail import store
from fakes.gmail.api.calls import Call
from fakes.gmail.errors import InvalidArgument
from fakes.gmail.schema import Settings

_FOLDER_SIZES = (0, 1000, 2000, 5000, 10_000)
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8}){0,3}")


async def get_imap(call: Call) -> dict[str, Any]:
    """users.settings.getImap."""
    return _imap(store.settings_of(call.world, call.person.id))


async def update_imap(call: Call) -> dict[str, Any]:
    """users.settings.updateImap: what the body leaves out is as in a new account."""
    given = await call.json()
    size = given.get("maxFolderSize", 0)
    if size not in _FOLDER_SIZES:
        raise InvalidArgument("Invalid maxFolderSize: it is 0, 1000, 2000, 5000 or 10000")
    changed = store.change_settings(
        call.world, call.person.id,
        imap_enabled=given.get("enabled", False),
        imap_auto_expunge=given.get("autoExpunge", False),
        imap_expunge_behavior=_specified(given.get("expungeBehavior"), "archive"),
        imap_max_folder_size=size,
    )  # fmt: skip
    return _imap(changed)


def _imap(settings: Settings) -> dict[str, Any]:
    told: dict[str, Any] = {"enabled": settings.imap_enabled, "autoExpunge": settings.imap_auto_expunge}
    told["expungeBehavior"] = settings.imap_expunge_behavior
    return {**told, "maxFolderSize": settings.imap_max_folder_size}


async def get_pop(call: Call) -> dict[str, Any]:
    """users.settings.getPop."""
    return _pop(store.settings_of(call.world, call.person.id))


async def update_pop(call: Call) -> dict[str, Any]:
    """users.settings.updatePop: what the body leaves out is as in a new account."""
    given = await call.json()
    changed = store.change_settings(
        call.world, call.person.id,
        pop_access_window=_specified(given.get("accessWindow"), "disabled"),
        pop_disposition=_specified(given.get("disposition"), "leaveInInbox"),
    )  # fmt: skip
    return _pop(changed)


def _pop(settings: Settings) -> dict[str, Any]:
    return {"accessWindow": settings.pop_access_window, "disposition": settings.pop_disposition}


async def get_language(call: Call) -> dict[str, Any]:
    """users.settings.getLanguage."""
    return {"displayLanguage": store.settings_of(call.world, call.person.id).language}


async def update_language(call: Call) -> dict[str, Any]:
    """users.settings.updateLanguage: an RFC 3066 tag; pages stay English."""
    language = (await call.json()).get("displayLanguage", "")
    if not _LANGUAGE.fullmatch(language):
        raise InvalidArgument("Invalid display language")
    changed = store.change_settings(call.world, call.person.id, language=language.replace("_", "-"))
    return {"displayLanguage": changed.language}


def _specified(word: str | None, default: str) -> str:
    """A word of an enumeration; the default where there is none, or the one that says nothing."""
    return default if word is None or word.endswith("Unspecified") else word


FAKED = {
    "users.settings.getImap": get_imap,
    "users.settings.getLanguage": get_language,
    "users.settings.getPop": get_pop,
    "users.settings.updateImap": update_imap,
    "users.settings.updateLanguage": update_language,
    "users.settings.updatePop": update_pop,
}
