"""What tests of every package share: one event loop, one browser a worker, and servers on loopback."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import uvicorn
from hypothesis import settings
from starlette.types import ASGIApp

from fakes.core.ui import close_streams
from harness.chromium import NOT_FOUND, find_chromium, find_shell, launch_args

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

# Only a change of ours may make the suite fail; `pytest --hypothesis-profile exploring` looks further.
settings.register_profile("steady", deadline=None, derandomize=True)
settings.register_profile("exploring", deadline=None, max_examples=1000)
settings.load_profile("steady")

os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # the many commands that tests start need not compile us anew
PATIENCE = 20_000  # ms that a page may take to show something, on a machine that does much else

Serve = Callable[[ASGIApp], AbstractAsyncContextManager[str]]


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Async tests and fixtures run on asyncio; session-wide, so that they share a browser's event loop."""
    return "asyncio"


@pytest.fixture(scope="session")
async def browser(anyio_backend: str) -> AsyncIterator[Browser]:
    """One Chromium for all tests of a worker: each opens contexts of its own and closes them.

    It is the headless shell where there is one, at a third of the costs.
    """
    async with _launched(find_shell()) as chromium:
        yield chromium


@pytest.fixture(scope="session")
async def whole_browser(browser: Browser) -> AsyncIterator[Browser]:
    """The Chromium that agents get, with all that it asks for by itself and all that it can open."""
    if find_shell() == find_chromium():
        yield browser
    else:
        async with _launched(find_chromium()) as chromium:
            yield chromium


@asynccontextmanager
async def _launched(executable: Path | None) -> AsyncIterator[Browser]:
    from playwright.async_api import async_playwright, expect  # slow to import: only where needed

    if executable is None:
        pytest.fail(NOT_FOUND)
    expect.set_options(timeout=PATIENCE)
    async with async_playwright() as playwright:
        chromium = await playwright.chromium.launch(executable_path=executable, args=launch_args())
        yield chromium
        await chromium.close()


@pytest.fixture
async def page(browser: Browser) -> AsyncIterator[Page]:
    """An empty page in a context of its own. The test fails if a script of the page raised an error."""
    context = await browser.new_context()
    opened = await context.new_page()
    errors: list[str] = []
    context.on("weberror", lambda raised: errors.append(raised.error.message))
    yield opened
    await context.close()
    assert not errors, errors


@pytest.fixture(scope="session")
def serve() -> Serve:
    """Serves an app on a free loopback port: `async with serve(app) as url`; no slash at its end."""
    return _serving


@asynccontextmanager
async def _serving(app: ASGIApp) -> AsyncIterator[str]:
    listener = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(app, lifespan="off", log_config=None, timeout_graceful_shutdown=5)
    server = uvicorn.Server(config)
    running = asyncio.create_task(server.serve([listener]))
    while not server.started:
        await asyncio.sleep(0.005)
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        close_streams()
        server.should_exit = True
        await running
