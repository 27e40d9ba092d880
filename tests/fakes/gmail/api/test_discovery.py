from __future__ import annotations

import json
import re
from typing import Any

import httpx
from googleapiclient.discovery_cache import get_static_doc as vendors_document

from fakes.gmail.api.faked import FAKED
from fakes.gmail.api.methods import METHODS


async def test_the_document_leads_back_here(anyone: httpx.AsyncClient) -> None:
    document = (await anyone.get("/discovery/v1/apis/gmail/v1/rest")).json()
    assert document["rootUrl"] == document["baseUrl"] == "http://127.0.0.1:8080/w/main/"
    del document["auth"]
    assert "googleapis.com" not in re.sub(r"https://www\.googleapis\.com/auth/[\w.]+", "", str(document))


DOCUMENT = "/discovery/v1/apis/gmail/v1/rest"
OURS = {"description", "title", "revision", "rootUrl", "baseUrl"}
"""What we say otherwise: words, and where everything is."""
LEFT_OUT = {
    "mtlsRootUrl", "canonicalName", "icons", "documentationLink", "ownerDomain", "ownerName", "annotations",
    "enumDescriptions",
}  # fmt: skip


def facts(told: Any) -> Any:
    """A document without its words."""
    if isinstance(told, list):
        return [facts(each) for each in told]
    if not isinstance(told, dict):
        return told
    passed = {name for name in OURS | LEFT_OUT if not isinstance(told.get(name), dict)}
    return {name: facts(each) for name, each in told.items() if name not in passed | {"icons", "annotations"}}


async def test_it_states_the_facts_of_the_vendors_document(anyone: httpx.AsyncClient) -> None:
    ours = (await anyone.get(DOCUMENT)).json()
    assert facts(ours) == facts(json.loads(vendors_document("gmail", "v1")))


async def test_it_is_in_our_words(anyone: httpx.AsyncClient) -> None:
    def words(told: Any) -> set[str]:
        if isinstance(told, list):
            return set().union(*map(words, told))
        if not isinstance(told, dict):
            return set()
        own = {told["description"]} if isinstance(told.get("description"), str) else set()
        return own.union(*map(words, told.values()))

    ours = words((await anyone.get(DOCUMENT)).json())
    assert not {each for each in ours & words(json.loads(vendors_document("gmail", "v1"))) if each}


async def test_by_host_its_urls_are_that_hosts(visitor: httpx.AsyncClient) -> None:
    document = (await visitor.get(DOCUMENT)).json()
    assert document["rootUrl"] == document["baseUrl"] == "http://gmail.main.localhost:8080/"


def test_the_vendors_methods_are_79() -> None:
    assert len(METHODS) == 79
    assert set(FAKED) < set(METHODS)
