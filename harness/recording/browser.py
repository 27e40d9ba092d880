"""The browser that is recorded: one with a window, or without one and driven by DevTools."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from harness.chromium import NOT_FOUND, find_chromium, free_port, launch_args
from harness.rails import BrowserMissing

if TYPE_CHECKING:
    from playwright.async_api import Browser


@asynccontextmanager
async def launched(*, headless: bool) -> AsyncIterator[tuple[Browser, str]]:
    """A Chromium, and where DevTools reach it ("" for one with a window). Raises BrowserMissing."""
    from playwright.async_api import Error, async_playwright

    executable = find_chromium()
    if executable is None:
        raise BrowserMissing(NOT_FOUND)
    port = free_port() if headless else 0
    args = [*launch_args(), *([f"--remote-debugging-port={port}"] if headless else [])]
    async with async_playwright() as playwright:
        try:
            browser = await playwright.chromium.launch(
                executable_path=executable, args=args, headless=headless
            )
        except Error as error:
            raise BrowserMissing(
                f"The browser could not be opened: {error.message.splitlines()[0]}."
            ) from None
        yield browser, f"http://127.0.0.1:{port}" if headless else ""
        await browser.close()
