"""An API as its vendor describes it: methods, schemas, scopes. A fake states these once; its routes, its
discovery document, what it checks in requests and what `paracosm coverage` counts all come from there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from fakes.core.google.schemas import Field, Schemas, proto_name

__all__ = ["Api", "Method", "proto_name"]

_IN_PATH = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Method:
    """A method: `path` as a template from the API's root, `takes` and `answers` the names of schemas, `query`
    its own parameters there, `scopes` those of which a token must have one. `most` is the size of an upload
    in bytes, 0 where it takes none.
    """

    verb: str
    path: str
    does: str
    scopes: tuple[str, ...]
    takes: str = ""
    answers: str = ""
    query: Mapping[str, Field] = field(default_factory=dict)
    most: int = 0
    accept: tuple[str, ...] = ()

    @cached_property
    def in_path(self) -> tuple[str, ...]:
        """The parameters in the path, in their order."""
        return tuple(_IN_PATH.findall(self.path))

    @cached_property
    def body(self) -> str:
        """The field that the body is, as errors call it: "message" of a Message; "" for all of a request."""
        return "" if self.takes.endswith("Request") else proto_name(self.takes)


@dataclass(frozen=True)
class Api:
    """An API. `batch` is the path of its batches below the root; `says` tells what each path parameter is."""

    name: str
    version: str
    title: str
    description: str
    batch: str
    methods: Mapping[str, Method]
    schemas: Schemas
    scopes: Mapping[str, str]
    says: Mapping[str, str]
