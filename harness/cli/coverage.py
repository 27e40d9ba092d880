"""`paracosm coverage`: which methods of each vendor's API are faked."""

from __future__ import annotations

from typing import Annotated

import typer

from harness.cli.words import WrongUse

EXAMPLE = "Example: paracosm coverage gmail"


def coverage(
    service: Annotated[
        str | None, typer.Argument(metavar="SERVICE", help="One fake; all, if none is said.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print it as JSON.")] = False,
    readmes: Annotated[
        bool, typer.Option("--readmes", help="Write the table in fakes/SERVICE/README.md instead.")
    ] = False,
) -> None:
    """Show which methods of each vendor's API are faked.

    The vendor's methods are those of its own discovery document, where its client package is installed.
    """
    import json

    from harness import coverage as measured
    from harness.app import discover_services
    from harness.cli import show

    if readmes and as_json:
        raise WrongUse("--readmes writes files: leave --json away.")
    found = measured.covered(discover_services().values())
    if service is not None:
        if service not in found:
            raise WrongUse(f"No API of {service!r} is faked. There are: {', '.join(sorted(found))}.")
        found = {service: found[service]}
    if as_json:
        print(json.dumps(measured.as_json(found), indent=2))
        return
    console = show.console()
    if readmes:
        try:
            for path in measured.write(found):
                show.line(console, str(path))
        except OSError as error:
            raise WrongUse(f"{error.filename} can't be written: {error.strerror}.") from None
        return
    for name, each in found.items():
        console.print(show.coverage_table(name, measured.rows(each)))
        show.line(console, f"{len(each.faked)} of {len(each.methods)} methods of {name} faked", "bold")
