"""The tiny code task of these tests, written where each test wants it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.code.bench import Bench, open_bench
from harness.code.declaring import CodeEnvironment
from harness.code.discovery import load_code_environment
from harness.code.solutions import REFERENCE, build
from tests.harness.code.tally import write


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """scenarios/tally in the working directory, to be changed before it is loaded."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # files change faster than bytecode is told apart
    yield write(tmp_path)
    for name in [name for name in sys.modules if name.startswith("scenarios.tally")]:
        del sys.modules[name]
    load_code_environment.cache_clear()


@pytest.fixture
def tally(folder: Path) -> CodeEnvironment:
    """The environment."""
    return load_code_environment("tally")


@pytest.fixture
def solution(tally: CodeEnvironment, tmp_path: Path) -> Path:
    """The workspace of the reference, to be changed."""
    build(tally, REFERENCE, tmp_path / "solution")
    return tmp_path / "solution"


@pytest.fixture
def bench(tally: CodeEnvironment, solution: Path) -> Iterator[Bench]:
    """A bench with the reference on it."""
    with open_bench(tally, solution, "T1") as bench:
        yield bench
