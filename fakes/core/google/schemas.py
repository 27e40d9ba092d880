"""What the answers, bodies and parameters of an API are made of, as its discovery document tells it.

    Schema("A mailbox's address.", {"emailAddress": TEXT, "historyId": UINT64, "labels": many(ref("Label"))})

The formats are those of developers.google.com/discovery/v1/type-format: 64-bit numbers are strings.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

BOUNDS = {"int32": (-(1 << 31), 1 << 31), "uint32": (0, 1 << 32), "int64": (-(1 << 63), 1 << 63),
          "uint64": (0, 1 << 64)}  # fmt: skip
"""The least of each kind of number, and the first beyond it."""
_UPPER = re.compile(r"(?<!^)[A-Z]")


def proto_name(name: str) -> str:
    """A field or schema as Google's own messages call it: `addLabelIds` is `add_label_ids`."""
    return _UPPER.sub(lambda letter: f"_{letter[0]}", name).lower()


@dataclass(frozen=True)
class Field:
    """A field or parameter: its JSON type and format, the words that it may be, the schema that it refers to,
    or the field that it is a list of. `default` is of a parameter.
    """

    type: str = ""
    format: str = ""
    words: tuple[str, ...] = ()
    schema: str = ""
    of: Field | None = None
    default: str = ""
    read_only: bool = False
    deprecated: bool = False

    @property
    def innermost(self) -> Field:
        """The field itself, or what it is a list of."""
        return self.of if self.of is not None else self

    def unless_told(self, default: str) -> Field:
        """The same, with a default."""
        return replace(self, default=default)

    def told(self) -> dict[str, Any]:
        """As the document has it."""
        if self.of is not None:
            told: dict[str, Any] = {"type": "array", "items": self.of.told()}
        elif self.schema:
            told = {"$ref": self.schema}
        else:
            told = {"type": self.type}
        if self.format:
            told["format"] = self.format
        if self.words:
            told |= {"enum": list(self.words), "enumDescriptions": [""] * len(self.words)}
        if self.read_only:
            told["readOnly"] = True
        if self.deprecated:
            told["deprecated"] = True
        return told


@dataclass(frozen=True)
class Schema:
    """An object: what it is, in a line, and its fields."""

    says: str
    fields: Mapping[str, Field] = field(default_factory=dict)

    @cached_property
    def names(self) -> Mapping[str, str]:
        """The fields' names by the ways in which they may be said."""
        return {proto_name(name): name for name in self.fields} | {name: name for name in self.fields}

    def told(self, name: str) -> dict[str, Any]:
        """As the document has it."""
        properties = {key: each.told() for key, each in self.fields.items()}
        return {"id": name, "type": "object", "description": self.says, "properties": properties}


Schemas = Mapping[str, Schema]

TEXT = Field("string")
FLAG = Field("boolean")
INT32 = Field("integer", "int32")
UINT32 = Field("integer", "uint32")
INT64 = Field("string", "int64")
UINT64 = Field("string", "uint64")
BYTES = Field("string", "byte")
TIME = Field("string", "google-datetime")


def ref(schema: str) -> Field:
    """An object of this schema."""
    return Field(schema=schema)


def many(of: Field) -> Field:
    """A list."""
    return Field(of=of)


def one_of(*words: str) -> Field:
    """One of these words."""
    return Field("string", words=words)


def read_only(of: Field) -> Field:
    """A field that only answers have."""
    return replace(of, read_only=True)


def deprecated(of: Field) -> Field:
    """A field that is still taken."""
    return replace(of, deprecated=True)
