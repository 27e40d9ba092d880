"""What the desk writes to managers, and the public link in it.

The link's secret follows from the world's secret and the request's id, so it is written into mails and never
into a row of the desk, an event or an answer of the API.
"""

from __future__ import annotations

from dataclasses import dataclass

from fakes.core.clock import civil
from fakes.core.links import stored_link
from fakes.core.world import World
from sites.claims_desk.schema import Claim, Claimant, FactQuestion, FactRequest, Tenant
from sites.claims_desk.store import SERVICE
from sites.claims_desk.store.accounts import tenant_with

_OF = "WHERE id = ? AND tenant_id = ?"


@dataclass(frozen=True)
class Letter:
    """A mail about one questionnaire."""

    employer: Tenant
    to: str
    subject: str
    text: str


def link_token(world: World, request_id: str) -> str:
    """The secret in a questionnaire's public link."""
    return world.secrets.token("cd_link", request_id)


def public_link(world: World, request_id: str) -> str:
    """The link as mails keep it."""
    return stored_link(SERVICE, f"/q/{link_token(world, request_id)}")


def invitation(world: World, request: FactRequest, to: str) -> Letter:
    """Asks the manager for the facts."""
    employer, whom = tenant_with(world, request.tenant_id), _about(world, request)
    asked = world.count(FactQuestion, "WHERE request_id = ?", (request.id,))
    text = (
        f"{_hello(request)}{whom} has claimed unemployment benefits. The state asks {employer.name} for "
        "facts that you know.\n"
        f"Please answer {asked} questions by the end of {_last_day(world, request)}:\n\n"
        f"{public_link(world, request.id)}\n\n"
        "The link is yours alone and needs no log-in. Please don't pass it on.\n\n"
        f"{employer.name} claims desk\n"
    )
    return Letter(employer, to, _subject(whom), text)


def reminder(world: World, request: FactRequest, to: str) -> Letter:
    """Reminds the manager that answers are still missing, and how many days are left for them now."""
    employer, whom = tenant_with(world, request.tenant_id), _about(world, request)
    text = (
        f"{_hello(request)}{_left(world, request)} to answer our questions about {whom}, by the end of "
        f"{_last_day(world, request)}. What you have answered so far is kept.\n\n"
        f"{public_link(world, request.id)}\n\n{employer.name} claims desk\n"
    )
    return Letter(employer, to, f"Reminder: {_subject(whom)}", text)


def _left(world: World, request: FactRequest) -> str:
    """How much time there is: "3 days are left"."""
    if request.due_at is None:
        return "There is not much time left"
    days = (civil(request.due_at, world.zone).date() - world.today()).days
    if days < 1:
        return "This is the last day"
    return "1 day is left" if days == 1 else f"{days} days are left"


def _hello(request: FactRequest) -> str:
    return f"Hello {request.manager_name or 'there'},\n\n"


def _subject(whom: str) -> str:
    return f"Questions about the separation of {whom}"


def _about(world: World, request: FactRequest) -> str:
    claim = world.one(Claim, _OF, (request.claim_id, request.tenant_id))
    claimant = world.one(Claimant, _OF, (claim.claimant_id, request.tenant_id)) if claim else None
    return claimant.name if claimant else "a former employee"


def _last_day(world: World, request: FactRequest) -> str:
    return civil(request.due_at, world.zone).date().isoformat() if request.due_at is not None else "this week"
