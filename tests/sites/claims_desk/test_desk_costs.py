"""What a list costs does not grow with how much there is behind it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from fakes.core.store import Row
from fakes.core.world import World
from sites.claims_desk.schema import Chase, Event, Notice, Operator
from sites.claims_desk.seed import Desk
from sites.claims_desk.store import chases, claims, events, ledger, letters, notices, protests, questionnaires
from sites.claims_desk.store.reading import Page
from tests.sites.claims_desk.conftest import Api, Facts
from tests.steps import counted, steps

READS: dict[str, Callable[[World, Operator, Page], Any]] = {
    "claims": claims.claims,
    "claimants": claims.claimants,
    "notices": notices.notices,
    "questionnaires": questionnaires.fact_requests,
    "events": events.events,
    "documents": ledger.documents,
    "drafts": protests.drafts,
    "chases": chases.chases,
}


def filled(world: World, desk: Desk, start: int, count: int) -> None:
    """Adds claims with a claimant, a notice, a questionnaire, a document, a draft and an event each."""
    notice = world.one(Notice, "WHERE tenant_id = ?", (desk.tenant.id,))
    event = world.one(Event, "WHERE tenant_id = ?", (desk.tenant.id,))
    chase = world.one(Chase, "WHERE tenant_id = ?", (desk.tenant.id,))
    assert notice is not None and event is not None and chase is not None
    kinds: tuple[tuple[Row, dict[str, str]], ...] = (
        (desk.dana, {}),
        (desk.dana_claim, {"claimant_id": "claimant", "number": "number"}),
        (notice, {"claim_id": "claim", "claimant_id": "claimant", "document_id": "document"}),
        (desk.request, {"claim_id": "claim", "link_digest": "digest"}),
        (desk.determination, {}),
        (replace(desk.neighbour.draft, tenant_id=desk.tenant.id), {"notice_id": "notice"}),
        (event, {"subject_id": "claim"}),
        (chase, {"request_id": "factrequest"}),
    )
    with world.tx():
        for row, refers in kinds:
            name, first = type(row).__name__.lower(), row.values()
            made = (
                tuple(
                    {
                        **first,
                        "id": f"{name}{n}",
                        "seq": 1_000 + n,
                        **{c: f"{to}{n}" for c, to in refers.items()},
                    }.values()
                )
                for n in range(start, start + count)
            )
            marks = ", ".join("?" * len(first))
            world.con.executemany(f"INSERT INTO {row.__table__.name} VALUES ({marks})", made)


def test_lists_cost_the_same_with_500_and_with_5_000_claims(world: World, desk: Desk, me: Operator) -> None:
    filled(world, desk, 0, 500)
    middle = Page(50, before=1_400)
    few = {name: steps(world, partial(read, world, me, middle)) for name, read in READS.items()}
    letter = partial(questionnaires.by_link, world, letters.link_token(world, desk.request.id))
    paper = partial(claims.claim, world, me, desk.lindqvist_claim.id)
    few |= {"link": steps(world, letter), "claim": steps(world, paper)}
    filled(world, desk, 500, 4_500)
    deep = Page(50, before=4_000)
    many = {name: steps(world, partial(read, world, me, deep)) for name, read in READS.items()}
    many |= {"link": steps(world, letter), "claim": steps(world, paper)}
    assert {name for name in few if many[name] > few[name] * 1.02} == set(), (few, many)


PAGES = (
    "/", "/notices", "/ledger", "/claims", "/claimants", "/questionnaires", "/chases", "/protests", "/events",
)  # fmt: skip


async def test_pages_cost_the_same_with_200_and_with_2_000_notices(
    nobody: Api, world: World, desk: Desk, facts: Facts
) -> None:
    mira = nobody.with_cookie(facts.mira)
    records = ("/claims/claim7", "/documents/document7", "/notices/notice7")
    paths = (*PAGES, *records, f"/claims/{desk.lindqvist_claim.id}", f"/documents/{desk.determination.id}")
    filled(world, desk, 0, 200)
    done_with(world)
    few = {path: await steps_of_page(mira, path) for path in paths}
    filled(world, desk, 200, 1_800)
    done_with(world)
    many = {path: await steps_of_page(mira, path) for path in paths}
    assert {path for path in few if many[path] > few[path] * 1.03} == set(), (few, many)


def done_with(world: World) -> None:
    """Answers and files what was added: what still wants doing may cost more where there is more of it."""
    with world.tx():
        world.con.execute("UPDATE cd_notices SET answered_at = 1, needs_human = 0 WHERE id LIKE 'notice%'")
        world.con.execute("UPDATE cd_fact_requests SET answered_at = 1 WHERE id LIKE 'factrequest%'")
        world.con.execute("UPDATE cd_drafts SET filed_at = 1 WHERE id LIKE 'draft%'")


async def steps_of_page(console: Api, path: str) -> int:
    """How many virtual machine steps SQLite takes for a page."""
    with counted(console.world) as taken:
        answer = await console.get(path)
    assert answer.status_code == 200, path
    return taken[0]
