"""`paracosm env` and `exec`: what a person's programs get, in three forms, and a program run with it."""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import signal
import sys
from pathlib import Path

import httpx
import pytest

from fakes.core.auth import Token
from harness.app import Server
from harness.cli import run
from harness.cli.env import Format, written
from tests.harness.notes import client

MIRA = "mira@harborlight.example"
ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _named(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server, as the environment names it."""
    monkeypatch.setenv("PARACOSM_URL", server.url)
    monkeypatch.setenv("PARACOSM_SECRET", server.control_secret)


async def called(*arguments: str) -> int:
    """A command, beside the server's loop."""
    return await asyncio.to_thread(run, list(arguments))


async def executed(*arguments: str) -> asyncio.subprocess.Process:
    """`paracosm exec` in a process of its own."""
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "harness.cli", "exec", *arguments, cwd=ROOT,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip


async def test_env_prints_lines_for_a_shell(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    assert await called("env", "--world", "main", "--as", MIRA) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:3] == [
        f"export PARACOSM_EMAIL={MIRA}",
        f"export PARACOSM_BASE_URL={server.url}/w/main",
        f"export NOTES_BASE_URL={server.url}/w/main/sites/notes",
    ]
    assert lines[3].startswith("export NOTES_TOKEN=") and len(lines) == 4
    assert all(len(shlex.split(line)) == 2 for line in lines)


async def test_env_prints_json_with_a_token_that_is_theirs(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    assert await called("env", "--as", MIRA, "--service", "notes", "--format", "json") == 0
    found = json.loads(capsys.readouterr().out)
    async with client(server, Authorization=f"Bearer {found['NOTES_TOKEN']}") as program:
        assert (await program.post(f"{found['NOTES_BASE_URL']}/notes", content="hello")).status_code == 201
    [newest] = server.worlds.get("main").log.rows("ORDER BY id DESC LIMIT 1")
    assert newest.person == MIRA


async def test_env_prints_an_env_file(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    assert await called("env", "--as", MIRA, "--format", "dotenv") == 0
    assert f"PARACOSM_EMAIL={MIRA}\n" in capsys.readouterr().out
    odd = {"A": "it's", "B": "a$HOME#b", "C": "plain@x:1/y"}
    assert written(odd, Format.dotenv) == "A='it\\'s'\nB='a$HOME#b'\nC=plain@x:1/y"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--as", "nobody@else.example"], "Nobody in world 'main' has the address 'nobody@else.example'."),
        (["--as", MIRA, "--service", "bank"], "There is no service 'bank'. Services: notes."),
        (
            ["--as", "nadia@harborlight.example"],
            "nadia@harborlight.example has no account at any service in world 'main'.",
        ),
        (["--as", MIRA, "--world", "other"], "There is no world 'other'"),
        (["--as", MIRA, "--format", "nope"], "Invalid value for '--format': 'nope' is not one of 'shell'"),
    ],
)
async def test_env_says_in_a_sentence_what_there_is_not(
    server: Server, capsys: pytest.CaptureFixture[str], arguments: list[str], sentence: str
) -> None:
    assert await called("env", *arguments) == 2
    assert sentence in capsys.readouterr().err
    assert server.worlds.get("main").count(Token) == 0


async def test_the_log_knows_who_gave_the_tokens(server: Server, plane: httpx.AsyncClient) -> None:
    given = (await plane.post("/worlds/main/access", json={"email": MIRA})).json()
    assert (
        list(given["services"]) == ["notes"] and given["services"]["notes"]["path"] == "/w/main/sites/notes"
    )
    [logged] = server.worlds.get("main").log.rows("ORDER BY id DESC LIMIT 1")
    assert (logged.kind, logged.person, logged.route) == ("harness", MIRA, "POST /worlds/{name}/access")


async def test_exec_runs_a_program_with_them_passes_signals_on_and_ends_as_it_does(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MINE", "kept")
    script = """trap 'exit 9' TERM; echo "$NOTES_BASE_URL $MINE -- $1"; while :; do sleep 0.01; done"""
    running = await executed("--world", "main", "--as", MIRA, "sh", "-c", script, "sh", "--as")
    assert running.stdout is not None
    said = await running.stdout.readline()
    assert said.decode() == f"{server.url}/w/main/sites/notes kept -- --as\n"
    os.kill(running.pid, signal.SIGTERM)
    await running.communicate()
    assert running.returncode == 9


async def test_exec_of_no_program_is_wrong_use(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    assert await called("exec", "--as", MIRA, "--", "no-such-program") == 2
    assert "'no-such-program' can't be run: No such file or directory." in capsys.readouterr().err
