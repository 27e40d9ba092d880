"""Fixtures of the harness's tests."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from harness import grade


@pytest.fixture
def escape(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Takes the surface guard's teeth out."""
    return lambda: monkeypatch.setattr(grade, "by_the_named_surface", lambda task, end: None)
