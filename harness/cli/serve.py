"""`paracosm serve`: one server over one data folder, until it is told to stop."""

from __future__ import annotations

import errno
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from harness.cli.dial import DATA, DATA_VARIABLE, STATE
from harness.cli.words import Failed, WrongUse
from harness.loop import run

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

    from harness.app import Server
    from harness.pinned import Pinned

EXAMPLE = "Example: paracosm serve --port 0 --world main=office --world desk=claims_desk"
DEFAULT_WORLD = "main=office"
TICK = 0.5  # seconds between looks at what running clocks have passed
_LOCK = "server.lock"


def _port(text: str | int) -> int:
    number = int(text) if str(text).isascii() and str(text).isdigit() else -1
    if not 0 <= number <= 65535:
        raise WrongUse(f"--port takes a number from 0 to 65535, not {text!r}.")
    return number


def serve(
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(parser=_port, metavar="PORT", help="The port; 0 takes one that is free.")
    ] = 8080,
    data: Annotated[
        Path, typer.Option(envvar=DATA_VARIABLE, help="The folder that keeps the worlds.")
    ] = DATA,
    world: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=SCENARIO", help=f"A world to have there; {DEFAULT_WORLD} if none is said."
        ),
    ] = None,
    public_host: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Another name of this server, as PARACOSM_HOSTS lists them."),
    ] = None,
    proxy_auth: Annotated[
        bool,
        typer.Option(
            "--proxy-auth",
            help="Leases have no address of their own but user and password for the proxy; "
            "always so where HOST is no loopback address.",
        ),
    ] = False,
) -> None:
    """Serve worlds on one port until it is stopped.

    Prints `ready URL` when it accepts, then the portal's one-time link. Worlds are kept in the data folder
    and opened again by the next start; a world that is not there yet is seeded, and its clock runs from now.
    SIGINT or SIGTERM stops it.

    For .env files: PARACOSM_SECRET opens the control plane (commands look for the same name);
    PARACOSM_SECRET_KEY is what passwords, tokens and authenticator codes of every world follow from;
    PARACOSM_TOKENS gives world main bearer tokens, as in gmail:mira@harborlight.example=tok_for_mira;
    PARACOSM_HOSTS lists further names of the server, such as fakes,paracosm; PARACOSM_CALLBACKS lists where
    webhooks may go beside this machine, such as app:3000.
    """
    import os

    wanted = [_pair(each) for each in world or [DEFAULT_WORLD]]
    pinned = _take_environment(public_host or ())
    os.umask(0o077)  # worlds hold the secrets that their tokens and passwords follow from
    with _only_server(data):
        address = "127.0.0.1" if host == "localhost" else host
        run(lambda: _serve(address, port, data, wanted, pinned, proxy_auth))


def _take_environment(hosts: Sequence[str]) -> Pinned:
    """What is pinned there, the hosts that deliveries may go to, and the point where this process is to die,
    if one is planned.
    """
    import os

    from fakes.core import callbacks, crash
    from harness.pinned import Pinned

    try:
        pinned = Pinned.read(os.environ, hosts)
        callbacks.listed()
        crash.arm(crash.planned(os.environ))
        return pinned
    except ValueError as error:
        raise WrongUse(str(error)) from None


def _pair(text: str) -> tuple[str, str]:
    name, equals, scenario = text.partition("=")
    if not (name and equals and scenario):
        raise WrongUse(f"--world takes NAME=SCENARIO, such as {DEFAULT_WORLD}, not {text!r}.")
    return name, scenario


@contextmanager
def _only_server(data: Path) -> Iterator[None]:
    """Holds the data folder: two servers over one folder would each lose what the other writes."""
    import fcntl

    try:
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = (data / _LOCK).open("a")
    except OSError as error:
        raise WrongUse(f"{data} can't keep worlds: {error.strerror}; choose another --data.") from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise WrongUse(
                f"A server runs over {data} already{_where(data)}; stop it or choose another --data."
            ) from None
        yield


def _where(data: Path) -> str:
    import json

    try:
        state = json.loads((data / STATE).read_text())
        return f", at {state['url']} (process {state['pid']})"
    except (OSError, ValueError, KeyError):
        return ""


async def _serve(
    host: str, port: int, data: Path, wanted: list[tuple[str, str]], pinned: Pinned, proxy_auth: bool
) -> None:
    import asyncio
    import signal

    from fakes.core.proxy import is_loopback
    from fakes.core.ui import close_streams
    from harness.app import Server
    from harness.control import control_app

    stop = asyncio.Event()
    for sign in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(sign, stop.set)
    server = Server(
        folder=data, host=host, port=port, portal=_portal, control=control_app, pumping=True,
        secret=pinned.secret, control_secret=pinned.control_secret, hosts=pinned.hosts,
        tokens=pinned.tokens, proxy_auth=proxy_auth,
    )  # fmt: skip
    await _listen(server, host, port)
    ticker = None
    try:
        _have_worlds(server, wanted)
        _have_pinned(server, data, pinned)
        state = _write_state(server, data)
        print(f"ready {server.url}", flush=True)
        print(f"portal {server.door.link(server.url)}", flush=True)
        if not (is_loopback(host) or host == "::1"):
            _say(f"Warning: {host} is open to other machines, and whoever reaches it can use these worlds.")
        ticker = asyncio.create_task(_fire_what_is_due(server))
        await stop.wait()
        state.unlink(missing_ok=True)
    finally:
        if ticker is not None:
            ticker.cancel()
        close_streams()
        await server.__aexit__(None, None, None)


def _portal(server: Server) -> ASGIApp:
    """The portal, made with its first request: `serve` is ready before that is imported."""
    made: list[ASGIApp] = []

    async def portal(scope: Scope, receive: Receive, send: Send) -> None:
        if not made:
            from harness.portal.app import portal_app

            made.append(portal_app(server))
        await made[0](scope, receive, send)

    return portal


async def _listen(server: Server, host: str, port: int) -> None:
    try:
        await server.__aenter__()
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise WrongUse(
                f"Port {port} is taken on {host}; choose another --port, or 0 for a free one."
            ) from None
        raise WrongUse(f"{host}:{port} can't be listened on: {error.strerror or error}.") from None


def _have_worlds(server: Server, wanted: list[tuple[str, str]]) -> None:
    """Opens the worlds that are kept, and seeds those that are wanted and not there."""
    from apsw import Error

    from fakes.core.errors import Refused
    from harness.app import BrokenScenario, UnknownScenario, starting_now

    try:
        for name in server.reopen():
            _say(f"World {name!r} was made by another version; it is kept as {name}.world.old.")
    except (Error, OSError, KeyError) as error:
        raise Failed(f"The worlds in the data folder can't be opened ({error}); move them away.") from None
    for file, reason in server.worlds.broken.items():
        _say(f"{file} can't be opened ({reason}); it is left where it is, and no world comes of it.")
    kept = server.worlds.names()
    for name, scenario in wanted:
        if name not in kept:
            try:
                server.create_world(name, starting_now(scenario), "running")
            except (Refused, UnknownScenario, BrokenScenario) as error:
                raise WrongUse(str(error)) from None
        elif (found := server.worlds.get(name).scenario) != scenario:
            raise WrongUse(
                f"World {name!r} is kept from an earlier start and comes from {found!r}, not {scenario!r}; "
                f"start with {name}={found} and then use `paracosm seed`."
            )


def _have_pinned(server: Server, data: Path, pinned: Pinned) -> None:
    """Gives world `main` its tokens. A world that is kept and follows from another secret is no use."""
    from harness.pinned import WORLD, follows_from, pin, problem

    for name in server.worlds.names():
        if pinned.secret is not None and not follows_from(server.worlds.get(name), pinned.secret):
            raise WrongUse(
                f"World {name!r} in {data} was made with another secret than PARACOSM_SECRET_KEY, and keeps "
                "it; choose another --data, or start without the variable."
            )
    if not pinned.tokens:
        return
    if WORLD not in server.worlds.names():
        raise WrongUse(
            f"PARACOSM_TOKENS are for world {WORLD!r}, and there is none; add --world {DEFAULT_WORLD}."
        )
    world = server.worlds.get(WORLD)
    for token in pinned.tokens:
        if (sentence := problem(world, token)) is not None:
            raise WrongUse(sentence)
    pin(world, pinned.tokens)


def _write_state(server: Server, data: Path) -> Path:
    """The state file, for this user alone: where the server is, and the secret of its control plane."""
    import json
    import os

    from fakes.core.files import write_whole

    state = {"url": server.url, "secret": server.control_secret, "pid": os.getpid()}
    return write_whole(data / STATE, json.dumps(state).encode())


async def _fire_what_is_due(server: Server) -> None:
    """Twice a second, in each world whose clock runs: one indexed look, and a write only where one is due."""
    import asyncio
    import logging

    while True:
        await asyncio.sleep(TICK)
        for name in server.worlds.names():
            world = server.worlds.get(name)
            if world.clock.mode == "running":
                try:
                    world.fire_due()
                except Exception:  # one world's broken plan must not stop the others' clocks
                    logging.getLogger("paracosm").exception("what is due in world %s could not be done", name)


def _say(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)
