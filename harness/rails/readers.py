"""Reads what known agents print, a function for each one's format.

An event that a function does not know is noted as it is: formats grow.
"""

from __future__ import annotations

import json
import re
from typing import Any

from harness.rails.reading import Entries, Event, Reading, of_events, plain


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _claude_code(event: Event, reading: Reading) -> Entries | None:
    match event.get("type"):
        case "assistant":
            _claude_reply(event["message"], reading)
            return [_claude_block(block) for block in event["message"]["content"]]
        case "user":
            content = event["message"]["content"]
            blocks = [content] if isinstance(content, str) else content
            return [("result", _shown(b.get("content", b) if isinstance(b, dict) else b)) for b in blocks]
        case "result":
            return _claude_result(event, reading)
    return None


def _claude_block(block: Event) -> tuple[str, str]:
    if block["type"] == "tool_use":
        return "tool", f"{block['name']} {_shown(block['input'])}"
    return ("thought", block["thinking"]) if block["type"] == "thinking" else ("said", str(block["text"]))


def _claude_reply(message: Event, reading: Reading) -> None:
    """Counts a reply; one comes in several events of the same id. The result, if it comes, knows better."""
    reading.replies[message["id"]] = _claude_tokens(message["usage"])
    reading.steps = len(reading.replies)
    reading.tokens_in = sum(taken for taken, _ in reading.replies.values())
    reading.tokens_out = sum(given for _, given in reading.replies.values())


def _claude_tokens(usage: Event) -> tuple[int, int]:
    """Tokens in, those from and for the cache included, and tokens out."""
    names = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    return sum(usage.get(name) or 0 for name in names), usage.get("output_tokens") or 0


def _claude_result(event: Event, reading: Reading) -> Entries:
    reading.steps = event.get("num_turns", reading.steps)
    reading.cost_usd = event.get("total_cost_usd")
    if "usage" in event:
        reading.tokens_in, reading.tokens_out = _claude_tokens(event["usage"])
    reading.out_of_turns = event.get("subtype") == "error_max_turns"
    said = _shown(event.get("result") or event.get("errors") or event.get("subtype", ""))
    if event.get("is_error"):
        reading.problem = said
    return [("end", said)]


def _codex(event: Event, reading: Reading) -> Entries | None:
    match event.get("type"):
        case "item.completed":
            return _codex_item(event["item"], reading)
        case "turn.completed":
            usage = event["usage"]
            reading.count(tokens_in=usage["input_tokens"], tokens_out=usage["output_tokens"])
            return []
        case "turn.failed":
            reading.problem = _shown(event["error"]["message"])
            return [("end", reading.problem)]
        case "thread.started" | "turn.started" | "item.started" | "item.updated":
            return []
    return None


def _codex_item(item: Event, reading: Reading) -> Entries | None:
    match item["type"]:
        case "agent_message":
            return [("said", item["text"])]
        case "reasoning":
            return [("thought", item["text"])]
        case "command_execution":
            reading.count(steps=1)
            return [("tool", item["command"]), ("result", item.get("aggregated_output", ""))]
        case "error":
            return [("result", item["message"])]
    reading.count(steps=1)  # a change of files, a search, a tool of a server
    return [("tool", _shown(item))]


def _gemini(event: Event, reading: Reading) -> Entries | None:
    match event.get("type"):
        case "message":
            return [("said", event["content"])] if event["role"] == "assistant" else []
        case "tool_use":
            return [("tool", f"{event['tool_name']} {_shown(event['parameters'])}")]
        case "tool_result":
            return [("result", _shown(event.get("output") or event.get("error") or event["status"]))]
        case "result":
            stats = event.get("stats") or {}
            reading.steps = stats.get("tool_calls")
            reading.tokens_in, reading.tokens_out = stats.get("input_tokens"), stats.get("output_tokens")
            if event.get("status") == "error":
                reading.problem = _shown((event.get("error") or {}).get("message", "it failed"))
            return [("end", reading.problem or event.get("status", ""))]
        case "init":
            return []
    return None


def _opencode(event: Event, reading: Reading) -> Entries | None:
    part = event.get("part") or {}
    match event.get("type"):
        case "text":
            return [("said", part["text"])]
        case "tool_use":
            state = part.get("state") or {}
            return [
                ("tool", f"{part['tool']} {_shown(state.get('input', {}))}"),
                ("result", _shown(state.get("output") or state.get("error") or state.get("status", ""))),
            ]
        case "step_finish":
            _opencode_step(part, reading)
            return []
        case "error":
            error = event.get("error") or event
            reading.problem = _shown((error.get("data") or {}).get("message") or error.get("name") or error)
            return [("end", reading.problem)]
        case "step_start":
            return []
    return None


def _opencode_step(part: Event, reading: Reading) -> None:
    tokens, cost = part.get("tokens") or {}, part.get("cost") or 0.0
    cache = tokens.get("cache") or {}
    taken = tokens.get("input", 0) + cache.get("read", 0) + cache.get("write", 0)
    given = tokens.get("output", 0) + tokens.get("reasoning", 0)
    reading.count(steps=1, tokens_in=taken, tokens_out=given, cost=cost)


_AIDER_TOKENS = re.compile(r"Tokens: ([\d.,]+)(k?M?) sent,.*?([\d.,]+)(k?M?) received")
_AIDER_COST = re.compile(r"Cost: \$[\d.]+ message, \$([\d.]+) session")
_FACTORS = {"": 1, "k": 1000, "M": 1_000_000}


def aider(line: str, reading: Reading) -> Entries:
    """Text, with a line of tokens and dollars after each reply."""
    if found := _AIDER_TOKENS.search(line):
        sent, received = (
            round(float(found[n].replace(",", "")) * _FACTORS.get(found[n + 1], 1)) for n in (1, 3)
        )
        reading.count(steps=1, tokens_in=sent, tokens_out=received)
    if cost := _AIDER_COST.search(line):
        reading.cost_usd = float(cost[1])
    return plain(line, reading)


def _stand_in(event: Event, reading: Reading) -> Entries | None:
    if event.get("kind") == "problem":
        reading.problem = event["text"]
    if event.get("kind") == "tool":
        reading.steps = (reading.steps or 0) + 1
    return [(event["kind"], event["text"])]


claude_code, codex = of_events(_claude_code), of_events(_codex)
gemini, opencode, stand_in = of_events(_gemini), of_events(_opencode), of_events(_stand_in)
