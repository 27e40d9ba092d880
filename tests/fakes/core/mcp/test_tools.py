"""Tools by themselves: their forms as schemas, what they refuse, and that nothing heavy comes with them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pydantic
import pytest

from fakes.core.mcp.tools import Arguments, Nothing, Said, ToolCall, ToolRefused, Tools, tool

ROOT = Path(__file__).parents[4]
NOBODY: ToolCall = ToolCall(None, None, None)  # type: ignore[arg-type]


class Titled(Arguments):
    """A form."""

    title: str
    due_day: str = pydantic.Field(default="", description="A day")


def _refuse(call: ToolCall, asked: Arguments) -> Said:
    raise LookupError("There is no such thing.")


def test_schemas_hold_what_a_model_needs_and_no_titles_of_titles() -> None:
    found = tool("t", "T", "Does it.", Titled, _refuse).schema
    assert found == {
        "type": "object",
        "properties": {
            "title": {"type": "string"},
            "dueDay": {"type": "string", "default": "", "description": "A day"},
        },
        "required": ["title"],
        "additionalProperties": False,
    }
    assert tool("n", "N", "Nothing.", Nothing, _refuse).schema["properties"] == {}


def test_a_services_own_errors_are_told_as_they_are() -> None:
    tools = Tools("", [tool("t", "T", "", Nothing, _refuse)], refusals=(LookupError,))
    with pytest.raises(ToolRefused, match=r"There is no such thing\."):
        tools.use("t", NOBODY, {})


def test_any_other_error_is_a_defect() -> None:
    tools = Tools("", [tool("t", "T", "", Nothing, _refuse)])
    with pytest.raises(LookupError):
        tools.use("t", NOBODY, {})


def test_only_what_writes_may_destroy_and_only_once_is_enough_for_a_read() -> None:
    reads, gone = (tool("t", "T", "", Nothing, _refuse, **{way: True}) for way in ("reads", "destroys"))
    assert (reads.hints["idempotentHint"], reads.hints["destructiveHint"]) == (True, False)
    assert (gone.hints["readOnlyHint"], gone.hints["destructiveHint"]) == (False, True)


def test_a_server_is_up_before_it_has_imported_the_protocols_library() -> None:
    script = "import sys, harness.app; harness.app.discover_services(); print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert not {"mcp", "mcp_types", "fakes.gmail.mcp", "fakes.core.mcp.tools"} & set(done.stdout.split())
