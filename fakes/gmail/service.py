"""The manifest of the Gmail fake."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fakes.core.capabilities import MAIL_DELIVER
from fakes.core.people import Person
from fakes.core.service import Account, Coverage, Sample, Service
from fakes.gmail.schema import SEARCH_DDL, TABLES
from fakes.gmail.store import deliver, pushing
from fakes.gmail.store.later import DUE

if TYPE_CHECKING:
    from starlette.exceptions import HTTPException
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import BaseRoute

    from fakes.core.journal import Tx
    from fakes.core.mcp.tools import Tools
    from fakes.core.seeding import Section
    from fakes.core.world import World

API_PATHS = (
    "gmail/v1/",
    "upload/gmail/v1/",
    "resumable/upload/gmail/v1/",
    "batch",
    "discovery/v1/apis/gmail/v1/rest",
)
LINK_PATHS = ("gmail/confirm/",)
"""Pages that links in mails lead to, for programs too."""


def _routes() -> list[BaseRoute]:
    from fakes.gmail import api, web

    return [*api.routes(), *web.routes()]


def _refuse(request: Request, error: HTTPException) -> Response:
    """Google's envelope for its paths, a page for all others."""
    from fakes.gmail import api, web

    path = request.url.path.removeprefix(request.scope.get("root_path", "")).lstrip("/")
    return api.refuse(request, error) if path.startswith(API_PATHS) else web.refuse(request, error)


def _accounts(world: World) -> list[Account]:
    people = world.all(Person, "ORDER BY seq")
    return [Account(person.email, person.title or "") for person in people]


def _coverage() -> Coverage:
    from fakes.core.google.coverage import methods_of
    from fakes.gmail.api.faked import FAKED
    from fakes.gmail.api.vendor import API

    return Coverage(methods_of(API), sorted(FAKED))


def _derive(world: World, tx: Tx) -> None:
    from fakes.gmail.store import words

    words.reindex(world, tx)


def _secrets(world: World) -> dict[str, str]:
    from fakes.gmail.store import confirming

    return confirming.tokens(world)


def _sections() -> dict[str, Section]:
    from fakes.gmail.seed_sections import SECTIONS

    return SECTIONS


def _tools() -> Tools:
    from fakes.gmail.mcp import tools

    return tools()


service = Service(
    name="gmail",
    title="Gmail",
    summary="Mail: the Gmail API, and a mailbox for each person of the world.",
    kind="fake",
    tables=TABLES,
    ddl=(SEARCH_DDL,),
    routes=_routes,
    api_paths=(*API_PATHS, *LINK_PATHS),
    offers={MAIL_DELIVER: deliver},
    due=DUE,
    sends={pushing.KIND: pushing.post},
    refuse=_refuse,
    accounts=_accounts,
    sample=Sample("gmail/v1/users/me/messages", ("gmail", "v1", 'users().messages().list(userId="me")')),
    coverage=_coverage,
    redact=frozenset({"oauth_token"}),
    secrets=_secrets,
    derive=_derive,
    sections=_sections,
    mcp=_tools,
)
