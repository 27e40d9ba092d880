"""An endpoint that plays a model from a script, in both wire formats, and finds fault with what it hears."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

KEY = "sk-test-0123456789abcdef"
Dialect = Literal["openai", "anthropic"]


@dataclass(frozen=True)
class Says:
    """A turn of the model. Arguments that are text are sent as they are, which may be no JSON."""

    text: str = ""
    calls: Sequence[tuple[str, Any]] = ()
    stop: str = ""
    refusal: str = ""


@dataclass(frozen=True)
class Answers:
    """An answer that is none of a model's."""

    status: int
    content: Any = None
    headers: dict[str, str] = field(default_factory=dict)


def use(name: str, /, **arguments: Any) -> Says:
    """A turn that calls one tool."""
    return Says(calls=[(name, arguments)])


DONE = use("done")
Step = Says | Answers | Callable[[list[str]], Says]
"""A turn, or what makes one of the newest texts that the model was told."""


class Script:
    """The endpoint. `heard` are the bodies of requests, `problems` what is wrong with them."""

    def __init__(self, *steps: Step) -> None:
        self._steps = list(steps)
        self.heard: list[dict[str, Any]] = []
        self.problems: list[str] = []
        self._ids = 0
        self.app = Starlette(
            routes=[
                Route("/v1/chat/completions", self._chat, methods=["POST"]),
                Route("/v1/messages", self._messages, methods=["POST"]),
            ]
        )

    @property
    def left(self) -> int:
        """How many steps nobody asked for."""
        return len(self._steps)

    async def _chat(self, request: Request) -> Response:
        body = await self._hear(request, ("authorization", f"Bearer {KEY}"))
        self._check_chat(body["messages"])
        return self._answer(told_in_chat(body), self._as_choice)

    async def _messages(self, request: Request) -> Response:
        body = await self._hear(request, ("x-api-key", KEY))
        if request.headers.get("anthropic-version") != "2023-06-01" or body.get("max_tokens", 0) < 1:
            self.problems.append("version or max_tokens are missing")
        self._check_messages(body["messages"])
        return self._answer(told_in_messages(body), self._as_message)

    async def _hear(self, request: Request, credential: tuple[str, str]) -> dict[str, Any]:
        body: dict[str, Any] = await request.json()
        if request.headers.get(credential[0]) != credential[1]:
            self.problems.append(f"the key came as {request.headers.get(credential[0])!r}")
        if KEY in json.dumps(body):
            self.problems.append("the key is among the messages")
        self.heard.append(body)
        return body

    def _answer(self, told: list[str], render: Callable[[Says], dict[str, Any]]) -> Response:
        if not self._steps:
            self.problems.append("the script is over")
            return JSONResponse({"error": {"message": "the script is over"}}, 400)
        step = self._steps.pop(0)
        if isinstance(step, Answers):
            if isinstance(step.content, str):
                return Response(step.content, step.status, step.headers)
            return JSONResponse(step.content, step.status, step.headers)
        try:
            return JSONResponse(render(step if isinstance(step, Says) else step(told)))
        except (AssertionError, LookupError, TypeError, ValueError) as error:
            self.problems.append(f"the script broke: {error!r}")
            return JSONResponse({"error": {"message": "the script broke"}}, 400)

    def _id(self) -> str:
        self._ids += 1
        return f"call-{self._ids}"

    # one format

    def _as_choice(self, says: Says) -> dict[str, Any]:
        calls = [
            {
                "id": self._id(),
                "type": "function",
                "function": {"name": n, "arguments": a if isinstance(a, str) else json.dumps(a)},
            }
            for n, a in says.calls
        ]
        message = {"role": "assistant", "content": says.text or None, "refusal": says.refusal or None}
        return {
            "choices": [
                {
                    "message": {**message, **({"tool_calls": calls} if calls else {})},
                    "finish_reason": says.stop or ("tool_calls" if calls else "stop"),
                }
            ],
            "usage": {
                "prompt_tokens": 1000,
                "completion_tokens": 10,
                "prompt_tokens_details": {"cached_tokens": 800},
            },
        }

    def _check_chat(self, messages: list[dict[str, Any]]) -> None:
        """Every call is answered, right after it."""
        for n, message in enumerate(messages):
            asked = [call["id"] for call in message.get("tool_calls", ())]
            told = [m.get("tool_call_id") for m in messages[n + 1 : n + 1 + len(asked)]]
            if asked != told:
                self.problems.append(f"{asked} were answered as {told}")
            for call in message.get("tool_calls", ()):
                json.loads(call["function"]["arguments"])

    # the other

    def _as_message(self, says: Says) -> dict[str, Any]:
        text = [{"type": "text", "text": says.text}] if says.text else []
        calls = [{"type": "tool_use", "id": self._id(), "name": n, "input": a} for n, a in says.calls]
        return {
            "type": "message",
            "role": "assistant",
            "content": [*text, *calls],
            "stop_reason": "refusal" if says.refusal else says.stop or ("tool_use" if calls else "end_turn"),
            "usage": {
                "input_tokens": 100,
                "cache_read_input_tokens": 800,
                "cache_creation_input_tokens": 100,
                "output_tokens": 10,
            },
        }

    def _check_messages(self, messages: list[dict[str, Any]]) -> None:
        """Roles take turns, nothing is empty, and every call is answered in the next message."""
        roles = [message["role"] for message in messages]
        if any(a == b for a, b in zip(roles, roles[1:], strict=False)) or roles[-1:] != ["user"]:
            self.problems.append(f"the roles are {roles}")
        for before, after in zip(messages, messages[1:], strict=False):
            asked = [b["id"] for b in before["content"] if b["type"] == "tool_use"]
            told = [b["tool_use_id"] for b in after["content"] if b["type"] == "tool_result"]
            if asked != told:
                self.problems.append(f"{asked} were answered as {told}")
        for message in messages:
            if not message["content"] or any(b.get("text") == "" for b in message["content"]):
                self.problems.append("there is an empty message")


def told_in_chat(body: dict[str, Any]) -> list[str]:
    """The texts since the model's last turn."""
    newest: list[str] = []
    for message in reversed(body["messages"]):
        if message["role"] in ("assistant", "system"):
            break
        newest.insert(0, message["content"] if isinstance(message["content"], str) else "[picture]")
    return newest


def told_in_messages(body: dict[str, Any]) -> list[str]:
    """The texts since the model's last turn."""
    newest: list[str] = []
    for block in body["messages"][-1]["content"]:
        parts = block["content"] if block["type"] == "tool_result" else [block]
        newest += [part.get("text", "[picture]") for part in parts]
    return newest


def ref(texts: list[str], element: str) -> str:
    """The ref of an element in the newest snapshot: `ref(told, 'button "Send"')`."""
    found = re.findall(rf"{re.escape(element)}[^\n]*?\[ref=(\w+)\]", texts[-1])
    assert found, f"no {element} in {texts[-1]}"
    return str(found[0])
