"""Which rollouts are meant: of a run, of a model, of some days, of some tasks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time

from harness.archive.records import Records, Rollout, Run

MODEL = "model:"
DAY_MS = 86_400_000
_DAY = r"\d{4}-\d{2}-\d{2}"
_DAYS = re.compile(rf"({_DAY})?(\.\.)?({_DAY})?")


class UnknownSelection(LookupError):
    """Words that select nothing; the sentence says what could be said."""


@dataclass(frozen=True)
class Selection:
    """Rollouts of which all that is said here holds. `label` is what it is called, as it was written.

    `model` is what the run's driver is shown under; `since` and `until` are days of UTC, both included;
    `only` are environments or tasks.
    """

    label: str = "all"
    run: str | None = None
    model: str | None = None
    since: date | None = None
    until: date | None = None
    only: tuple[str, ...] = ()

    def of(self, records: Records) -> list[Rollout]:
        """The rollouts, oldest first."""
        runs = {run.id: run for run in records.runs if self._is_meant(run.id, run.driver.label)}
        return [
            each for each in records.rollouts
            if each.run in runs and self._is_within(each.begun_ms or runs[each.run].begun_ms)
            and (not self.only or each.task in self.only or each.task.partition("/")[0] in self.only)
        ]  # fmt: skip

    def _is_meant(self, run: str, label: str) -> bool:
        return self.run in (None, run) and self.model in (None, label)

    def _is_within(self, at_ms: int) -> bool:
        return (self.since is None or at_ms >= _midnight_ms(self.since)) and (
            self.until is None or at_ms < _midnight_ms(self.until) + DAY_MS
        )


def _midnight_ms(day: date) -> int:
    return int(datetime.combine(day, time(), UTC).timestamp()) * 1000


def find_run(runs: Sequence[Run], words: str) -> Run | None:
    """The run of that id, or of the number that its id begins with."""
    return next((run for run in runs if words in (run.id, run.id.partition("-")[0])), None)


def selection(
    words: str, records: Records, *, model: str | None = None, since: date | None = None,
    until: date | None = None, only: Sequence[str] = (),
) -> Selection:  # fmt: skip
    """What is meant by a run's id or number, model:NAME, a day, or days from..to (one of them may be left
    out), narrowed by whatever else is said.

    Raises UnknownSelection, also where no rollout is meant.
    """
    given = Selection(words, model=model, since=since, until=until, only=tuple(only))
    found = _narrowed(given, words, records)
    if not found.of(records):
        besides = " with what else is asked for" if given != Selection(words) else ""
        raise UnknownSelection(f"No rollout is meant by {words!r}{besides}; `paracosm runs list` has them.")
    return found


def _narrowed(given: Selection, words: str, records: Records) -> Selection:
    run = find_run(records.runs, words)
    if run is not None:
        return replace(given, run=run.id)
    if words.startswith(MODEL):
        name = words.removeprefix(MODEL)
        labels = sorted({run.driver.label for run in records.runs})
        if name not in labels:
            raise UnknownSelection(f"No run is of {name!r}; there are runs of {_listed(labels)}.")
        return replace(given, model=name)
    days = _DAYS.fullmatch(words)
    if days and any(days.group(1, 3)):
        first, dots, last = days.groups()
        since = parse_day(first) if first else None
        until = parse_day(last) if last else since if not dots else None
        return _both(given, since, until)
    newest = [run.id for run in records.runs[-5:]]
    raise UnknownSelection(
        f"There is no run {words!r}; say a run ({_listed(newest)}), {MODEL}NAME, or days such as "
        "2026-03-01..2026-03-31."
    )


def _both(given: Selection, since: date | None, until: date | None) -> Selection:
    """The days that both selections allow."""
    firsts = [day for day in (given.since, since) if day]
    lasts = [day for day in (given.until, until) if day]
    return replace(given, since=max(firsts, default=None), until=min(lasts, default=None))


def parse_day(text: str) -> date:
    """A civil date, YYYY-MM-DD. Raises UnknownSelection."""
    try:
        if not re.fullmatch(_DAY, text, re.ASCII):
            raise ValueError
        return date.fromisoformat(text)
    except ValueError:
        raise UnknownSelection(f"A day is YYYY-MM-DD, not {text!r}.") from None


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names) or "none yet"
