"""A person's browser at the portal, as an HTTP client, and what its tests do with it."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from html import unescape

import httpx

from harness.app import Server
from tests.harness.notes import client

MIRA = "mira@harborlight.example"
TOM = "tom@harborlight.example"


@asynccontextmanager
async def at_portal(server: Server) -> AsyncIterator[httpx.AsyncClient]:
    """A browser that has used the link."""
    async with client(server) as opened:
        assert (await opened.get(f"/open?key={server.door.new_key()}")).status_code == 303
        yield opened


def words(page: str) -> str:
    """What a page says, without its tags."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())


async def text_of(browser: httpx.AsyncClient, path: str) -> str:
    """What the page at a path says."""
    answer = await browser.get(path)
    assert answer.status_code == 200, answer.text
    return words(answer.text)


async def csrf_of(browser: httpx.AsyncClient) -> str:
    """The token that the session's forms carry."""
    found = re.search(r'name="csrf" value="([^"]+)"', (await browser.get("/worlds/main/")).text)
    assert found
    return found[1]


async def send(browser: httpx.AsyncClient, path: str, **fields: str | list[str]) -> httpx.Response:
    """Sends a form as the pages hold it; a list is a field with several values."""
    return await browser.post(path, data={"csrf": await csrf_of(browser), **fields})


async def said(browser: httpx.AsyncClient, answer: httpx.Response) -> str:
    """What the page that a form leads to says in its status line."""
    assert answer.status_code == 303, answer.text
    page = (await browser.get(answer.headers["location"])).text
    found = re.search(r'id="flash"[^>]*>([^<]*)<', page)
    assert found
    return unescape(found[1])
