"""Which rollouts of the archive a `runs` command is about: what its arguments and options say."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from harness.cli.dial import DATA_VARIABLE
from harness.cli.words import WrongUse

if TYPE_CHECKING:
    from harness.archive.records import Records, Rollout

MEANT = "A run's id or number, model:NAME, a day, or days FROM..TO, one of them may be left out."
Data = Annotated[Path, typer.Option(envvar=DATA_VARIABLE, help="The folder whose archive is read.")]
Model = Annotated[str | None, typer.Option("--model", metavar="NAME", help="Only runs of this one.")]
Since = Annotated[str | None, typer.Option(metavar="YYYY-MM-DD", help="Only rollouts from this day on, UTC.")]
Until = Annotated[str | None, typer.Option(metavar="YYYY-MM-DD", help="Only rollouts up to this day.")]
Only = Annotated[
    list[str] | None, typer.Option("--only", metavar="ENV[/TASK]", help="Only these; may be repeated.")
]


def records_in(data: Path) -> Records:
    """All of the archive of a data folder. Raises WrongUse."""
    from harness.archive.places import archive_in
    from harness.archive.store import ArchiveError, read

    try:
        return read(archive_in(data))
    except ArchiveError as error:
        raise WrongUse(error.args[0]) from None


def select(
    records: Records, words: str, *, model: str | None = None, since: str | None = None,
    until: str | None = None, only: Sequence[str] | None = None,
) -> list[Rollout]:  # fmt: skip
    """The rollouts that are meant, one at least. Raises WrongUse."""
    from harness.archive.selecting import UnknownSelection, parse_day, selection

    try:
        first, last = (parse_day(day) if day else None for day in (since, until))
        found = selection(words, records, model=model, since=first, until=last, only=tuple(only or ()))
    except UnknownSelection as error:
        raise WrongUse(error.args[0]) from None
    return found.of(records)
