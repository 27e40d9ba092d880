"""A small environment that only this process knows, in a folder of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness import app, discovery
from harness.code import discovery as code
from harness.environment import Environment
from harness.parallel import Crew
from tests.harness.toy import SERVICES
from tests.harness.toy_tasks import environment, put_a_box


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Environment:
    """The environment `toy` with its task put-a-box; a line more in its file makes another revision of it."""
    env = environment()
    env.file = tmp_path / "environment.py"
    env.file.write_text("")
    put_a_box(env)
    monkeypatch.setattr(discovery, "environment_names", lambda: ["toy"])
    monkeypatch.setattr(discovery, "load_environment", lambda name: env)
    monkeypatch.setattr(code, "code_environment_names", list)
    monkeypatch.setattr(app, "discover_services", lambda: SERVICES)
    monkeypatch.setattr(Crew, "_spread", Crew._here)
    monkeypatch.delenv("PARACOSM_DATA", raising=False)
    monkeypatch.chdir(tmp_path)
    return env
