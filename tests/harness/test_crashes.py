"""Killed servers: at every commit, at writes of the files, between a delivery's claim and its record.

`PARACOSM_CRASHES=all` kills at every single write too, which takes some minutes.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.harness.crashes.breaking import BREAKS
from tests.harness.crashes.script import SCRIPT
from tests.shape.tree import ROOT

SOME = 31  # every so-manieth write
SHARED_MEMORY = Path("/dev/shm")


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder in memory where there is one: nothing here waits for a disk."""
    made = Path(tempfile.mkdtemp(dir=SHARED_MEMORY if SHARED_MEMORY.is_dir() else None))
    yield made
    shutil.rmtree(made)


def enumerated(module: str, *arguments: str) -> dict[str, Any]:
    """The report of an enumeration, which forks and so has a process of its own."""
    command = [sys.executable, "-m", f"tests.harness.crashes.{module}", *arguments]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=3600)
    assert run.returncode == 0, run.stderr
    report: dict[str, Any] = json.loads(run.stdout)
    return report


def test_a_server_killed_at_any_commit_or_write_loses_and_halves_nothing(folder: Path) -> None:
    every = 1 if os.environ.get("PARACOSM_CRASHES") == "all" else SOME
    report = enumerated("enumeration", str(folder), json.dumps({"every_write": every}))
    assert report["wrong"] == []
    assert report["moments"] == ["opening", *(step.name for step in SCRIPT), "closing"]
    assert report["cut"] > 50 and report["done"] > 50 and report["cut"] + report["done"] == report["cases"]


TOLD = {
    "told after the commit": ("notice", "neither the one before"),
    "written in two": ("flag", "neither the one before"),
    "past the journal": ("flag", "not what the journal makes"),
    "written later": ("ask", "another end"),
}


@pytest.mark.parametrize("broken", sorted(BREAKS.keys() - {""}))
def test_a_broken_store_is_told_from_the_real_one(folder: Path, broken: str) -> None:
    step, said = TOLD[broken]
    wanted = {"steps": [step], "every_write": 0, "broken": broken}
    report = enumerated("enumeration", str(folder), json.dumps(wanted))
    assert report["cases"] > 0 and any(said in one for one in report["wrong"]), report


def test_a_server_killed_while_it_delivers_delivers_everything_in_order(folder: Path) -> None:
    report = enumerated("pumping", str(folder))
    assert report["wrong"] == [] and report["cases"] == 42
    assert report["twice"] > 6  # killed after the receiver had it: at least once means twice there


# as it is asked for


def serving(data: Path, **environment: str) -> subprocess.Popen[str]:
    """A server over a folder."""
    command = [sys.executable, "-m", "harness.cli", "serve", "--port", "0", "--data", str(data)]
    return subprocess.Popen(
        [*command, "--world", "main=claims_desk"], cwd=ROOT, env={**os.environ, **environment},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("PARACOSM_FAULT", "commit:often", "PARACOSM_FAULT takes commit:K"),
        ("PARACOSM_CALLBACKS", "app", "PARACOSM_CALLBACKS lists HOST:PORT"),
    ],
)
def test_a_variable_that_can_not_be_is_told_in_a_sentence(
    tmp_path: Path, name: str, value: str, said: str
) -> None:
    server = serving(tmp_path / "data", **{name: value})
    _, told = server.communicate()
    assert server.returncode == 2 and told.count("\n") == 1
    assert said in told and value in told and not (tmp_path / "data").exists()


def test_a_server_dies_where_it_is_told_to_and_starts_again(folder: Path) -> None:
    for point in ("commit:2", "write:3~"):
        server = serving(folder / point[:6], PARACOSM_FAULT=point)
        server.communicate()
        assert server.returncode == -signal.SIGKILL
    server = serving(folder / "commit")
    assert server.stdout is not None and server.stdout.readline().startswith("ready http://")
    server.terminate()
    _, told = server.communicate()
    assert (server.returncode, told) == (0, "")
