"""Where a world may deliver to: this machine, and the hosts that whoever runs the server has listed.

`PARACOSM_CALLBACKS=app:3000,hooks.test:8443` lists hosts with their ports. Nothing is sent anywhere else, and
only listed hosts are ever looked up by name.
"""

from __future__ import annotations

import ipaddress
import os
import re
from dataclasses import dataclass

VARIABLE = "PARACOSM_CALLBACKS"
_PORTS = {"http": 80, "https": 443}
_LISTED = re.compile(r"(?P<host>[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?|\[[0-9a-f:.]+\]):(?P<port>\d{1,5})")
_LONGEST = 2000


class BadCallbacks(ValueError):
    """The variable lists something that is no HOST:PORT; the sentence says which."""


class NotReachable(Exception):
    """A URL that nothing is sent to; the sentence says why and what to do."""


@dataclass(frozen=True)
class Receiver:
    """Where a URL leads: host and port as written, and the addresses to dial (none: ask the resolver)."""

    scheme: str
    host: str
    port: int
    dial: tuple[str, ...]
    listed: bool


def listed() -> frozenset[tuple[str, int]]:
    """The hosts and ports of PARACOSM_CALLBACKS. Raises BadCallbacks."""
    found = set()
    for part in os.environ.get(VARIABLE, "").split(","):
        text = part.strip().lower()
        if not text:
            continue
        match = _LISTED.fullmatch(text)
        if match is None or not 0 < int(match["port"]) < 65536:
            raise BadCallbacks(f"{VARIABLE} lists HOST:PORT, such as app:3000, commas between; not {part!r}.")
        found.add((match["host"].strip("[]"), int(match["port"])))
    return frozenset(found)


def receiver(url: str) -> Receiver:
    """Where an http(s) URL leads, if something may be sent there. Raises NotReachable."""
    scheme, host, port = _read(url)
    try:
        known = (host, port) in listed()
    except BadCallbacks as error:
        raise NotReachable(str(error)) from None
    here = _loopback(host)
    if not (here or known):
        raise NotReachable(
            f"{host}:{port} is not this machine, so nothing would be sent there. Give a URL such as "
            f"http://127.0.0.1:3000/hooks, or start the server with {VARIABLE}={_spelled(host)}:{port}."
        )
    return Receiver(scheme, host, port, here, known)


def _read(url: str) -> tuple[str, str, int]:
    import httpx

    try:
        if len(url) > _LONGEST:
            raise ValueError("it is too long")
        read = httpx.URL(url)
        port = read.port if read.port is not None else _PORTS[read.scheme]
        if not (read.host and 0 < port < 65536):  # the host is decoded only when it is asked for
            raise ValueError("it has no host, or no such port")
    except (httpx.InvalidURL, ValueError, KeyError):
        raise NotReachable(
            f"{url[:100]!r} is no URL to deliver to. Give one such as http://127.0.0.1:3000/hooks."
        ) from None
    if read.userinfo:
        raise NotReachable("A URL to deliver to has no user and password in it. Take them out.")
    return read.scheme, read.raw_host.decode("ascii").lower().strip("[]"), port


def _loopback(host: str) -> tuple[str, ...]:
    """The addresses of this machine that a host means; none for any other host."""
    if host == "localhost" or host.endswith(".localhost"):
        return ("127.0.0.1", "::1")
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return ()
    plain = getattr(address, "ipv4_mapped", None) is None and getattr(address, "scope_id", None) is None
    return (host,) if address.is_loopback and plain else ()


def _spelled(host: str) -> str:
    return f"[{host}]" if ":" in host else host
