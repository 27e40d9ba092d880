"""What is read of known agents: samples in their formats, as entries and as what they took."""

from __future__ import annotations

import json
from typing import Any

import pytest

from harness.evidence import Usage
from harness.rails import readers
from harness.rails.reading import Entries, Reader, Reading


def read(reader: Reader, *events: Any) -> tuple[Entries, Reading]:
    reading, entries = Reading(), []
    for event in events:
        entries += reader(event if isinstance(event, str) else json.dumps(event), reading)
    return entries, reading


def reply(id: str, block: dict[str, Any], tokens_out: int) -> dict[str, Any]:
    usage = {"input_tokens": 5, "cache_read_input_tokens": 90, "output_tokens": tokens_out}
    return {"type": "assistant", "message": {"id": id, "content": [block], "usage": usage}}


CLAUDE = [
    {"type": "system", "subtype": "init", "tools": ["Bash"]},
    reply("msg_1", {"type": "thinking", "thinking": "Where is it?"}, 3),
    reply("msg_1", {"type": "tool_use", "name": "Bash", "input": {"command": "ls"}}, 7),
    {"type": "user", "message": {"content": [{"type": "tool_result", "content": "TASK.md"}]}},
    reply("msg_2", {"type": "text", "text": "Found."}, 2),
]


def test_claude_code_is_read() -> None:
    usage = {"input_tokens": 11, "cache_creation_input_tokens": 100, "cache_read_input_tokens": 200}
    result = {"type": "result", "subtype": "success", "is_error": False, "num_turns": 3, "result": "Found."}
    result |= {"total_cost_usd": 0.25, "usage": {**usage, "output_tokens": 12}}
    entries, reading = read(readers.claude_code, *CLAUDE, result)
    assert entries[1:] == [
        ("thought", "Where is it?"),
        ("tool", 'Bash {"command": "ls"}'),
        ("result", "TASK.md"),
        ("said", "Found."),
        ("end", "Found."),
    ]
    assert entries[0][0] == "event" and not reading.problem
    assert reading.usage == Usage(3, 311, 12, 0.25)


def test_of_an_agent_that_was_cut_short_what_it_took_is_known_so_far() -> None:
    assert read(readers.claude_code, *CLAUDE)[1].usage == Usage(2, 190, 9, None)


def test_claude_code_says_when_turns_run_out_and_when_it_fails() -> None:
    result = {"type": "result", "subtype": "error_max_turns", "is_error": True, "num_turns": 5, "errors": []}
    assert read(readers.claude_code, result)[1].out_of_turns
    failed = {"type": "result", "subtype": "success", "is_error": True, "result": "Invalid API key"}
    _, reading = read(readers.claude_code, failed)
    assert (reading.problem, reading.out_of_turns) == ("Invalid API key", False)


def test_codex_is_read() -> None:
    entries, reading = read(
        readers.codex,
        {"type": "thread.started", "thread_id": "0199"},
        {"type": "item.started", "item": {"type": "command_execution", "command": "ls"}},
        {"type": "item.completed", "item": {"type": "reasoning", "text": "Look first."}},
        {"type": "item.completed", "item": {"type": "command_execution", "command": "ls", "exit_code": 0,
                                            "aggregated_output": "TASK.md\n"}},
        {"type": "item.completed", "item": {"type": "file_change", "changes": [{"path": "a.py"}]}},
        {"type": "item.completed", "item": {"type": "agent_message", "text": "Done."}},
        {"type": "turn.completed", "usage": {"input_tokens": 900, "cached_input_tokens": 800,
                                             "output_tokens": 40}},
    )  # fmt: skip
    kinds = [kind for kind, _ in entries]
    assert kinds == ["thought", "tool", "result", "tool", "said"]
    assert reading.usage == Usage(2, 900, 40, None)
    assert (
        read(readers.codex, {"type": "turn.failed", "error": {"message": "no quota"}})[1].problem
        == "no quota"
    )


def test_gemini_is_read() -> None:
    entries, reading = read(
        readers.gemini,
        {"type": "init", "model": "some-model"},
        {"type": "message", "role": "user", "content": "Put it there."},
        {"type": "tool_use", "tool_name": "run_shell_command", "parameters": {"command": "ls"}},
        {"type": "tool_result", "status": "success", "output": "TASK.md"},
        {"type": "message", "role": "assistant", "content": "Done.", "delta": True},
        {"type": "result", "status": "success",
         "stats": {"total_tokens": 130, "input_tokens": 100, "output_tokens": 30, "tool_calls": 1}},
    )  # fmt: skip
    assert [kind for kind, _ in entries] == ["tool", "result", "said", "end"]
    assert reading.usage == Usage(1, 100, 30, None)
    failed = {"type": "result", "status": "error", "error": {"message": "no key"}}
    assert read(readers.gemini, failed)[1].problem == "no key"


def test_opencode_is_read() -> None:
    step = {"type": "step_finish", "part": {"cost": 0.01, "tokens": {
        "input": 10, "output": 5, "reasoning": 2, "cache": {"read": 100, "write": 20}}}}  # fmt: skip
    tool = {
        "type": "tool_use",
        "part": {"tool": "bash", "state": {"input": {"command": "ls"}, "output": "x"}},
    }
    text = {"type": "text", "part": {"text": "Done."}}
    entries, reading = read(readers.opencode, {"type": "step_start"}, tool, step, text, step)
    assert entries == [("tool", 'bash {"command": "ls"}'), ("result", "x"), ("said", "Done.")]
    assert reading.usage == Usage(2, 260, 14, 0.02)
    failed = {"type": "error", "error": {"name": "ProviderAuthError", "data": {"message": "no key"}}}
    assert read(readers.opencode, failed)[1].problem == "no key"


def test_aider_is_read() -> None:
    entries, reading = read(
        readers.aider,
        "I'll change counting.py.",
        "Tokens: 2.5k sent, 1,300 received. Cost: $0.02 message, $0.02 session.",
        "Tokens: 1k sent, 400 cache hit, 200 received. Cost: $0.01 message, $0.03 session.",
    )
    assert len(entries) == 3
    assert reading.usage == Usage(2, 3500, 1500, 0.03)


@pytest.mark.parametrize(
    "reader", [readers.claude_code, readers.codex, readers.gemini, readers.opencode, readers.stand_in]
)
@pytest.mark.parametrize(
    "line",
    ['{"type": "assistant"}', '{"type": "item.completed", "item": null}', '{"type": "tool_use", "part": 3}',
     '{"type": "result", "stats": 1}', "[1]", "null", '{"type": "text", "part": []}', "{", '{"type": 1}',
     "[" * 20_000, '{"type": "item.completed", "item": {"type": "agent_message", "text": {}}}'],
)  # fmt: skip
def test_no_line_is_too_odd_to_be_noted(reader: Reader, line: str) -> None:
    assert len(reader(line, Reading())) == 1


def test_what_an_agent_took_is_a_number_or_nothing() -> None:
    reading = Reading()
    readers.claude_code('{"type": "result", "num_turns": "many", "total_cost_usd": NaN}', reading)
    readers.gemini('{"type": "result", "stats": {"tool_calls": [], "input_tokens": -1}}', reading)
    assert (reading.usage, reading.turns) == (Usage(), 0)
