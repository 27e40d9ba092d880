"""The command line, `paracosm`: each command is a function of a module here, registered below.

Modules here import nothing slow until a command runs, so that `serve` is up in a moment.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from copy import copy
from typing import Annotated, Any

import typer

from harness.cli import (
    bench,
    book,
    coverage,
    env,
    fault,
    gradable,
    grade,
    mcp,
    new,
    prove,
    record,
    runs,
    serve,
    worlds,
)
from harness.cli import run as running
from harness.cli.words import DONE, WRONG_USE, Ending, harmless

app = typer.Typer(
    name="paracosm",
    help="Detailed imaginary worlds for agents to work in: fakes, lookalike sites and proved graders.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import PackageNotFoundError, version

        try:
            print(f"paracosm {version('paracosm')}")
        except PackageNotFoundError:
            print("paracosm, from a checkout")
        raise typer.Exit()


@app.callback(invoke_without_command=True)
def paracosm(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Detailed imaginary worlds for agents to work in: fakes, lookalike sites and proved graders."""
    if context.invoked_subcommand is None:
        print(context.get_help())


app.command(epilog=serve.EXAMPLE)(serve.serve)
app.command(epilog=worlds.SEED_EXAMPLE)(worlds.seed)
app.command(epilog=worlds.PEOPLE_EXAMPLE)(worlds.people)
app.command(epilog=worlds.TOKEN_EXAMPLE)(worlds.token)
app.command(epilog=env.ENV_EXAMPLE)(env.env)
app.command(epilog=env.EXEC_EXAMPLE, context_settings=env.EXEC_SETTINGS)(env.exec)
app.command(epilog=mcp.EXAMPLE)(mcp.mcp)
app.command(epilog=worlds.PORTAL_EXAMPLE)(worlds.portal)
app.command(epilog=fault.EXAMPLE)(fault.fault)
app.command(epilog=worlds.SAVE_EXAMPLE)(worlds.save)
app.command(epilog=worlds.STATUS_EXAMPLE)(worlds.status)
app.command(epilog=prove.EXAMPLE)(prove.prove)
app.command(epilog=running.EXAMPLE)(running.run)
app.command(epilog=grade.EXAMPLE)(grade.grade)
app.command(epilog=gradable.EXAMPLE)(gradable.gradable)
app.command(epilog=book.EXAMPLE)(book.book)
app.command(epilog=coverage.EXAMPLE)(coverage.coverage)
app.command(epilog=record.EXAMPLE)(record.record)
app.command(epilog=bench.EXAMPLE)(bench.bench)
app.add_typer(runs.app, name="runs")
app.add_typer(new.app, name="new")

# Typer brings a click of its own; this is the root of its errors of usage, whichever click it is.
_Usage: Any = next(kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException")


def run(arguments: Sequence[str] | None = None) -> int:
    """Runs a command line; returns its exit code: 0 done, 1 failed, 2 wrong use."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    command = typer.main.get_command(_with_what(given))
    try:
        ended = command.main(given, prog_name="paracosm", standalone_mode=False)
    except Ending as ending:
        print(harmless(str(ending)), file=sys.stderr)
        return ending.code
    except _Usage as error:
        print(harmless(_sentence(error)), file=sys.stderr)
        return WRONG_USE
    except typer.Abort:
        return 130
    return ended if isinstance(ended, int) else DONE


def _with_what(arguments: Sequence[str]) -> typer.Typer:
    """The command line with the command alone that is named: to make all of them ready takes a while."""
    name = next(iter(arguments), "")
    found = [each for each in app.registered_commands if each.callback and each.callback.__name__ == name]
    if not found:
        return app
    narrow = copy(app)
    narrow.registered_commands, narrow.registered_groups = found, []
    return narrow


def _sentence(error: Any) -> str:
    """A usage error in one line, with where to read on."""
    path = error.ctx.command_path if getattr(error, "ctx", None) else "paracosm"
    said = " ".join(error.format_message().replace("Value error, ", "").split()).rstrip(".")
    return f"{said}; see `{path} --help`."


def main() -> None:
    """The entry point of `paracosm`."""
    sys.exit(run())
