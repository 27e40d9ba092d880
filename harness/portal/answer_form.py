"""A task's answer as a form: a field for each value that it asks for, and plain values of what came."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import pydantic

Kind = Literal["text", "number", "date", "choice", "lines", "json"]
NOTHING = "nothing"
"""What a choice of yes and no shows for neither."""


@dataclass(frozen=True)
class Field:
    """A value of an answer: its name, what it is for, how it is filled in, and whether it may stay blank."""

    name: str
    label: str
    hint: str
    kind: Kind
    optional: bool
    options: tuple[str, ...] = ()


def fields_of(answer: type[pydantic.BaseModel]) -> list[Field]:
    """The fields that an answer of this form takes."""
    schema = answer.model_json_schema()
    parts = schema.get("$defs", {})
    return [_field(name, each, parts) for name, each in schema.get("properties", {}).items()]


def _field(name: str, schema: Mapping[str, Any], parts: Mapping[str, Any]) -> Field:
    choices = [_resolved(each, parts) for each in schema.get("anyOf", [schema])]
    known = [each for each in choices if each.get("type") != "null"]
    kind, options = _kind(known[0], parts) if len(known) == 1 else ("json", ())
    label = name.replace("_", " ")
    return Field(
        name, label[:1].upper() + label[1:], _hint(schema.get("description", ""), kind), kind,
        len(known) < len(choices), options,
    )  # fmt: skip


def _resolved(schema: Mapping[str, Any], parts: Mapping[str, Any]) -> Mapping[str, Any]:
    name = str(schema.get("$ref", "")).rpartition("/")[2]
    return parts[name] if name else schema


def _kind(schema: Mapping[str, Any], parts: Mapping[str, Any]) -> tuple[Kind, tuple[str, ...]]:
    match schema.get("type"):
        case "string" if "enum" in schema:
            return "choice", tuple(map(str, schema["enum"]))
        case "string":
            return ("date" if schema.get("format") == "date" else "text"), ()
        case "integer" | "number":
            return "number", ()
        case "boolean":
            return "choice", ("yes", "no")
        case "array" if _resolved(schema.get("items", {}), parts).get("type") in (
            "string",
            "integer",
            "number",
        ):
            return "lines", ()
    return "json", ()


def _hint(description: str, kind: Kind) -> str:
    how = {"lines": "One a line.", "json": "As JSON."}.get(kind, "")
    return " ".join(filter(None, (description, how)))


def values_of(
    answer: type[pydantic.BaseModel], sent: Mapping[str, str]
) -> tuple[dict[str, Any], dict[str, str]]:
    """What was filled in, and what is wrong with it by field."""
    found = {field.name: _value(field, sent.get(field.name, "").strip()) for field in fields_of(answer)}
    values = {name: value for name, value in found.items() if value is not ...}
    try:
        answer.model_validate(values)
    except pydantic.ValidationError as error:
        return values, {str(each["loc"][0] if each["loc"] else ""): each["msg"] for each in error.errors()}
    return values, {}


def _value(field: Field, text: str) -> Any:
    """A field's value; of a blank one None if there may be none, and nothing at all if it has to be there."""
    if not text and field.kind != "lines":
        return None if field.optional else "" if field.kind == "text" else ...
    match field.kind:
        case "number":
            return _number(text)
        case "choice" if field.options == ("yes", "no"):
            return text == "yes"
        case "lines":
            return [_number(line.strip()) for line in text.splitlines() if line.strip()]
        case "json":
            return _json(text)
    return text


def _number(text: str) -> Any:
    """A number, or the text if it is none."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
