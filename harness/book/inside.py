"""What the bundle of a rollout in a world shows: changed rows, requests, answer, transcript, pictures."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from fakes.core.journal import Change
from fakes.core.service import Service
from harness import facts
from harness.book.media import Listed, Medium, media_of
from harness.book.timeline import Timeline, timeline
from harness.book.transcript import NAME, Transcript, shortened, transcript_of
from harness.bundle import Bundle
from harness.deciding import deciding_row
from harness.evidence import End, Evidence, OpenEvidence
from harness.grade import Grade, Verdict
from harness.hiding import Hiding, secrets_of
from harness.portal.changed import TableChanges, changed_tables
from harness.task import Task

MOST_ROWS = 300


@dataclass(frozen=True)
class Decided:
    """The row that decided a refusal, as text; `anchor` is its place on the page, if it changed."""

    row: str
    anchor: str = ""


@dataclass(frozen=True)
class Inside:
    """What a rollout's page shows beside the archive's own words. `trouble` says why some of it is missing.

    `decided` are deciding rows by guard, `files` what a code task's solution changed: each name with the
    lines of its difference and what they are, with its `holds`. `known` are the world's secrets: what
    else the page says is to be printed without them.
    """

    told: str = ""
    changes: Sequence[TableChanges] = ()
    rows: int = 0
    decided: Mapping[str, Decided] | None = None
    timeline: Timeline | None = None
    refusals: Sequence[tuple[str, str]] = ()
    answer: str = ""
    trace: str = ""
    transcript: Transcript = Transcript(())
    media: Sequence[Medium] = ()
    listed: Sequence[Listed] = ()
    files: Sequence[tuple[str, Sequence[tuple[str, str]]]] = ()
    holds: Sequence[Verdict] = ()
    void: str = ""
    visible_tests: str = ""
    known: Sequence[str] = ()
    trouble: str = ""

    def deciding(self, anchor: str) -> list[str]:
        """The guards that a row decided, by its place on the page."""
        return [guard for guard, row in (self.decided or {}).items() if row.anchor == anchor]


def anchor(table: str, key: str) -> str:
    """The place of a row on a rollout's page."""
    return f"row-{hashlib.sha256(f'{table}/{key}'.encode()).hexdigest()[:10]}"


def outside(bundle: Bundle, hiding: Hiding, trouble: str = "") -> Inside:
    """What needs no world: the files that are kept for people."""
    media, listed = media_of(bundle.extras)
    return Inside(
        transcript=transcript_of(bundle.extras, hiding),
        media=media,
        listed=[each for each in listed if each.name != NAME],
        trouble=trouble,
    )


def inside(
    bundle: Bundle, task: Task, verdicts: Sequence[Verdict], services: Mapping[str, Service]
) -> Inside:
    """All that a bundle shows. Where its worlds can't be read, what is kept for people, and why.

    Secrets are those of its own world.
    """
    try:
        evidence = bundle.evidence(task, services)
        with OpenEvidence(evidence, services) as (before, after):
            end = End(before, after, evidence)
            known = [*secrets_of(after, end.requests), *secrets_of(before, end.requests)]
            hiding = Hiding(known)
            changes = [_hidden(change, hiding) for change in end.changes if end.judged(change.table)]
            return replace(
                outside(bundle, hiding),
                told=hiding.text(_told(task, evidence)),
                changes=changed_tables(after, changes[:MOST_ROWS]),
                rows=len(changes),
                decided=_decided(task, evidence, verdicts, changes, services),
                timeline=timeline(after, end.requests, end.changes, evidence.actors, hiding),
                refusals=[_refusal(refusal, hiding) for refusal in evidence.refusals],
                answer=shortened(hiding.text(_plain(evidence.answer))),
                trace=shortened(hiding.text(evidence.trace), 20_000),
                known=known,
            )
    except Exception as error:  # a bundle may come from anyone: whatever is wrong with it is told, not raised
        return outside(bundle, Hiding(), f"Its worlds can't be shown: {error}".rstrip(".") + ".")


def _hidden(change: Change, hiding: Hiding) -> Change:
    return replace(change, before=hiding.row(change.before), after=hiding.row(change.after))  # type: ignore[arg-type]


def _told(task: Task, evidence: Evidence) -> str:
    return task.text(evidence.facts)


def _decided(
    task: Task, evidence: Evidence, verdicts: Sequence[Verdict], changes: Sequence[Change],
    services: Mapping[str, Service],
) -> dict[str, Decided]:  # fmt: skip
    shown = {(change.table, change.key) for change in changes[:MOST_ROWS]}
    graded = Grade(tuple(verdicts))
    found = {}
    for verdict in verdicts:
        if verdict.state == "refused":
            place = deciding_row(task, evidence, graded, verdict.guard, services)
            if place is not None:
                key = ", ".join(map(str, place.key))
                there = (place.table, place.key) in shown
                at = anchor(place.table, key) if there else ""
                found[verdict.guard] = Decided(f"{place.table} {key}", at)
    return found


def _refusal(refusal: Mapping[str, Any], hiding: Hiding) -> tuple[str, str]:
    where = " ".join(str(refusal[name]) for name in ("method", "host", "path") if refusal.get(name))
    return hiding.text(where), hiding.text(str(refusal.get("reason", "")))


def _plain(answer: Any) -> str:
    if answer is None or isinstance(answer, str):
        return answer or ""
    return facts.dump(answer)
