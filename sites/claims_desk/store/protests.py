"""Protests of notices: drafted, edited, filed."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from fakes.core.world import World
from sites.claims_desk import rules
from sites.claims_desk.errors import AlreadyDrafted, AlreadyFiled, Invalid
from sites.claims_desk.schema import Claim, Draft, Notice, Operator
from sites.claims_desk.store import events, webhooks
from sites.claims_desk.store.notices import NoticeView, notice
from sites.claims_desk.store.reading import FIRST, Page, marks, newest, own


@dataclass(frozen=True)
class DraftView:
    """A protest with the notice that it protests."""

    draft: Draft
    about: NoticeView


def drafts(world: World, me: Operator, page: Page = FIRST) -> list[Draft]:
    """The tenant's protests, newest first, filed ones too."""
    return newest(world, Draft, me, page)


def of_notices(world: World, me: Operator, notice_ids: Collection[str]) -> dict[str, Draft]:
    """The protests of these notices, by the notice's id; the first one where there are several."""
    tail = f"WHERE notice_id IN ({marks(notice_ids)}) AND +tenant_id = ? ORDER BY +seq DESC"
    return {draft.notice_id: draft for draft in world.all(Draft, tail, (*notice_ids, me.tenant_id))}


def unfiled(world: World, me: Operator) -> list[Draft]:
    """The protests that are not filed yet, newest first."""
    return world.all(Draft, "WHERE tenant_id = ? AND filed_at IS NULL ORDER BY +seq DESC", (me.tenant_id,))


def draft(world: World, me: Operator, id: str) -> DraftView:
    """One protest. Raises NotFound."""
    found = own(world, Draft, me, "draft", id)
    return DraftView(found, notice(world, me, found.notice_id))


def open_draft(
    world: World, me: Operator, notice_id: str, title: str | None = None, body: str | None = None
) -> Draft:
    """Opens a protest of a notice, with a title and a first sentence if none are given.

    Raises NotFound, AlreadyDrafted, Invalid.
    """
    about = notice(world, me, notice_id)
    if world.one(Draft, "WHERE notice_id = ? AND +tenant_id = ?", (notice_id, me.tenant_id)):
        raise AlreadyDrafted("This notice has a protest already. Edit that one.", "notice_id")
    title = _said(title, "title") if title is not None else _title(about)
    with world.tx() as tx:
        made = tx.insert(Draft(
            id=tx.new_id("cd_draft", prefix="dft_"), seq=tx.seq("cd_draft"), tenant_id=me.tenant_id,
            notice_id=about.notice.id, claim_id=about.notice.claim_id, title=title,
            body=body if body is not None else _first_sentence(about), status="draft", created_at=world.now(),
            created_by=me.email, updated_at=world.now(), filed_at=None, filed_by=None,
        ))  # fmt: skip
        events.by(tx, world, me, "protest.opened", made.id, f"{made.title} opened")
    return made


def edit_draft(
    world: World, me: Operator, id: str, title: str | None = None, body: str | None = None
) -> Draft:
    """Sets the title, the body or both (None: as it is). Raises NotFound, AlreadyFiled, Invalid."""
    found = _unfiled(world, me, id)
    if title is None and body is None:
        raise Invalid("There is nothing to change here. Give a title or a body.", "body")
    with world.tx() as tx:
        edited = tx.update(
            found,
            title=found.title if title is None else _said(title, "title"),
            body=found.body if body is None else body,
            updated_at=world.now(),
        )
        events.by(tx, world, me, "protest.edited", edited.id, f"{edited.title} edited")
    return edited


def file_draft(world: World, me: Operator, id: str) -> Draft:
    """Files a protest; its claim, if open, becomes protested. Raises NotFound, AlreadyFiled, Invalid."""
    found = _unfiled(world, me, id)
    _said(found.body, "body")
    with world.tx() as tx:
        filed = tx.update(found, status="filed", filed_at=world.now(), filed_by=me.email)
        claim = world.one(Claim, "WHERE id = ? AND tenant_id = ?", (found.claim_id, me.tenant_id))
        if claim is not None and claim.status == "open":
            tx.update(claim, status="protested")
        events.by(tx, world, me, "protest.filed", filed.id, f"{filed.title} filed{_late(world, filed)}")
        webhooks.tell(tx, world, me.tenant_id, "protest.filed", filed)
    return filed


def _unfiled(world: World, me: Operator, id: str) -> Draft:
    found = own(world, Draft, me, "draft", id)
    if found.filed_at is not None:
        raise AlreadyFiled("This protest was filed, so it stays as it is.")
    return found


def _said(text: str, field: str) -> str:
    if not text.strip():
        raise Invalid(f"The {field} is blank. Write one first.", field)
    return text.strip()


def _late(world: World, filed: Draft) -> str:
    protested = world.get(Notice, filed.notice_id)
    due = protested.due_computed if protested else None
    return f", after the last day {due.isoformat()}" if due is not None and world.today() > due else ""


def _title(about: NoticeView) -> str:
    whose = about.claimant.name if about.claimant else "a former employee"
    what = rules.type_words(about.notice.type).lower()
    return f"Protest of the {what} from {rules.state_words(about.notice.state)}, {whose}"


def _first_sentence(about: NoticeView) -> str:
    notice = about.notice
    dated = f" dated {notice.notice_date.isoformat()}" if notice.notice_date else ""
    number = f" on claim {about.claim.number}" if about.claim else ""
    what = rules.type_words(notice.type).lower()
    return f"The employer protests the {what}{dated}{number} for these reasons:\n\n"
