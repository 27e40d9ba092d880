"""Which methods an API of Google's has, by the document that Google's own client package brings along."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import orjson

from fakes.core.google.methods import Api

_DOCUMENTS = Path("discovery_cache", "documents")


def methods_of(api: Api) -> tuple[str, ...]:
    """The names of an API's methods, sorted: by the client package where it is installed, else as the fake
    has written them down.
    """
    document = _document(f"{api.name}.{api.version}.json")
    if document is None:
        return tuple(sorted(api.methods))
    return tuple(sorted(name.removeprefix(f"{api.name}.") for name in _ids(document["resources"])))


def _document(name: str) -> dict[str, Any] | None:
    found = find_spec("googleapiclient")  # which is not imported: that takes a while
    for folder in found.submodule_search_locations or () if found else ():
        path = Path(folder) / _DOCUMENTS / name
        if path.is_file():
            document: dict[str, Any] = orjson.loads(path.read_bytes())
            return document
    return None


def _ids(resources: Mapping[str, Any]) -> Iterator[str]:
    for resource in resources.values():
        yield from (method["id"] for method in resource.get("methods", {}).values())
        yield from _ids(resource.get("resources", {}))
