"""`paracosm env` and `paracosm exec`: a world's addresses and a person's tokens, for programs."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from harness.cli.dial import DATA, DATA_VARIABLE, running_server, world_path
from harness.cli.words import WrongUse

if TYPE_CHECKING:
    from harness.rails.environ import Entry

ENV_EXAMPLE = "Example: paracosm env --world main --as mira@harborlight.example --format dotenv"
EXEC_EXAMPLE = "Example: paracosm exec --world main --as mira@harborlight.example -- python my_bot.py"
EXEC_SETTINGS = {"allow_interspersed_args": False}
"""From the program on, every word is the program's."""

Email = Annotated[str, typer.Option("--as", metavar="EMAIL", help="Whose tokens.")]
World = Annotated[str, typer.Option(help="The world's name.")]
Only = Annotated[
    str | None, typer.Option(help="For this service alone, such as gmail; else for all of theirs.")
]
Data = Annotated[Path, typer.Option(envvar=DATA_VARIABLE, help="The data folder of the server.")]


class Format(StrEnum):
    """How variables are written."""

    shell = "shell"
    dotenv = "dotenv"
    json = "json"


def env(
    email: Email,
    world: World = "main",
    service: Only = None,
    form: Annotated[
        Format, typer.Option("--format", help="Lines for a shell or an .env file, or a JSON object.")
    ] = Format.shell,
    data: Data = DATA,
) -> None:
    """Print what a person's programs need: base URLs and fresh tokens of the running server's world.

    GMAIL_BASE_URL, GMAIL_TOKEN and GMAIL_MCP_URL, and the same for each service at which they have an
    account. A shell takes them by eval "$(paracosm env …)".
    """
    print(written(variables_of(email, world, service, data), form))


def exec(
    command: Annotated[list[str], typer.Argument(metavar="PROGRAM", help="What to run, and its arguments.")],
    email: Email,
    world: World = "main",
    service: Only = None,
    data: Data = DATA,
) -> None:
    """Run a program with your environment and what `paracosm env` prints.

    The program takes this process's place, so signals reach it and its exit code is the command's.
    """
    import os

    variables = variables_of(email, world, service, data)
    try:
        os.execvpe(command[0], command, {**os.environ, **variables})
    except OSError as error:
        raise WrongUse(f"{command[0]!r} can't be run: {error.strerror}.") from None


def variables_of(email: str, world: str, service: str | None, data: Path) -> dict[str, str]:
    """The variables of a person in a running server's world. Raises WrongUse."""
    from harness.rails.environ import for_person

    server = running_server(data)
    given = server.post(world_path(world, "access"), email=email, service=service)
    entries = [_entry(server.url, name, each) for name, each in given["services"].items()]
    return for_person(given["email"], server.url + given["path"], entries)


def _entry(url: str, service: str, given: dict[str, str]) -> Entry:
    from harness.rails.environ import Entry

    tools = url + given["tools"] if "tools" in given else None
    return Entry(service, url + given["path"], given["token"], tools=tools)


def written(variables: dict[str, str], form: Format) -> str:
    """Variables as text."""
    if form is Format.json:
        import json

        return json.dumps(variables, indent=2)
    if form is Format.dotenv:
        return "\n".join(f"{name}={_in_file(value)}" for name, value in variables.items())
    import shlex

    return "\n".join(f"export {name}={shlex.quote(value)}" for name, value in variables.items())


def _in_file(value: str) -> str:
    """A value as .env files have it: in quotes where something in it would be taken for more than itself."""
    if not set(value) & set(" \t\n#$'\"\\`"):
        return value
    return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"
