"""What the README shows is true: its commands run, its programs work, its links lead somewhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()


def blocks(language: str) -> list[str]:
    """The README's fenced blocks in a language."""
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def block(language: str, containing: str) -> str:
    """The one block that contains a text."""
    (found,) = [text for text in blocks(language) if containing in text]
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty folder; `bin` in it has this checkout's `paracosm`, whatever is installed."""
    made = tmp_path_factory.mktemp("readme")
    (made / "bin").mkdir()
    command = made / "bin" / "paracosm"
    command.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m harness.cli "$@"\n')
    command.chmod(0o755)
    return made


@pytest.fixture(scope="module")
def port(folder: Path) -> Iterator[str]:
    """The port of a server that was started as the README says, over a data folder of its own."""
    command = [str(folder / "bin" / "paracosm"), "serve", "--port", "0"]
    server = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    ready = server.stdout.readline()
    assert ready.startswith("ready http://127.0.0.1:"), ready
    assert server.stdout.readline().startswith("portal http://")
    yield ready.strip().rpartition(":")[2]
    server.terminate()
    assert server.wait(20) == 0
    server.stdout.close()


def shell(text: str, folder: Path) -> str:
    """What a block prints when a shell runs it."""
    env = {**os.environ, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}"}
    command = ["bash", "-euc", text]
    ran = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_a_token_and_curl_list_the_mail(port: str, folder: Path) -> None:
    said = shell(block("sh", "curl").replace("8080", port), folder)
    assert '"messages"' in said and '"resultSizeEstimate"' in said


def test_googles_client_works_as_shown(port: str, folder: Path) -> None:
    token = shell(block("sh", "curl").splitlines()[0] + "; echo $TOKEN", folder).strip()
    shown = block("python", "googleapiclient").replace("8080", port)
    *setup, last = shown.strip().splitlines()
    program = "\n".join([*setup, f"print({last})"])
    env = {**os.environ, "TOKEN": token}
    command = [sys.executable, "-c", program]
    ran = subprocess.run(command, env=env, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0 and "'messages'" in ran.stdout, ran.stderr


def test_a_program_gets_addresses_and_tokens_as_shown(port: str, folder: Path) -> None:
    (shown,) = re.findall(r"`(paracosm exec .*?) -- python my_bot.py`", README)
    said = shell(f"{shown} -- env", folder)
    assert f"GMAIL_BASE_URL=http://127.0.0.1:{port}/w/main" in said and "CLAIMS_DESK_TOKEN=" in said


def test_runs_are_graded_compared_and_printed_as_shown(folder: Path) -> None:
    said = shell(block("sh", "paracosm grade"), folder)
    assert "right-claimant" in said and (folder / "run.zip").is_file()
    _, cheating, compare = block("sh", "runs compare").splitlines()
    assert "failed: right-claimant" in shell(f"{cheating} || [ $? = 1 ]", folder)
    assert "0/1" in shell(compare.replace("stand-in-honest", "reference"), folder)
    (printed,) = re.findall(r"^\S+index\.html$", shell(block("sh", "paracosm book"), folder), re.MULTILINE)
    assert "stand-in-cheating" in (folder / printed).read_text()


def test_every_command_that_the_readme_names_exists(folder: Path) -> None:
    named = set(re.findall(r"paracosm ([a-z]+)", README)) - {"new"}
    for command in sorted(named):
        ask = [str(folder / "bin" / "paracosm"), command, "--help"]
        ran = subprocess.run(ask, capture_output=True, text=True, timeout=60)
        assert ran.returncode == 0 and "Example" in ran.stdout, command


def test_python_that_is_shown_compiles() -> None:
    for text in blocks("python"):
        compile(text, "README.md", "exec")


DOCUMENTS = [*ROOT.glob("*.md"), *ROOT.glob("[a-z]*/**/README.md")]


@pytest.mark.parametrize("document", sorted(DOCUMENTS), ids=lambda path: str(path.relative_to(ROOT)))
def test_links_between_documents_lead_somewhere(document: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", document.read_text()):
        if not target.startswith("http"):
            assert (document.parent / target).exists(), target
