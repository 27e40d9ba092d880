"""`paracosm runs export`: a run as JSON or CSV, its requests as HAR files, its bundles."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from harness.cli.chosen import MEANT, Data, Only, records_in, select
from harness.cli.dial import DATA
from harness.cli.words import Failed, WrongUse

if TYPE_CHECKING:
    from harness.archive.exporting import Exported

EXAMPLE = "Example: paracosm runs export 3-petite --as csv --out petite.csv"


class As(StrEnum):
    """What is exported."""

    json = "json"
    csv = "csv"
    har = "har"
    bundles = "bundles"


def export(
    run: Annotated[str, typer.Argument(metavar="RUN", help=MEANT)],
    kind: Annotated[As, typer.Option("--as", help="What to write.")] = As.json,
    out: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="A file; of har and bundles a folder. Else stdout, or RUN-KIND."),
    ] = None,
    only: Only = None,
    data: Data = DATA,
) -> None:
    """Export a run: all of it as JSON, a line a rollout as CSV, requests as HAR files, or its bundles.

    HAR files hold no secrets. Bundles hold those of their worlds, and are what `grade` takes.
    """
    from harness.archive import exporting

    records = records_in(data)
    selected, folder = select(records, run, only=only), out or _folder(run, kind)
    try:
        if kind is As.json:
            _give(json.dumps(exporting.as_json(records, selected), indent=2, ensure_ascii=False) + "\n", out)
        elif kind is As.csv:
            _give(exporting.as_csv(records, selected), out)
        elif kind is As.har:
            _tell(exporting.write_hars(data, selected, folder), folder)
        else:
            _tell(exporting.write_bundles(data, records, selected, folder), folder)
    except OSError as error:
        raise WrongUse(f"{error.filename or out} can't be written: {error.strerror}.") from None


def _folder(run: str, kind: As) -> Path:
    from harness.archive.places import slug_of

    return Path(f"{slug_of(run)}-{kind}")


def _give(text: str, out: Path | None) -> None:
    from harness.archive.exporting import encoded

    if out is None:
        print(encoded(text).decode(), end="")
    else:
        out.write_bytes(encoded(text))
        print(out)


def _tell(done: Exported, folder: Path) -> None:
    from harness.cli import show

    for sentence in done.told:
        show.line(show.console(stderr=True), sentence)
    print(f"{len(done.files)} files in {folder}")
    if not done.files:
        raise Failed("Nothing was exported.")
