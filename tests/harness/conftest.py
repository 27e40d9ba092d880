"""Fixtures of the harness's tests."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable

import httpx
import pytest

import scenarios
from harness import grade
from harness.app import Server
from tests.harness.notes import control, serving
from tests.harness.portal_pages import at_portal


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    """A server of notes."""
    async with serving() as running:
        yield running


@pytest.fixture
async def plane(server: Server) -> AsyncIterator[httpx.AsyncClient]:
    """A program that holds the secret of its control plane."""
    async with control(server) as program:
        yield program


@pytest.fixture
async def portal(server: Server) -> AsyncIterator[httpx.AsyncClient]:
    """A person's browser that has used the link."""
    async with at_portal(server) as opened:
        yield opened


@pytest.fixture
def escape(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Takes the surface guard's teeth out."""
    return lambda: monkeypatch.setattr(grade, "by_the_named_surface", lambda task, end: None)


@pytest.fixture(autouse=True)
def _scenarios_of_this_test_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A working directory's `scenarios` join ours for as long as a process lives; here, as long as a test."""
    monkeypatch.setattr(scenarios, "__path__", list(scenarios.__path__))
