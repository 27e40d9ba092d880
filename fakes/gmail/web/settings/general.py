"""What holds for the whole mailbox: taking back, keys, tabs, language, the signature of the usual address."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from fakes.gmail import store
from fakes.gmail.schema import SendAs
from fakes.gmail.web.settings import rich
from fakes.gmail.web.settings.frame import Problems, done, show
from fakes.gmail.web.settings.vacation import in_words
from fakes.gmail.web.visits import Visit

PATH = "/settings"
UNDO_SECONDS = (5, 10, 20, 30)
LANGUAGES = (
    ("en", "English (US)"), ("en-GB", "English (UK)"), ("de", "Deutsch"), ("es", "Español"),
    ("fr", "Français"), ("it", "Italiano"), ("ja", "日本語"), ("ko", "한국어"), ("nl", "Nederlands"),
    ("pl", "Polski"), ("pt-BR", "Português (Brasil)"), ("sv", "Svenska"), ("tr", "Türkçe"),
    ("uk", "Українська"), ("zh-CN", "中文（简体）"),
)  # fmt: skip
_NO_CHOICE = "Choose one of these."


async def page(visit: Visit) -> Response:
    """The form."""
    return _page(visit, _stored(visit), _signature(_usual(visit)))


async def save(visit: Visit) -> Response:
    """Keeps all of it, or nothing."""
    before = _stored(visit)
    wanted = _sent(visit)
    usual = _usual(visit)
    signature = rich.sent(visit, _signature(usual))
    problems = _problems(wanted, before)
    if problems:
        return _page(visit, wanted, signature, problems)
    with visit.world.tx():
        store.change_settings(visit.world, visit.person.id, **wanted)
        html = signature.html or (signature.shown if signature else "")
        if html != usual.signature:
            store.change_send_as(visit.world, visit.person, usual, signature=html)
    return done(visit, PATH, "saved")


def _usual(visit: Visit) -> SendAs:
    return store.default_send_as(visit.world, visit.person)


def _signature(row: SendAs) -> rich.Rich:
    return rich.of(row.signature)


def _stored(visit: Visit) -> dict[str, Any]:
    settings = store.settings_of(visit.world, visit.person.id)
    return {name: getattr(settings, name) for name in ("undo_seconds", "shortcuts_on", "tabs_on", "language")}


def _sent(visit: Visit) -> dict[str, Any]:
    seconds = visit.field("undo_seconds")
    return {
        "undo_seconds": int(seconds) if seconds in map(str, UNDO_SECONDS) else None,
        "shortcuts_on": visit.field("shortcuts") == "on",
        "tabs_on": visit.field("tabs") == "on",
        "language": visit.field("language"),
    }


def _problems(wanted: dict[str, Any], before: dict[str, Any]) -> Problems:
    known = {tag for tag, _ in LANGUAGES} | {before["language"]}
    found = {} if wanted["undo_seconds"] is not None else {"undo_seconds": _NO_CHOICE}
    return found if wanted["language"] in known else {**found, "language": _NO_CHOICE}


def _page(
    visit: Visit, wanted: dict[str, Any], signature: rich.Rich, problems: Problems | None = None
) -> Response:
    language = _stored(visit)["language"]
    names = dict(LANGUAGES)
    context = {
        "wanted": wanted,
        "seconds": UNDO_SECONDS,
        "languages": list({**names, language: names.get(language, language)}.items()),
        "usual": _usual(visit),
        "rich": signature,
        "away_words": in_words(visit),
    }
    return show(visit, PATH, "general.html", context, problems)
