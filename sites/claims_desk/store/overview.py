"""How much there is to do: the counts beside the desk's places."""

from __future__ import annotations

from dataclasses import dataclass

from fakes.core.world import World
from sites.claims_desk.schema import Draft, FactRequest, Notice, Operator
from sites.claims_desk.store import chases, ledger


@dataclass(frozen=True)
class Counts:
    """Notices for a human, questionnaires not answered, reminders due, statements not audited, protests not
    filed.
    """

    human: int
    waiting: int
    chases: int
    unaudited: int
    unfiled: int


def counts(world: World, me: Operator) -> Counts:
    """The tenant's counts."""
    mine = (me.tenant_id,)
    return Counts(
        human=world.count(Notice, "WHERE tenant_id = ? AND needs_human > 0", mine),
        waiting=world.count(
            FactRequest, "WHERE tenant_id = ? AND sent_at IS NOT NULL AND answered_at IS NULL", mine
        ),
        chases=chases.count_due(world, me),
        unaudited=len(ledger.unaudited(world, me)),
        unfiled=world.count(Draft, "WHERE tenant_id = ? AND filed_at IS NULL", mine),
    )
