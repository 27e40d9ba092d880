"""The manifest of the Gmail fake."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fakes.core.capabilities import MAIL_DELIVER
from fakes.core.people import Person
from fakes.core.service import Account, Sample, Service
from fakes.gmail.schema import SEARCH_DDL, TABLES
from fakes.gmail.store import deliver
from fakes.gmail.store.later import DUE

if TYPE_CHECKING:
    from starlette.exceptions import HTTPException
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import BaseRoute

    from fakes.core.journal import Tx
    from fakes.core.seeding import Section
    from fakes.core.world import World

API_PATHS = (
    "gmail/v1/",
    "upload/gmail/v1/",
    "resumable/upload/gmail/v1/",
    "batch/gmail/v1",
    "discovery/v1/apis/gmail/v1/rest",
)


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


def _derive(world: World, tx: Tx) -> None:
    from fakes.gmail.store import words

    words.reindex(world, tx)


def _sections() -> dict[str, Section]:
    from fakes.gmail.seed_sections import SECTIONS

    return SECTIONS


service = Service(
    name="gmail",
    title="Gmail",
    summary="Mail: the Gmail API, and a mailbox for each person of the world.",
    kind="fake",
    tables=TABLES,
    ddl=(SEARCH_DDL,),
    routes=_routes,
    api_paths=API_PATHS,
    offers={MAIL_DELIVER: deliver},
    due=DUE,
    refuse=_refuse,
    accounts=_accounts,
    sample=Sample("gmail/v1/users/me/messages", ("gmail", "v1", 'users().messages().list(userId="me")')),
    derive=_derive,
    sections=_sections,
)
