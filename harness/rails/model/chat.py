"""The format of `/chat/completions`, which OpenAI and many servers of open models speak."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from typing import Any

from harness.rails.model.tools import Tool
from harness.rails.model.turns import Call, Outcome, Stop, Tokens, Turn, count, unlike

UNSEEN = "(The picture can't be shown to this model.)"


class ChatTalk:
    """A conversation in this format. Pictures follow the tools' answers, which are text alone."""

    path = "/chat/completions"

    def __init__(self, model: str, system: str, tools: Sequence[Tool]) -> None:
        self._model = model
        self._messages: list[dict[str, Any]] = [{"role": "system", "content": system}]
        self._tools = [
            {
                "type": "function",
                "function": {"name": t.name, "description": t.says, "parameters": dict(t.schema)},
            }
            for t in tools
        ]

    def headers(self, key: str) -> dict[str, str]:
        """A bearer token."""
        return {"authorization": f"Bearer {key}"} if key else {}

    def body(self) -> dict[str, Any]:
        """Model, messages and tools; how long an answer may be is the server's to say."""
        return {"model": self._model, "messages": self._messages, "tools": self._tools}

    def hear(self, answer: Any) -> Turn:
        """Takes the first choice. Raises ModelError."""
        try:
            choice = answer["choices"][0]
            message: dict[str, Any] = choice["message"]
            calls = tuple(_call(n, each) for n, each in enumerate(message.get("tool_calls") or ()))
        except (AttributeError, IndexError, KeyError, TypeError):
            raise unlike(answer) from None
        text, refusal = _text(message.get("content")), _text(message.get("refusal"))
        if text or calls:
            self._messages.append(_kept(text, calls))
        stop = _stop(str(choice.get("finish_reason")), refused=bool(refusal), calling=bool(calls))
        return Turn(refusal or text, calls, stop, _tokens(answer.get("usage")))

    def say(self, text: str) -> None:
        """A message of the user's."""
        self._messages.append({"role": "user", "content": text})

    def tell(self, outcomes: Sequence[tuple[Call, Outcome]]) -> None:
        """A message of each tool, then the pictures."""
        for call, outcome in outcomes:
            said = f"Error: {outcome.text}" if outcome.failed else outcome.text
            self._messages.append({"role": "tool", "tool_call_id": call.id, "content": said})
        shown = [outcome.image for _, outcome in outcomes if outcome.image is not None]
        if shown:
            self._messages.append({"role": "user", "content": [_picture(image) for image in shown]})

    def blind(self) -> bool:
        """Says a sentence in the place of pictures."""
        found = [message for message in self._messages if isinstance(message["content"], list)]
        for message in found:
            message["content"] = UNSEEN
        return bool(found)


def _call(n: int, sent: Mapping[str, Any]) -> Call:
    function = sent["function"]
    text = function.get("arguments") or "{}"
    try:
        arguments = text if isinstance(text, dict) else json.loads(text)
    except (TypeError, ValueError, RecursionError):
        arguments = None
    known = arguments if isinstance(arguments, dict) else None
    return Call(str(sent.get("id") or f"call_{n}"), str(function["name"]), known, str(text))


def _kept(text: str, calls: Sequence[Call]) -> dict[str, Any]:
    """A turn as it is sent back. Some servers read arguments again, so broken ones can't be."""
    message: dict[str, Any] = {"role": "assistant", "content": text or None}
    if calls:
        message["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": json.dumps(call.arguments or {})},
            }
            for call in calls
        ]
    return message


def _text(content: Any) -> str:
    if isinstance(content, list):
        content = "".join(str(part.get("text") or "") for part in content if isinstance(part, dict))
    return content.strip() if isinstance(content, str) else ""


def _stop(reason: str, *, refused: bool, calling: bool) -> Stop:
    if refused or reason == "content_filter":
        return "refused"
    if reason == "length":
        return "cut"
    return "calls" if calling else "end"


def _tokens(usage: Any) -> Tokens | None:
    if not isinstance(usage, dict):
        return None
    cached = count(usage, "prompt_tokens_details", "cached_tokens")
    return Tokens(count(usage, "prompt_tokens"), count(usage, "completion_tokens"), cached)


def _picture(image: bytes) -> dict[str, Any]:
    url = f"data:image/png;base64,{base64.b64encode(image).decode()}"
    return {"type": "image_url", "image_url": {"url": url}}
