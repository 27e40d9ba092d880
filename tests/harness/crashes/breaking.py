"""Stores that are broken on purpose: an enumeration that can't tell them from the real one proves nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fakes.core.world import World
from sites.claims_desk.schema import FactRequest, Notice, Operator
from sites.claims_desk.store import events, notices, questionnaires, webhooks


def _nothing() -> None:
    """The real store."""


def _told_after_the_commit() -> None:
    """Recording a notice commits, and only then puts the event into the outbox."""
    record, tell = notices.record_notice, webhooks.tell

    def broken(world: World, me: Operator, given: Any) -> Notice:
        webhooks.tell = lambda *args, **more: None
        try:
            made = record(world, me, given)
        finally:
            webhooks.tell = tell
        with world.tx() as tx:
            tell(tx, world, me.tenant_id, "notice.recorded", made)
        return made

    notices.record_notice = broken


def _written_in_two() -> None:
    """A flag is set in one transaction, and the desk's log told in another."""

    def broken(world: World, me: Operator, notice_id: str, reason: str) -> Notice:
        found = world.get(Notice, notice_id)
        assert found is not None
        with world.tx() as tx:
            flagged = tx.update(found, needs_human=True, needs_human_reason=reason, flagged_by=me.email)
        with world.tx() as tx:
            events.by(tx, world, me, "notice.flagged", found.id, "Flagged")
        return flagged

    notices.flag_for_human = broken


def _past_the_journal() -> None:
    """A flag is set by a raw write that no transaction of ours knows of."""

    def broken(world: World, me: Operator, notice_id: str, reason: str) -> Notice:
        with world.kernel_write():
            world.con.execute("UPDATE cd_notices SET needs_human = 1 WHERE id = ?", (notice_id,))
        found = world.get(Notice, notice_id)
        assert found is not None
        return found

    notices.flag_for_human = broken


def _written_later() -> None:
    """A flag is answered, kept in memory, and written with the next questionnaire."""
    flag, ask, waiting = notices.flag_for_human, questionnaires.open_fact_request, list[tuple[Any, ...]]()

    def broken(world: World, me: Operator, notice_id: str, reason: str) -> Notice:
        waiting.append((me, notice_id, reason))
        found = world.get(Notice, notice_id)
        assert found is not None
        return found

    def broken_ask(world: World, me: Operator, claim_id: str, state: str, category: str) -> FactRequest:
        with world.tx():
            while waiting:
                flag(world, *waiting.pop())
            return ask(world, me, claim_id, state, category)

    notices.flag_for_human = broken
    questionnaires.open_fact_request = broken_ask


BREAKS: dict[str, Callable[[], None]] = {
    "": _nothing,
    "told after the commit": _told_after_the_commit,
    "written in two": _written_in_two,
    "past the journal": _past_the_journal,
    "written later": _written_later,
}
