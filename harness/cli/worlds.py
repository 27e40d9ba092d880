"""Commands about the worlds of a running server: `seed`, `people`, `token`, `portal`."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from harness.cli.dial import DATA, DATA_VARIABLE, running_server, world_path
from harness.cli.words import WrongUse

SEED_EXAMPLE = "Example: paracosm seed --world trial --scenario office --date 2025-10-21 --seed 7"
PEOPLE_EXAMPLE = "Example: paracosm people --world main"
TOKEN_EXAMPLE = "Example: paracosm token --world main --as mira@harborlight.example --service gmail"
STATUS_EXAMPLE = "Example: paracosm status"
SAVE_EXAMPLE = "Example: paracosm save --world main --as after_the_audit"
PORTAL_EXAMPLE = "Example: paracosm portal"

Data = Annotated[Path, typer.Option(envvar=DATA_VARIABLE, help="The data folder of the server.")]
World = Annotated[str, typer.Option(help="The world's name.")]


class Mode(StrEnum):
    """How a world's clock goes."""

    frozen = "frozen"
    stepping = "stepping"
    running = "running"


def seed(
    world: Annotated[str, typer.Option(help="The world to make, or to make anew.")],
    scenario: Annotated[str, typer.Option(help="What to seed it from: a folder of scenarios/.")],
    date: Annotated[
        str | None,
        typer.Option(metavar="YYYY-MM-DD", help="Its first day, from 09:30; now, if none is said."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Another seed, another instance of the scenario.")] = 1,
    clock: Annotated[Mode, typer.Option(help="How its clock goes.")] = Mode.running,
    data: Data = DATA,
) -> None:
    """Seed a world of the running server.

    A world of that name is replaced. Prints the hash of the state that it starts with.
    """
    made = running_server(data).post(
        "/worlds", name=world, scenario=scenario, seed=seed, at=date or "now", mode=clock.value, replace=True
    )
    print(f"World {made['name']} is seeded from {made['scenario']}, at {made['clock']['at']}.")
    print(f"hash {made['pristine_hash']}")


def people(
    world: World = "main",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    data: Data = DATA,
) -> None:
    """List a world's people and their passwords."""
    found = running_server(data).get(world_path(world, "people"))["people"]
    if as_json:
        import json

        print(json.dumps(found, ensure_ascii=False, indent=2))
        return
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    columns = ("email", "name", "title", "password")
    table = Table(*columns, box=SIMPLE_HEAD)
    for person in found:
        table.add_row(*(person[column] or "" for column in columns))
    console = Console()
    if not console.is_terminal:
        console.width = 200  # nothing is cut short in a pipe
    console.print(table)


def token(
    email: Annotated[str, typer.Option("--as", metavar="EMAIL", help="Whose token.")],
    service: Annotated[str, typer.Option(help="For which service, such as gmail.")],
    world: World = "main",
    data: Data = DATA,
) -> None:
    """Print a person's bearer token, and nothing else.

    The token is for one service of one world.
    """
    path = world_path(world, "tokens")
    print(running_server(data).post(path, email=email, service=service)["token"])


def save(
    name: Annotated[str, typer.Option("--as", metavar="NAME", help="What the new scenario is called.")],
    world: World = "main",
    data: Data = DATA,
) -> None:
    """Save a world as a seed: scenarios/NAME/seed.yaml in this folder, with the rows as they are now.

    `paracosm seed --scenario NAME` makes worlds of it, from the instant at which it was saved.
    """
    from harness.fields import BadInput
    from harness.seedfile import write_scenario

    text = running_server(data).get(world_path(world, "seed"))["yaml"]
    try:
        print(write_scenario(text, name, Path.cwd()))
    except BadInput as error:
        raise WrongUse(str(error)) from None


def status(data: Data = DATA) -> None:
    """Say where the running server is, and its worlds; exit code 2 when none answers."""
    server = running_server(data)
    found = server.get("/worlds")["worlds"]
    print(f"ready {server.url}")
    for each in found:
        print(f"{each['name']}: {each['scenario']}, {each['clock']['mode']} at {each['clock']['at']}")


def portal(data: Data = DATA) -> None:
    """Print a fresh one-time link to the portal."""
    print(running_server(data).post("/portal")["url"])
