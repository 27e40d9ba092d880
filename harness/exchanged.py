"""Facts in which two neighbours have changed places: what a play goes by that takes one for the other."""

from __future__ import annotations

import dataclasses
import operator
from typing import Any

from harness.guards import TaskError
from harness.task import Task

_CONTENT = ("content", "text", "body", "object_id")


def exchanged(task: Task, facts: Any, name: str, other: str) -> Any:
    """The facts of a task with `name` and `other`, dotted ones too, exchanged.

    Raises TaskError for a name that leads nowhere, and for two that nobody could take for each other.
    """
    held, tempting = _held(task, facts, name), _held(task, facts, other)
    if type(held) is not type(tempting) and not (_is_input(task, name) and _has_content(tempting)):
        raise TaskError(
            f"neighbours= of {task.slug} pairs {name!r}, {_kind(held)}, with {other!r}, {_kind(tempting)}; "
            "name two facts of one kind."
        )
    return _with(_with(facts, name.split("."), tempting), other.split("."), held)


def _held(task: Task, facts: Any, name: str) -> Any:
    try:
        return operator.attrgetter(name)(facts)
    except AttributeError as error:
        raise TaskError(f"neighbours= of {task.slug} names {name!r}, and {error}.") from None


def _is_input(task: Task, name: str) -> bool:
    return name in task.inputs.values()


def _has_content(value: Any) -> bool:
    """Whether an input could be made of it."""
    return isinstance(value, (str, bytes)) or any(hasattr(value, name) for name in _CONTENT)


def _kind(value: Any) -> str:
    return f"a {type(value).__name__}"


def _with(whole: Any, path: list[str], value: Any) -> Any:
    """A copy of a dataclass in which one attribute, however deep, has another value."""
    first, *rest = path
    return dataclasses.replace(whole, **{first: _with(getattr(whole, first), rest, value) if rest else value})
