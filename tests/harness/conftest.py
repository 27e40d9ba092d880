"""Fixtures of the harness's tests."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import scenarios
from harness import grade


@pytest.fixture
def escape(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Takes the surface guard's teeth out."""
    return lambda: monkeypatch.setattr(grade, "by_the_named_surface", lambda task, end: None)


@pytest.fixture(autouse=True)
def _scenarios_of_this_test_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A working directory's `scenarios` join ours for as long as a process lives; here, as long as a test."""
    monkeypatch.setattr(scenarios, "__path__", list(scenarios.__path__))
