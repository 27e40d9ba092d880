"""Google's own Node client, unmodified, in a process of its own: `node/gmail.cjs`."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest

from harness.app import Server
from tests.sdk.node_packages import folder

SCRIPT = Path(__file__).parent / "node" / "gmail.cjs"
NOT_THERE = "Node, or its packages for these tests, are not installed: `make setup` does that."


def node() -> str:
    """The program: that of the environment, or that of the machine."""
    beside = Path(sys.executable).parent / "node"
    found = str(beside) if beside.is_file() else shutil.which("node")
    if found is None or not (folder() / "node_modules" / "googleapis").is_dir():
        pytest.fail(NOT_THERE)
    return found


async def run(server: Server, *tokens: str) -> Any:
    """What the script found."""
    command = [node(), str(SCRIPT), f"{server.url}/w/main/", *tokens]
    env = {**os.environ, "NODE_PATH": str(folder() / "node_modules"), "NO_PROXY": "*"}
    ended = await anyio.run_process(command, env=env, check=False, stderr=subprocess.PIPE)
    assert ended.returncode == 0, ended.stderr.decode()
    return json.loads(ended.stdout)


async def test_the_client_works_unmodified(server: Server, token_of: Callable[[str], str]) -> None:
    found = await run(server, token_of("mira@harborlight.example"), token_of("tom@harborlight.example"))
    assert (found["sent"], found["received"]) == (["SENT"], "At noon?")
    assert found["types"] == ["string", "string", "number"]
    assert sorted(found["headers"]) == ["Subject", "To"]
    assert "UNREAD" not in found["read"] and found["gone"] == 204
    assert found["partial"] == {"messages": [True]}
    assert found["uploads"] == [["SENT"], ["SENT"]]
    assert found["pages"] == [2, 1]
    assert found["draft"] == [["SENT"], 404]
    assert found["label"] == ["user", True] and found["filter"] is True
    assert (found["taken"]["status"], found["taken"]["message"]) == (409, "Label name exists or conflicts")
    unknown = found["unknown"]
    assert (unknown["status"], unknown["message"]) == (404, "Requested entity was not found.")
    assert (unknown["name"], unknown["envelope"]["errors"][0]["reason"]) == ("GaxiosError", "notFound")
    assert (found["wrong"]["status"], found["wrong"]["envelope"]["status"]) == (401, "UNAUTHENTICATED")
