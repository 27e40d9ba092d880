from __future__ import annotations

import re

import httpx

from fakes.gmail.api.faked import FAKED
from fakes.gmail.api.methods import METHODS


async def test_the_document_leads_back_here(anyone: httpx.AsyncClient) -> None:
    document = (await anyone.get("/discovery/v1/apis/gmail/v1/rest")).json()
    assert document["rootUrl"] == document["baseUrl"] == "http://127.0.0.1:8080/w/main/"
    assert "googleapis.com" not in str(document)


async def test_it_tells_what_is_faked(anyone: httpx.AsyncClient) -> None:
    document = (await anyone.get("/discovery/v1/apis/gmail/v1/rest")).json()
    told = re.findall(r"'id': 'gmail\.([\w.]+)'", str(document["resources"]))
    assert sorted(told) == sorted(FAKED)


def test_the_vendors_methods_are_79() -> None:
    assert len(METHODS) == 79
    assert set(FAKED) < set(METHODS)
