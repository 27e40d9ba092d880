"""Claims for benefits and the former workers who made them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fakes.core.journal import Tx
from fakes.core.world import World
from sites.claims_desk.schema import Claim, Claimant, Draft, FactRequest, Notice, Operator, StatementLine
from sites.claims_desk.store import events
from sites.claims_desk.store.reading import FIRST, Page, columns, newest, own, split

_LIST = f"""
SELECT {columns(Claim, "c")}, {columns(Claimant, "p")},
  (SELECT count(*) FROM cd_notices n WHERE n.claim_id = c.id AND +n.tenant_id = c.tenant_id),
  (SELECT count(*) FROM cd_fact_requests r WHERE r.claim_id = c.id AND +r.tenant_id = c.tenant_id)
FROM cd_claims c LEFT JOIN cd_claimants p ON p.id = c.claimant_id AND p.tenant_id = c.tenant_id
WHERE c.tenant_id = ? AND c.seq < ? AND ? IN ('', c.status) ORDER BY c.seq DESC LIMIT ?"""


@dataclass(frozen=True)
class ClaimView:
    """A claim in a list: with its claimant and how many notices and questionnaires it has."""

    claim: Claim
    claimant: Claimant | None
    notices: int
    questionnaires: int


@dataclass(frozen=True)
class ClaimFile:
    """A claim with all that hangs on it, newest first."""

    claim: Claim
    claimant: Claimant | None
    notices: tuple[Notice, ...]
    questionnaires: tuple[FactRequest, ...]
    drafts: tuple[Draft, ...]
    lines: tuple[StatementLine, ...]


def claims(world: World, me: Operator, page: Page = FIRST, status: str = "") -> list[ClaimView]:
    """The tenant's claims, newest first; of one status if that is given."""
    found = world.select(_LIST, (me.tenant_id, page.end, status, page.limit))
    return [_view(values) for values in found]


def claim_values(world: World, me: Operator, page: Page = FIRST) -> list[tuple[Any, ...]]:
    """The same claims as stored values, for a list that is only shown.

    Each has the columns of the claim, those of its claimant, and how many notices and questionnaires it has.
    """
    return world.select(_LIST, (me.tenant_id, page.end, "", page.limit))


def _view(values: tuple[object, ...]) -> ClaimView:
    (claim, claimant), counts = split(values, (Claim, Claimant))
    return ClaimView(claim, claimant, *counts)


def claim(world: World, me: Operator, id: str) -> ClaimFile:
    """One claim with its papers. Raises NotFound."""
    found = own(world, Claim, me, "claim", id)
    tail = "WHERE claim_id = ? AND +tenant_id = ? ORDER BY seq DESC"
    key = (found.id, me.tenant_id)
    return ClaimFile(
        claim=found,
        claimant=claimant_of(world, me, found.claimant_id),
        notices=tuple(world.all(Notice, tail, key)),
        questionnaires=tuple(world.all(FactRequest, tail, key)),
        drafts=tuple(world.all(Draft, tail, key)),
        lines=tuple(world.all(StatementLine, tail, key)),
    )


def claimants(world: World, me: Operator, page: Page = FIRST) -> list[Claimant]:
    """The tenant's former workers, newest first."""
    return newest(world, Claimant, me, page)


def claimant(world: World, me: Operator, id: str) -> Claimant:
    """One of them. Raises NotFound."""
    return own(world, Claimant, me, "claimant", id)


def claimant_of(world: World, me: Operator, id: str | None) -> Claimant | None:
    """The claimant that a row names, if it is one of the tenant's."""
    return world.one(Claimant, "WHERE id = ? AND tenant_id = ?", (id, me.tenant_id)) if id else None


def separations(world: World, me: Operator, page: Page = FIRST) -> list[Claimant]:
    """Claimants of whom the desk knows the day of separation, newest first."""
    return newest(world, Claimant, me, page, "AND separated_on IS NOT NULL")


def claims_of(world: World, me: Operator, claimant_id: str) -> list[Claim]:
    """The claims of one claimant, newest first."""
    return world.all(
        Claim, "WHERE claimant_id = ? AND +tenant_id = ? ORDER BY seq DESC", (claimant_id, me.tenant_id)
    )


def numbered(world: World, me: Operator, number: str) -> list[Claim]:
    """The claims that have this number."""
    return world.all(Claim, "WHERE tenant_id = ? AND number = ?", (me.tenant_id, number))


def open_claim(tx: Tx, world: World, me: Operator, of: Claimant, state: str) -> Claim:
    """Opens a claim under a number of the desk's own, in the caller's transaction."""
    seq = tx.seq("cd_claim")
    opened = tx.insert(Claim(
        id=tx.new_id("cd_claim", prefix="clm_"), seq=seq, tenant_id=me.tenant_id, claimant_id=of.id,
        number=f"{state}-D{seq:06d}", state=state, status="open", filed_on=None, opened_at=world.now(),
        opened_by=me.email,
    ))  # fmt: skip
    note_opened(tx, world, me, opened, of)
    return opened


def note_opened(tx: Tx, world: World, me: Operator, opened: Claim, of: Claimant) -> None:
    """Logs that a claim was opened, in the caller's transaction."""
    events.by(tx, world, me, "claim.opened", opened.id, f"Claim {opened.number} of {of.name} opened")
