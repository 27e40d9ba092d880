"""Plays the script against a server in this process, and tells a file what the client saw."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx
import orjson

from fakes.core.service import Service
from fakes.core.world import World
from harness.app import FIXED_SECRET, Server
from harness.control import HOST, control_app
from tests.harness.crashes.script import CONTROL, Answer, Ask, Known, Step

URL = "http://127.0.0.1:8080"


class Client:
    """Asks one server through its gateway, without a port."""

    def __init__(self, services: dict[str, Service], folder: Path | None = None) -> None:
        self.server = Server(services=services, folder=folder, secret=FIXED_SECRET, control=control_app)
        self._http = httpx.AsyncClient(transport=httpx.ASGITransport(app=self.server.gateway), base_url=URL)

    @property
    def world(self) -> World:
        """The world that the script is about."""
        return self.server.worlds.get("main")

    async def ask(self, ask: Ask) -> Answer:
        """Sends one request and takes its answer."""
        headers = dict(ask.headers)
        if ask.path.startswith(CONTROL):
            headers |= {"Host": HOST, "Authorization": f"Bearer {self.server.control_secret}"}
        answer = await self._http.request(
            ask.method, ask.path, headers=headers, data=ask.data, json=ask.body, content=ask.content
        )
        self._http.cookies.clear()
        return Answer(answer.status_code, answer.text, answer.headers.get("set-cookie", "").partition(";")[0])


class Transcript:
    """What the client saw, in a file that outlives its process: steps that began, and answers."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def begins(self, n: int) -> None:
        """Step `n` is about to be asked."""
        self._write({"begins": n})

    def answered(self, n: int, answer: Answer) -> None:
        """Step `n` was answered."""
        self._write({"answered": n, "status": answer.status, "text": answer.text, "cookie": answer.cookie})

    def _write(self, line: dict[str, Any]) -> None:
        os.write(self._file, orjson.dumps(line) + b"\n")

    def close(self) -> None:
        """Closes the file."""
        os.close(self._file)


def read_transcript(path: Path) -> tuple[dict[int, Answer], int | None]:
    """The answers by step, and the step that was cut: begun, but never answered."""
    answers: dict[int, Answer] = {}
    begun: int | None = None
    for line in path.read_bytes().splitlines() if path.exists() else ():
        told = orjson.loads(line)
        if "begins" in told:
            begun = told["begins"]
        else:
            answers[told["answered"]] = Answer(told["status"], told["text"], told["cookie"])
    return answers, None if begun in answers else begun


async def play(
    client: Client,
    script: Sequence[Step],
    known: Known,
    transcript: Transcript | None = None,
    first: int = 0,
) -> None:
    """Plays the script from step `first` on."""
    for n, step in enumerate(script[first:], first):
        if transcript is not None:
            transcript.begins(n)
        answer = await client.ask(step.ask(known))
        assert (answer.status >= 400) == step.refused, (step.name, answer)
        known.answers[step.name] = answer
        if transcript is not None:
            transcript.answered(n, answer)
