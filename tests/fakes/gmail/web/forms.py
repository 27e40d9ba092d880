"""Forms of the pages, as tests fill them in."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

import httpx


async def post(client: httpx.AsyncClient, path: str, **fields: str | list[str]) -> httpx.Response:
    """Posts a form with the session's token, as it stands on every page."""
    token = re.search(r'name="csrf" value="([^"]*)"', (await client.get("/labels/new")).text)
    assert token
    return await client.post(path, data={"csrf": token[1], **fields})


async def act(client: httpx.AsyncClient, do: str, **fields: str | list[str]) -> dict[str, str]:
    """Does something to mail; returns what the address that it leads to says of it."""
    answer = await post(client, "/act", do=do, **fields)
    assert answer.status_code == 303, answer.text
    query = parse_qs(urlsplit(answer.headers["location"]).query)
    return {name: values[0] for name, values in query.items()}
