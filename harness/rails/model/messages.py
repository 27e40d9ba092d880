"""The format of `/v1/messages`, which Anthropic's models and servers like theirs speak."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from typing import Any

from harness.rails.model.chat import UNSEEN
from harness.rails.model.tools import Tool
from harness.rails.model.turns import Call, Outcome, Stop, Tokens, Turn, count, unlike

VERSION = "2023-06-01"
LONGEST = 8192  # tokens of one turn; this format wants to be told
_CACHED = {"cache_control": {"type": "ephemeral"}}


class MessagesTalk:
    """A conversation in this format. It asks for what was said so far to be cached, which costs less."""

    path = "/v1/messages"

    def __init__(self, model: str, system: str, tools: Sequence[Tool]) -> None:
        self._model = model
        self._system = [{"type": "text", "text": system, **_CACHED}]
        self._messages: list[dict[str, Any]] = []
        self._tools = [{"name": t.name, "description": t.says, "input_schema": dict(t.schema)} for t in tools]

    def headers(self, key: str) -> dict[str, str]:
        """The key, and the format's version."""
        return {"anthropic-version": VERSION, **({"x-api-key": key} if key else {})}

    def body(self) -> dict[str, Any]:
        """Model, system prompt, tools and messages, the last of which is where the cache ends."""
        *before, last = self._messages
        *blocks, end = last["content"]
        marked = {**last, "content": [*blocks, {**end, **_CACHED}]}
        return {
            "model": self._model,
            "max_tokens": LONGEST,
            "system": self._system,
            "tools": self._tools,
            "messages": [*before, marked],
        }

    def hear(self, answer: Any) -> Turn:
        """Takes the blocks of a message. Raises ModelError."""
        try:
            blocks = [block for block in answer["content"] if not _is_blank(block)]
            calls = tuple(_call(block) for block in blocks if block["type"] == "tool_use")
            text = "\n".join(block["text"] for block in blocks if block["type"] == "text").strip()
            reason = str(answer.get("stop_reason"))
        except (AttributeError, KeyError, TypeError):
            raise unlike(answer) from None
        if blocks:
            self._messages.append({"role": "assistant", "content": [_kept(block) for block in blocks]})
        return Turn(text, calls, _stop(reason, calling=bool(calls)), _tokens(answer.get("usage")))

    def say(self, text: str) -> None:
        """A text of the user's."""
        self._add([{"type": "text", "text": text}])

    def tell(self, outcomes: Sequence[tuple[Call, Outcome]]) -> None:
        """A result for each call, in one message."""
        self._add([_result(call, outcome) for call, outcome in outcomes])

    def _add(self, blocks: list[dict[str, Any]]) -> None:
        if self._messages and self._messages[-1]["role"] == "user":  # the model's turn was empty
            self._messages[-1]["content"] += blocks
        else:
            self._messages.append({"role": "user", "content": blocks})

    def blind(self) -> bool:
        """Says a sentence in the place of pictures."""
        found = False
        for message in self._messages:
            for block in message["content"]:
                parts: list[dict[str, Any]] = block["content"] if block["type"] == "tool_result" else []
                for n, part in enumerate(parts):
                    if part["type"] == "image":
                        parts[n], found = {"type": "text", "text": UNSEEN}, True
        return found


def _is_blank(block: Mapping[str, Any]) -> bool:
    """A text of nothing, which the format lets a model say and nobody send back."""
    return block["type"] == "text" and not str(block["text"]).strip()


def _call(block: Mapping[str, Any]) -> Call:
    given = block.get("input")
    known = given if isinstance(given, dict) else None
    return Call(str(block["id"]), str(block["name"]), known, json.dumps(given, ensure_ascii=False))


def _kept(block: dict[str, Any]) -> dict[str, Any]:
    """A block as it is sent back: as it came, thoughts and their signatures too."""
    broken = block["type"] == "tool_use" and not isinstance(block.get("input"), dict)
    return {**block, "input": {}} if broken else block


def _stop(reason: str, *, calling: bool) -> Stop:
    if reason == "refusal":
        return "refused"
    if reason in ("max_tokens", "model_context_window_exceeded"):
        return "cut"
    return "calls" if calling else "end"


def _tokens(usage: Any) -> Tokens | None:
    if not isinstance(usage, dict):
        return None
    cached, written = count(usage, "cache_read_input_tokens"), count(usage, "cache_creation_input_tokens")
    asked = count(usage, "input_tokens") + cached + written
    return Tokens(asked, count(usage, "output_tokens"), cached, written)


def _result(call: Call, outcome: Outcome) -> dict[str, Any]:
    parts: list[dict[str, Any]] = [{"type": "text", "text": outcome.text or "(nothing)"}]
    if outcome.image is not None:
        source = {
            "type": "base64",
            "media_type": "image/png",
            "data": base64.b64encode(outcome.image).decode(),
        }
        parts.append({"type": "image", "source": source})
    told = {"type": "tool_result", "tool_use_id": call.id, "content": parts}
    return {**told, "is_error": True} if outcome.failed else told
