"""Finds the running server and talks to its control plane: how every command but `serve` gets at worlds."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from harness.cli.words import Failed, WrongUse

DATA = Path(".paracosm")
DATA_VARIABLE = "PARACOSM_DATA"
STATE = "server.json"
HOST = "control.localhost"
_SECONDS = 120  # a large scenario takes a while to seed


class Control:
    """A running server's control plane. Programs dial its address; a Host header says its name."""

    def __init__(self, url: str, secret: str) -> None:
        self.url = url.rstrip("/")
        self._secret = secret

    def get(self, path: str) -> Any:
        """What a page of the control plane says."""
        return self._ask("GET", path)

    def post(self, path: str, **fields: Any) -> Any:
        """Sends fields; returns the answer. Those that are None are left out."""
        return self._ask("POST", path, {name: value for name, value in fields.items() if value is not None})

    def delete(self, path: str) -> None:
        """Takes something away."""
        self._ask("DELETE", path)

    def _ask(self, method: str, path: str, fields: dict[str, Any] | None = None) -> Any:
        from http.client import HTTPConnection, HTTPException  # `serve` dials nobody

        where = urlsplit(self.url)
        connection = HTTPConnection(where.hostname or "", where.port or 80, timeout=_SECONDS)
        headers = {
            "Host": HOST,
            "Authorization": f"Bearer {self._secret}",
            "Content-Type": "application/json",
        }
        body = None if fields is None else json.dumps(fields)
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            text, status = answer.read(), answer.status
        except (OSError, HTTPException) as error:
            raise WrongUse(
                f"No server answers at {self.url} ({error}); start one with `paracosm serve`."
            ) from None
        finally:
            connection.close()
        return _read(status, text, self.url)


def _read(status: int, text: bytes, url: str) -> Any:
    try:
        answer = json.loads(text) if text else None
    except ValueError:
        raise Failed(f"What answers at {url} is no Paracosm server.") from None
    if status < 400:
        return answer
    error = answer.get("error", {}) if isinstance(answer, dict) else {}
    if status == 404 and error.get("message") == "There is nothing here.":
        raise WrongUse(f"The server at {url} does not take this secret; check PARACOSM_SECRET or --data.")
    wrong = WrongUse if status < 500 else Failed
    raise wrong(str(error.get("message", f"The server at {url} answered {status}.")))


def running_server(data: Path) -> Control:
    """The server that PARACOSM_URL and PARACOSM_SECRET name, else the one whose state file is in `data`.

    PARACOSM_SECRET alone is what servers are started with, and goes with the state file. Raises WrongUse when
    there is none.
    """
    url, secret = os.environ.get("PARACOSM_URL"), os.environ.get("PARACOSM_SECRET")
    if url and secret:
        return Control(url, secret)
    if url:
        raise WrongUse("PARACOSM_SECRET is not set, and goes with PARACOSM_URL; set both or neither.")
    try:
        state = json.loads((data / STATE).read_text())
        return Control(state["url"], secret or state["secret"])
    except FileNotFoundError:
        raise WrongUse(
            f"No server runs over {data}: start one with `paracosm serve`, or say --data."
        ) from None
    except (OSError, ValueError, KeyError, TypeError):
        raise WrongUse(f"{data / STATE} can't be read; start the server again.") from None


def world_path(name: str, *rest: str) -> str:
    """The path of a world, or of something below it. Raises WrongUse for a name that no world can have."""
    if not name or "/" in name:  # a server would read it as another path
        raise WrongUse(f"There is no world {name!r}.")
    return "/".join(["/worlds", quote(name, safe=""), *rest])
