"""`paracosm fault`: plans failures of a world, lists them, takes them back."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from harness.cli.dial import DATA, DATA_VARIABLE, running_server, world_path
from harness.cli.words import WrongUse

EXAMPLE = 'Example: paracosm fault --service gmail --route "POST */messages/send" --answer 503 --times 2'


def fault(
    world: Annotated[str, typer.Option(help="The world's name.")] = "main",
    service: Annotated[str | None, typer.Option(help="For requests to this service.")] = None,
    route: Annotated[
        str | None,
        typer.Option(
            metavar="ROUTE", help='For this path or template, "*" for any letters; a method may come first.'
        ),
    ] = None,
    person: Annotated[
        str | None, typer.Option("--as", metavar="EMAIL", help="For requests with this person's credential.")
    ] = None,
    lease: Annotated[str | None, typer.Option(help="For requests of this browser or client.")] = None,
    answer: Annotated[
        str | None,
        typer.Option(metavar="ANSWER", help="401, 403, 429, 500, 502, 503, 504, hang-up or cut."),
    ] = None,
    late: Annotated[
        str | None, typer.Option(metavar="TIME", help="Hold the answer for 30s, 5m … of the run clock.")
    ] = None,
    kept: Annotated[
        bool, typer.Option("--kept", help="Only where something was written, which stays.")
    ] = False,
    retry_after: Annotated[int | None, typer.Option(metavar="SECONDS", help="What Retry-After says.")] = None,
    after: Annotated[int | None, typer.Option(help="How many requests pass first.")] = None,
    times: Annotated[int | None, typer.Option(help="How many are struck; 1 if it is not said.")] = None,
    clear: Annotated[bool, typer.Option("--clear", help="Take back all faults of the world.")] = False,
    data: Annotated[Path, typer.Option(envvar=DATA_VARIABLE, help="The data folder of the server.")] = DATA,
) -> None:
    """Plan a failure of a world: what its next requests get instead of their answer.

    Counted, never timed. `hang-up` closes the connection without an answer, `cut` in the middle of it.
    Without options it lists what is planned. A reset takes back what was planned by hand.
    """
    wanted = {
        "service": service, "route": route, "person": person, "lease": lease, "answer": answer, "late": late,
        "kept": kept or None, "retry_after": retry_after, "after": after, "times": times,
    }  # fmt: skip
    asked = any(value is not None for value in wanted.values())
    if clear and asked:
        raise WrongUse("--clear goes alone, with --world at most.")
    control, path = running_server(data), world_path(world, "faults")
    if asked:
        print(_line(control.post(path, **wanted)))
        return
    found = control.get(path)["faults"]
    for each in found:
        if clear:
            control.delete(f"{path}/{each['id']}")
        else:
            print(_line(each))
    if clear:
        print(f"{len(found)} taken back." if found else f"World {world} had no faults.")
    elif not found:
        print(f"World {world} has no faults.")


def _line(each: dict[str, Any]) -> str:
    return f"{each['id']}  {each['said']}"
