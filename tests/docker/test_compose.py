"""The compose project: what it promises to whoever starts it, and the app under test in it, run for real."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

from harness.pinned import Pinned

ROOT = Path(__file__).parents[2]
DOCKER = ROOT / "docker"
COMPOSE: dict[str, Any] = yaml.safe_load((DOCKER / "compose.yaml").read_text())
FAKES, APP = COMPOSE["services"]["fakes"], COMPOSE["services"]["app"]


def filled_in(text: Any) -> str:
    """A value of the file as compose reads it where nothing is set outside: `${NAME:-default}` is default."""
    return re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", str(text)).strip()


def test_the_root_includes_it() -> None:
    assert yaml.safe_load((ROOT / "compose.yaml").read_text()) == {"include": ["docker/compose.yaml"]}


def test_ports_are_published_on_this_machine_alone() -> None:
    published = [filled_in(port) for service in COMPOSE["services"].values() for port in service["ports"]]
    assert published == ["127.0.0.1:8080:8080", "127.0.0.1:3000:3000"]


def test_the_server_understands_its_environment() -> None:
    environ = {name: filled_in(value or "") for name, value in FAKES["environment"].items()}
    read = Pinned.read(environ)
    assert read.hosts == ("fakes",) and read.control_secret is None
    assert {token.service: token.value for token in read.tokens} == {
        "gmail": APP["environment"]["GMAIL_TOKEN"],
        "claims_desk": APP["environment"]["DESK_TOKEN"],
    }
    assert environ["PARACOSM_CALLBACKS"] == APP["environment"]["SELF_URL"].removeprefix("http://")


def test_what_is_copied_into_the_image_is_let_through() -> None:
    kept = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    copied = re.findall(r"^COPY (?!--from)(.+) \S+$", (DOCKER / "Dockerfile").read_text(), re.MULTILINE)
    assert {name for line in copied for name in line.split()} == kept
    assert all((ROOT / name).exists() for name in kept)


def test_constraints_pin_all_that_is_installed_and_name_no_registry() -> None:
    lines = [line for line in (ROOT / "constraints.txt").read_text().splitlines() if not line.startswith("#")]
    assert all(re.fullmatch(r"[a-z0-9-]+==[0-9][0-9a-z.!+]*", line) for line in lines)
    pinned = {line.partition("==")[0] for line in lines}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    asked = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    assert {re.split(r"[^a-z0-9-]", name.lower())[0] for name in asked} <= pinned


# the app


@pytest.fixture(scope="module")
def fakes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of world `main` at a server that pins the tokens of the compose file."""
    tokens = filled_in(FAKES["environment"]["PARACOSM_TOKENS"])
    env = {**os.environ, "PYTHONPATH": str(ROOT), "PARACOSM_TOKENS": tokens}
    command = [sys.executable, "-m", "harness.cli", "serve", "--port", "0"]
    folder = tmp_path_factory.mktemp("fakes")
    server = subprocess.Popen(command, cwd=folder, env=env, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    yield server.stdout.readline().split()[1] + "/w/main"
    server.terminate()
    assert server.wait(20) == 0
    server.stdout.close()


@pytest.fixture(scope="module")
def app(fakes: str) -> Iterator[str]:
    """The address of the app under test, subscribed to the desk."""
    free = httpx.URL(fakes).port or 0
    own = f"http://127.0.0.1:{free + 1 if free < 65535 else free - 1}"
    env = {**APP["environment"], "FAKES_URL": fakes, "SELF_URL": own, "HOST": "127.0.0.1"}
    env = {**os.environ, **{name: str(value) for name, value in env.items()}, "PORT": own.rpartition(":")[2]}
    command = [sys.executable, str(DOCKER / "app" / "app.py")]
    program = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True)
    assert program.stdout is not None and program.stdout.readline().startswith("listening on")
    yield own
    program.terminate()
    program.wait(20)
    program.stdout.close()


def test_the_app_hears_of_a_notice_and_mails_its_operator(fakes: str, app: str) -> None:
    desk, gmail = (
        {"Authorization": f"Bearer {APP['environment'][name]}"} for name in ("DESK_TOKEN", "GMAIL_TOKEN")
    )
    with httpx.Client(trust_env=False, timeout=20) as http:
        papers = http.get(f"{fakes}/sites/claims_desk/api/documents", headers=desk).json()["documents"]
        paper = next(each["id"] for each in papers if each["name"].startswith("ny-determination-NY"))
        asked = {"type": "determination", "state": "NY", "document_id": paper, "mail_date": "2025-10-16"}
        made = http.post(f"{fakes}/sites/claims_desk/api/notices", json=asked, headers=desk).json()
        wanted = f"{fakes}/gmail/v1/users/me/messages?q=subject:Recorded"
        for _ in range(200):  # the app is told by the pump, a moment after the answer
            found = http.get(wanted, headers=gmail).json().get("messages", [])
            if found and http.get(app).json()["heard"]:
                break
            time.sleep(0.05)
        mail = http.get(f"{fakes}/gmail/v1/users/me/messages/{found[0]['id']}", headers=gmail).json()
        assert http.get(app).json() == {"heard": [made["id"]]}
        assert made["id"] in mail["snippet"] and made["due_computed"] in mail["snippet"]
        forged = http.post(f"{app}/hook", content=json.dumps({"data": {"id": made["id"]}}))
        assert forged.status_code == 401
