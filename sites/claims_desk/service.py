"""The claims desk's manifest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fakes.core.service import Account, Sample, Service
from sites.claims_desk.schema import TABLES, FactRequest

if TYPE_CHECKING:
    from starlette.exceptions import HTTPException
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import BaseRoute

    from fakes.core.outbox import Outgoing, Post, Stamp
    from fakes.core.seeding import Section
    from fakes.core.world import World


def _routes() -> list[BaseRoute]:
    from sites.claims_desk import api, web

    return [*api.routes(), *web.routes()]


def _refuse(request: Request, error: HTTPException) -> Response:
    from sites.claims_desk import api, web

    in_page = "text/html" in request.headers.get("accept", "") and not api.is_api(request)
    return web.refuse(request, error) if in_page else api.refuse(request, error)


def _send_chase(world: World, payload: dict[str, Any]) -> None:
    from sites.claims_desk.store import chases

    chases.send_chase(world, payload)


def _to_send(world: World, outgoing: Outgoing, stamp: Stamp) -> Post:
    from sites.claims_desk.store import webhooks

    return webhooks.to_send(world, outgoing, stamp)


def _accounts(world: World) -> list[Account]:
    from sites.claims_desk.store import accounts

    notes = {"totp": "code from the authenticator", "email": "code by e-mail"}
    return [
        Account(operator.email, f"{accounts.tenant(world, operator).name}; {notes[operator.second_factor]}")
        for operator in accounts.operators(world)
    ]


def _secrets(world: World) -> dict[str, str]:
    from sites.claims_desk.store import letters

    return {f"link/{request.id}": letters.link_token(world, request.id) for request in world.all(FactRequest)}


def _sections() -> dict[str, Section]:
    from sites.claims_desk.seed_sections import SECTIONS

    return SECTIONS


service = Service(
    name="claims_desk",
    title="Claims desk",
    summary="An employer's desk for unemployment claims: notices, deadlines, audits, protests.",
    kind="site",
    tables=TABLES,
    routes=_routes,
    due={"chase": _send_chase},
    sends={"webhook": _to_send},
    refuse=_refuse,
    accounts=_accounts,
    sample=Sample("api/claims"),
    secrets=_secrets,
    sections=_sections,
)
