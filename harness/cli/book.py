"""`paracosm book`: the task book as plain files, served if wanted, and the environments' READMEs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from harness.cli.dial import DATA, DATA_VARIABLE
from harness.cli.words import DONE, FAILED, Failed, WrongUse

if TYPE_CHECKING:
    from rich.console import Console

    from harness.book.entries import EnvironmentEntry
    from harness.book.printing import Printed

EXAMPLE = "Example: paracosm book --out book, then open book/index.html"
PORT = 8090


def book(
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where it is printed; DATA/book, if nothing is said.")
    ] = None,
    serve: Annotated[
        bool, typer.Option("--serve", help="Serve it on 127.0.0.1, printed anew when the archive changes.")
    ] = False,
    port: Annotated[
        int | None, typer.Option(metavar="PORT", help=f"The port to serve on; 0 takes one; else {PORT}.")
    ] = None,
    data: Annotated[
        Path, typer.Option(envvar=DATA_VARIABLE, help="The folder with the archive and its bundles.")
    ] = DATA,
    readmes: Annotated[
        bool, typer.Option("--readmes", help="Write scenarios/ENV/README.md of each environment instead.")
    ] = False,
) -> None:
    """Print the task book: a page for each environment, task, run and rollout, in plain files.

    Rollouts that did not change since are not read again. What opens something in a world (tokens, cookies,
    passwords) is left out of pages; pictures stand as they are.
    """
    from harness.archive.store import ArchiveError
    from harness.cli import show

    if readmes and (serve or out is not None):
        raise WrongUse("--readmes writes into scenarios/ and nothing else: leave --out and --serve away.")
    if port is not None and not serve:
        raise WrongUse("--port is the port to serve on: add --serve.")
    if port is not None and not 0 <= port <= 65535:
        raise WrongUse(f"--port takes a number from 0 to 65535, not {port}.")
    console = show.console()
    if readmes:
        raise typer.Exit(_write_readmes(console))
    folder = _folder(out or data / "book")
    print_anew = _printer(console, data, folder)
    try:
        printed = print_anew()
    except ArchiveError as error:
        raise WrongUse(error.args[0]) from None
    except OSError as error:
        raise Failed(f"{error.filename or folder} can't be written: {error.strerror}.") from None
    show.line(console, f"{printed.pages} files, {printed.rollouts} rollouts read anew")
    show.line(console, str(folder / "index.html"))
    if serve:
        _serve(folder, data, PORT if port is None else port, print_anew)


def _write_readmes(console: Console) -> int:
    from harness.book.readmes import entries, write
    from harness.cli import show

    found = entries()
    try:
        for path in write(found):
            show.line(console, str(path))
    except OSError as error:
        raise WrongUse(f"{error.filename} can't be written: {error.strerror}.") from None
    return FAILED if _tell_broken(console, found) else DONE


def _tell_broken(console: Console, environments: list[EnvironmentEntry]) -> bool:
    from harness.cli import show

    broken = [env for env in environments if env.broken]
    for env in broken:
        show.line(console, f"✗ {env.slug}: {env.broken}", "red")
    return bool(broken)


def _folder(out: Path) -> Path:
    """The folder to print into: empty, or a book already. Raises WrongUse."""
    from harness.book.press import NOTE

    try:
        if out.is_dir() and any(out.iterdir()) and not (out / NOTE).is_file():
            raise WrongUse(f"{out} holds something else than a book; choose an empty folder with --out.")
        out.mkdir(parents=True, exist_ok=True)
        if not (out / NOTE).exists():  # so that a book of which the printing stopped is known for one
            (out / NOTE).write_text("{}")
    except OSError as error:
        raise WrongUse(f"{out} can't hold a book: {error.strerror}; choose another --out.") from None
    return out


def _printer(console: Console, data: Path, out: Path) -> Callable[[], Printed]:
    """What prints the archive as it is then, for environments as they are now."""
    from harness.app import discover_services
    from harness.archive.places import archive_in
    from harness.archive.store import read
    from harness.book.printing import print_book
    from harness.book.programs import code_environments
    from harness.book.worlds import world_environments

    services = discover_services()
    environments = [*world_environments(services), *code_environments()]
    _tell_broken(console, environments)

    def print_anew() -> Printed:
        records = read(archive_in(data))
        status = console.status("printing") if console.is_terminal else None
        if status is None:
            return print_book(environments, records, data, out, services)
        with status:
            return print_book(
                environments, records, data, out, services,
                lambda done, of: status.update(f"printing: rollout {done} of {of}"),
            )  # fmt: skip

    return print_anew


def _serve(out: Path, data: Path, port: int, print_anew: Callable[[], object]) -> None:
    import socket

    import uvicorn

    from harness.archive.places import archive_in
    from harness.book.serving import book_app

    try:
        listener = socket.create_server(("127.0.0.1", port))
    except OSError:
        raise WrongUse(f"Port {port} is taken; choose another --port, or 0 for a free one.") from None
    print(f"ready http://127.0.0.1:{listener.getsockname()[1]}/", flush=True)
    app = book_app(out, archive_in(data), print_anew)
    try:
        uvicorn.Server(uvicorn.Config(app, lifespan="off", log_config=None)).run([listener])
    except KeyboardInterrupt:  # that is how it is ended
        pass
