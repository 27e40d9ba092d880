"""Notices that state agencies mailed: recorded against a claim, with the deadline that the rules give."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from typing import Any

from fakes.core.journal import Tx
from fakes.core.world import World
from sites.claims_desk import rules
from sites.claims_desk.errors import (
    AlreadyAnswered,
    AlreadyRecorded,
    ClaimantUnclear,
    IdentifiersDisagree,
    Invalid,
    NotFlagged,
    NotFound,
    UnreadablePaper,
)
from sites.claims_desk.schema import Claim, Claimant, Document, Notice, Operator
from sites.claims_desk.store import events, ledger, webhooks
from sites.claims_desk.store.claims import claimant_of, claims_of, numbered, open_claim
from sites.claims_desk.store.reading import FIRST, Page, columns, marks, own, split

_FROM = """
FROM cd_notices n
LEFT JOIN cd_claims c ON c.id = n.claim_id AND c.tenant_id = n.tenant_id
LEFT JOIN cd_claimants p ON p.id = n.claimant_id AND p.tenant_id = n.tenant_id
LEFT JOIN cd_documents d ON d.id = n.document_id AND d.tenant_id = n.tenant_id"""
_WHOLE = ", ".join(map(columns, (Notice, Claim, Claimant, Document), "ncpd"))
_JOINED = f"SELECT {_WHOLE} {_FROM}"
_SELECT = f"{_JOINED} WHERE n.tenant_id = ?"
_VALUES = f"""SELECT {columns(Notice, "n")}, {columns(Claimant, "p")}, c.number, d.name {_FROM}
WHERE n.tenant_id = ? AND n.seq < ? ORDER BY n.seq DESC LIMIT ?"""

_SHOWN: dict[str, tuple[str, tuple[str, ...]]] = {
    "": ("", ()),
    "human": ("AND n.needs_human > 0", ()),
    "disagree": ("AND n.due_disagreement > 0", ()),
}

_WANTED = """ AND n.answered_at IS NULL AND (n.due_computed <= ? OR n.printed_due <= ?)
AND coalesce(c.status, '') NOT IN ('closed', 'lost', 'won')
AND NOT EXISTS (SELECT 1 FROM cd_drafts f
  WHERE f.notice_id = n.id AND +f.tenant_id = n.tenant_id AND f.filed_at IS NOT NULL)
ORDER BY +n.seq DESC"""


@dataclass(frozen=True)
class NoticeInput:
    """What an operator reads off a paper; with none of the three identifiers a new claim is opened."""

    type: str
    state: str
    document_id: str
    notice_date: date | None = None
    mail_date: date | None = None
    printed_due: date | None = None
    claim_id: str | None = None
    claim_number: str | None = None
    claimant_id: str | None = None


@dataclass(frozen=True)
class NoticeView:
    """A notice with what it is about; each is None where there is none."""

    notice: Notice
    claim: Claim | None
    claimant: Claimant | None
    document: Document | None


@dataclass(frozen=True)
class Deadline:
    """What the engine says of a notice's dates: the `due_*` columns, and why a person has to look, if so."""

    computed: date | None
    rule: str | None
    disagreement: bool | None
    reason: str | None


def notices(world: World, me: Operator, page: Page = FIRST, show: str = "") -> list[NoticeView]:
    """The tenant's notices, newest first; `show` narrows them to "human", "disagree" or a type."""
    narrowed, of_type = _SHOWN.get(show, ("AND n.type = ?", (show,)))
    sql = f"{_SELECT} AND n.seq < ? {narrowed} ORDER BY n.seq DESC LIMIT ?"
    found = world.select(sql, (me.tenant_id, page.end, *of_type, page.limit))
    return [_view(values) for values in found]


def notice_values(world: World, me: Operator, page: Page = FIRST) -> list[tuple[Any, ...]]:
    """The same notices as stored values, for a list that is only shown.

    Each has the columns of the notice, those of its claimant, the claim's number and the paper's name.
    """
    return world.select(_VALUES, (me.tenant_id, page.end, page.limit))


def wanted_by(world: World, me: Operator, day: date) -> list[NoticeView]:
    """Notices with a last day, computed or printed, no later than `day` that still want an answer.

    Those do not that are answered, whose protest is filed, or whose claim is over. Newest first.
    """
    return [_view(values) for values in world.select(_SELECT + _WANTED, (me.tenant_id, day, day))]


def flagged(world: World, me: Operator) -> list[NoticeView]:
    """The notices that need a human, newest first."""
    sql = f"{_SELECT} AND n.needs_human > 0 ORDER BY +n.seq DESC"
    return [_view(values) for values in world.select(sql, (me.tenant_id,))]


def of_ids(world: World, me: Operator, ids: Collection[str]) -> dict[str, NoticeView]:
    """These notices, by their ids."""
    sql = f"{_JOINED} WHERE n.id IN ({marks(ids)}) AND +n.tenant_id = ?"
    views = [_view(values) for values in world.select(sql, (*ids, me.tenant_id))]
    return {view.notice.id: view for view in views}


def recorded_from(world: World, me: Operator, document_ids: Collection[str]) -> dict[str, str]:
    """The notices that were recorded from these papers, by the paper's id; the first where there are several.
    """
    sql = f"""SELECT document_id, id FROM cd_notices
    WHERE document_id IN ({marks(document_ids)}) AND +tenant_id = ? ORDER BY +seq DESC"""
    return dict(world.select(sql, (*document_ids, me.tenant_id)))


def notice(world: World, me: Operator, id: str) -> NoticeView:
    """One notice. Raises NotFound."""
    found = world.select(f"{_SELECT} AND n.id = ?", (me.tenant_id, id))
    if not found:
        raise NotFound("notice", id)
    return _view(found[0])


def _view(values: tuple[object, ...]) -> NoticeView:
    return NoticeView(*split(values, (Notice, Claim, Claimant, Document))[0])


def record_notice(world: World, me: Operator, given: NoticeInput) -> Notice:
    """Records a paper as a notice and computes by when to answer it.

    With no identifier of a claim or claimant the desk opens a new claim for whom the document names.
    Raises NotFound, AlreadyRecorded, IdentifiersDisagree, ClaimantUnclear, UnreadablePaper, Invalid.
    """
    _known_state(given.state)
    paper = ledger.document(world, me, given.document_id, "document_id")
    if world.one(Notice, "WHERE document_id = ? AND +tenant_id = ?", (paper.id, me.tenant_id)):
        raise AlreadyRecorded(f"{paper.name!r} is recorded already. Open its notice instead.", "document_id")
    due = deadline(given.state, given.type, given.notice_date, given.mail_date, given.printed_due)
    with world.tx() as tx:
        claim, claimant = _subject(tx, world, me, given)
        made = tx.insert(Notice(
            id=tx.new_id("cd_notice", prefix="ntc_"), seq=tx.seq("cd_notice"), tenant_id=me.tenant_id,
            claim_id=claim.id, claimant_id=claimant.id, document_id=paper.id, type=given.type,
            state=given.state, notice_date=given.notice_date, mail_date=given.mail_date,
            printed_due=given.printed_due, due_computed=due.computed, due_rule=due.rule,
            due_disagreement=due.disagreement, needs_human=due.reason is not None,
            needs_human_reason=due.reason, flagged_by=None, recorded_at=world.now(), recorded_by=me.email,
            answered_at=None,
        ))  # fmt: skip
        note_recorded(tx, world, me, made, claim, claimant)
    return made


def note_recorded(
    tx: Tx, world: World, me: Operator, made: Notice, claim: Claim, claimant: Claimant | None
) -> None:
    """Logs that a notice was recorded, in the caller's transaction."""
    whose = f"{claimant.name}'s claim" if claimant else "claim"
    summary = f"{said(made)} recorded on {whose} {claim.number}"
    events.by(tx, world, me, "notice.recorded", made.id, summary)
    webhooks.tell(tx, world, me.tenant_id, "notice.recorded", made)
    if made.needs_human:  # its dates disagree, or it has none that counts
        webhooks.tell(tx, world, me.tenant_id, "notice.flagged", made)


def said(notice: Notice) -> str:
    """What a notice is, in words: "Hearing decision from Ohio"."""
    return f"{rules.type_words(notice.type)} from {rules.state_words(notice.state)}"


def deadline(
    state: str, type: str, notice_date: date | None, mail_date: date | None, printed_due: date | None
) -> Deadline:
    """What the rules give for these dates. Raises Invalid for a type that is none and for an impossible date.

    A date that the paper does not state, or a state without rules, leaves no deadline but a person's reason.
    """
    try:
        due = rules.compute(state, rules.notice_type(type), notice_date, mail_date)
    except rules.UnknownType as error:
        raise Invalid(str(error), "type") from None
    except rules.DateOutOfRange as error:
        raise Invalid(str(error), rules.rule_for(state, type).counted_from) from None
    except (rules.MissingDate, rules.UnknownState) as error:
        return Deadline(None, None, None, str(error))
    reason = rules.disagreement(due.date, printed_due)
    return Deadline(due.date, f"{due.explanation} {due.rule.source}", reason is not None, reason)


def _known_state(state: str) -> None:
    try:
        rules.state_name(state)
    except rules.UnknownState as error:
        raise Invalid(str(error), "state") from None


# whose notice it is


def _subject(tx: Tx, world: World, me: Operator, given: NoticeInput) -> tuple[Claim, Claimant]:
    """The claim and claimant that the identifiers name, or those that the document makes necessary."""
    claim = _claim_named(world, me, given)
    claimant = (
        own(world, Claimant, me, "claimant", given.claimant_id, "claimant_id") if given.claimant_id else None
    )
    if claim is None:
        claimant = claimant or _claimant_on_paper(world, me, given)
        claim = _only_claim(world, me, given, claimant) if given.claimant_id else None
        return claim or open_claim(tx, world, me, claimant, given.state), claimant
    if claimant is not None and claimant.id != claim.claimant_id:
        raise IdentifiersDisagree(
            f"Claim {claim.number} is not {claimant.name}'s. Give whom the paper names.",
            "claimant_id",
        )
    if claim.state != given.state:
        raise IdentifiersDisagree(
            f"Claim {claim.number} is a claim in {claim.state}, not in {given.state}. Read the paper again.",
            "state",
        )
    claimant = claimant_of(world, me, claim.claimant_id)
    if claimant is None:
        raise ClaimantUnclear(f"Claim {claim.number} names no claimant on file.", "claim_id")
    return claim, claimant


def _claim_named(world: World, me: Operator, given: NoticeInput) -> Claim | None:
    by_id = own(world, Claim, me, "claim", given.claim_id, "claim_id") if given.claim_id else None
    if not given.claim_number:
        return by_id
    found = numbered(world, me, given.claim_number)
    if not found:
        raise NotFound("claim", given.claim_number, "claim_number")
    if by_id is not None:
        if by_id.id not in {claim.id for claim in found}:
            raise IdentifiersDisagree(
                f"Claim {by_id.id!r} has the number {by_id.number}, not {given.claim_number}. Give one.",
                "claim_number",
            )
        return by_id
    if len(found) > 1:
        raise ClaimantUnclear(
            f"{len(found)} claims have the number {given.claim_number}. Give a claim_id.", "claim_number"
        )
    return found[0]


def _only_claim(world: World, me: Operator, given: NoticeInput, claimant: Claimant) -> Claim | None:
    there = [claim for claim in claims_of(world, me, claimant.id) if claim.state == given.state]
    if len(there) > 1:
        numbers = ", ".join(claim.number for claim in there)
        raise ClaimantUnclear(
            f"{claimant.name} has the claims {numbers} in {given.state}. Give a claim_id.", "claimant_id"
        )
    return there[0] if there else None


def _claimant_on_paper(world: World, me: Operator, given: NoticeInput) -> Claimant:
    printed = _printed(world, me, given.document_id)
    name = " ".join(printed.claimant_name.casefold().split())
    there = world.all(Claimant, "WHERE tenant_id = ? AND ssn_last4 = ?", (me.tenant_id, printed.ssn_last4))
    named = [claimant for claimant in there if " ".join(claimant.name.casefold().split()) == name]
    if len(named) != 1:
        fit = "Nobody on file fits" if not named else f"{len(named)} claimants on file fit"
        raise ClaimantUnclear(
            f"{fit} {printed.claimant_name}, SSN ending {printed.ssn_last4}, as the document prints. "
            "Give a claimant_id.",
            "document_id",
        )
    return named[0]


def _printed(world: World, me: Operator, document_id: str) -> rules.NoticeFacts:
    try:
        return rules.read_notice(ledger.text_of(world, me, document_id) or "")
    except rules.NotANotice as error:
        raise UnreadablePaper(
            f"No claim or claimant was given, and the document names none: {error} Or give a claim_id.",
            "document_id",
        ) from None


# answers and flags


def mark_answered(world: World, me: Operator, notice_id: str) -> Notice:
    """Notes that the agency has its answer, which is sent outside the desk; its deadline is counted no more.

    Raises NotFound, AlreadyAnswered.
    """
    found = own(world, Notice, me, "notice", notice_id)
    if found.answered_at is not None:
        raise AlreadyAnswered("This notice is marked as answered already. There is nothing left to do.")
    with world.tx() as tx:
        answered = tx.update(found, answered_at=world.now())
        events.by(tx, world, me, "notice.answered", found.id, f"{said(found)} marked as answered")
    return answered


def flag_for_human(world: World, me: Operator, notice_id: str, reason: str) -> Notice:
    """Marks a notice for a person; a reason that stands already is kept. Raises NotFound, Invalid."""
    found = own(world, Notice, me, "notice", notice_id)
    why = reason.strip()
    if not why:
        raise Invalid("A flag never stands without a reason. Say why a person has to look.", "reason")
    if found.needs_human and found.needs_human_reason:
        why = f"{found.needs_human_reason} {why}"
    with world.tx() as tx:
        flagged = tx.update(found, needs_human=True, needs_human_reason=why, flagged_by=me.email)
        events.by(tx, world, me, "notice.flagged", found.id, f"Flagged for a person: {reason.strip()}")
        webhooks.tell(tx, world, me.tenant_id, "notice.flagged", flagged)
    return flagged


def clear_flag(world: World, me: Operator, notice_id: str) -> Notice:
    """Takes the flag and its reason down. Raises NotFound, NotFlagged."""
    found = own(world, Notice, me, "notice", notice_id)
    if not found.needs_human:
        raise NotFlagged("This notice is not flagged. There is nothing to clear.")
    with world.tx() as tx:
        cleared = tx.update(found, needs_human=False, needs_human_reason=None, flagged_by=None)
        events.by(tx, world, me, "notice.cleared", found.id, "Flag for a person taken down")
    return cleared
