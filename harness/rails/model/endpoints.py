"""Where a model is asked: found in the environment, asked again while it is busy; its key is told nobody.

`PARACOSM_MODEL_DIALECT` (openai or anthropic) says which wire format; without it, a name that begins with
"claude" means Anthropic's where that is set up, any other OpenAI's, and else whichever is. Set up is one
whose `…_BASE_URL` or `…_API_KEY` is in the environment; a base URL alone will do for a server that takes no
key.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import Any, Literal

import httpx

from fakes.core.clock import wall_ms
from harness.rails.model.chat import ChatTalk
from harness.rails.model.messages import MessagesTalk
from harness.rails.model.tools import Tool
from harness.rails.model.turns import ModelError, Talk

Dialect = Literal["openai", "anthropic"]
DIALECT = "PARACOSM_MODEL_DIALECT"
HOMES: Mapping[Dialect, str] = {
    "openai": "https://api.openai.com/v1",
    "anthropic": "https://api.anthropic.com",
}
"""Where a key without a base URL is good."""

TRIES = 5
FIRST_WAIT = 1.0  # seconds, twice as long with each try
LONGEST_WAIT = 60.0
READ_TIMEOUT = 300.0  # seconds that a turn may take
_BUSY = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
_SPENT = frozenset({"insufficient_quota", "billing_hard_limit_reached", "enforced_spend_limit_reached"})


class Rejected(ModelError):
    """The endpoint answered an error that asking again does not help; `status` is its number."""

    def __init__(self, sentence: str, status: int) -> None:
        super().__init__(sentence)
        self.status = status


@dataclass(frozen=True)
class Endpoint:
    """Who answers, in which wire format, and what opens it; the base URL has no slash at its end."""

    model: str
    dialect: Dialect
    url: str
    key: str = field(default="", repr=False)

    def talk(self, system: str, tools: Sequence[Tool]) -> Talk:
        """A new conversation in its format."""
        kind = ChatTalk if self.dialect == "openai" else MessagesTalk
        return kind(self.model, system, tools)

    @property
    def where(self) -> str:
        """Its base URL as it may be shown: without a user's name and password."""
        scheme, _, rest = self.url.partition("://")
        host, slash, path = rest.partition("/")
        return f"{scheme}://{host.rpartition('@')[2]}{slash}{path}"

    def hide(self, text: str) -> str:
        """A text without the key."""
        return text.replace(self.key, "[key]") if self.key else text


def find_endpoint(model: str | None, environ: Mapping[str, str] | None = None) -> Endpoint:
    """The endpoint for a model. Raises ModelError where none is set up, or no model is named."""
    environ = os.environ if environ is None else environ
    if not model:
        raise ModelError("No model is named: say which with --model NAME.")
    dialect = _dialect(model, environ)
    prefix = dialect.upper()
    url = environ.get(f"{prefix}_BASE_URL") or HOMES[dialect]
    url = url.rstrip("/")
    if dialect == "anthropic":
        url = url.removesuffix("/v1")  # the path has it
    if not url.startswith(("http://", "https://")):
        raise ModelError(f"{prefix}_BASE_URL must be an http address, not {url!r}.")
    return Endpoint(model, dialect, url, environ.get(f"{prefix}_API_KEY", ""))


def _dialect(model: str, environ: Mapping[str, str]) -> Dialect:
    named = environ.get(DIALECT, "")
    if named:
        found = next((dialect for dialect in HOMES if dialect == named.lower()), None)
        if found is None:
            raise ModelError(f"{DIALECT} is {' or '.join(HOMES)}, not {named!r}.")
        return found
    ready = [d for d in HOMES if any(environ.get(f"{d.upper()}_{part}") for part in ("BASE_URL", "API_KEY"))]
    if not ready:
        raise ModelError(
            "There is no endpoint to ask a model at: set OPENAI_BASE_URL and OPENAI_API_KEY, or "
            "ANTHROPIC_BASE_URL and ANTHROPIC_API_KEY, in the environment."
        )
    wanted: Dialect = "anthropic" if model.rpartition("/")[2].startswith("claude") else "openai"
    return wanted if wanted in ready else ready[0]


class Line:
    """The line to an endpoint, open as long as its context; `note` hears of each time it has to wait."""

    def __init__(self, endpoint: Endpoint, note: Callable[[str], None]) -> None:
        self._endpoint, self._note = endpoint, note
        secure = endpoint.url.startswith("https://")  # without, no certificates are loaded
        timeout = httpx.Timeout(30.0, read=READ_TIMEOUT)
        self._http = httpx.AsyncClient(timeout=timeout, verify=secure)

    async def __aenter__(self) -> Line:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._http.aclose()

    async def ask(self, talk: Talk) -> Any:
        """What is answered to the conversation so far, as JSON. Raises ModelError, and Rejected."""
        for attempt in range(TRIES):
            answer, problem = await self._send(talk)
            if answer is not None and answer.is_success:
                return _json(answer)
            if answer is not None and not _is_busy(answer):
                raise self._rejected(answer)
            if attempt + 1 < TRIES:
                await self._wait(answer, problem, attempt)
        where = f"The endpoint {self._endpoint.where}"
        if answer is None:
            raise ModelError(f"{where} can't be reached: {problem}.")
        raise ModelError(f"{where} was asked {TRIES} times and is still busy: {problem}.")

    async def _send(self, talk: Talk) -> tuple[httpx.Response | None, str]:
        """The answer, or None, and what is wrong with it in words."""
        url = self._endpoint.url + talk.path
        headers = {"content-type": "application/json", **talk.headers(self._endpoint.key)}
        body = json.dumps(talk.body())  # all in ASCII: what models say may be no Unicode
        try:
            answer = await self._http.post(url, content=body, headers=headers)
        except (httpx.TransportError, httpx.InvalidURL) as error:
            return None, self._endpoint.hide(str(error) or type(error).__name__).rstrip(".")
        said = self._endpoint.hide(_said(answer)).rstrip(".")
        return answer, "" if answer.is_success else f"{answer.status_code} {said}".strip()

    async def _wait(self, answer: httpx.Response | None, problem: str, attempt: int) -> None:
        """As long as it asks for, or longer each time. Raises ModelError for longer than is sensible."""
        asked = None if answer is None else _retry_after(answer)
        if asked is not None and asked > LONGEST_WAIT:
            raise ModelError(
                f"The endpoint {self._endpoint.where} wants a pause of {asked:.0f} seconds: {problem}."
            )
        seconds = min(FIRST_WAIT * 2**attempt, LONGEST_WAIT) if asked is None else asked
        self._note(f"{problem}; asked again after {seconds:g} seconds")
        await asyncio.sleep(seconds)

    def _rejected(self, answer: httpx.Response) -> Rejected:
        status, said = answer.status_code, self._endpoint.hide(_said(answer)).rstrip(".")
        where = f"The endpoint {self._endpoint.where}"
        if status in (401, 403):
            return Rejected(f"{where} refuses the key: {said}.", status)
        if status == 404:
            model = self._endpoint.model
            return Rejected(f"{where} knows no model {model!r} or no such path: {said}.", status)
        return Rejected(f"{where} answered {status}: {said}.", status)


def _is_busy(answer: httpx.Response) -> bool:
    """Whether asking again may help; not where there is no money left."""
    return answer.status_code in _BUSY and not any(word in answer.text for word in _SPENT)


def _retry_after(answer: httpx.Response) -> float | None:
    """For how many seconds it asks, by number or by date."""
    said = answer.headers.get("retry-after", "")
    try:
        return max(0.0, float(said))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(said).timestamp() - wall_ms() / 1000)
    except (TypeError, ValueError):
        return None


def _json(answer: httpx.Response) -> Any:
    try:
        return answer.json()
    except (ValueError, RecursionError):
        raise ModelError(f"The endpoint's answer is no JSON: {answer.text[:200]!r}.") from None


def _said(answer: httpx.Response) -> str:
    """An error in its own words, in a line."""
    try:
        body = answer.json()
        error = body.get("error", body) if isinstance(body, dict) else body
        said = error.get("message") if isinstance(error, dict) else error
    except (ValueError, RecursionError):
        said = answer.text
    return " ".join(str(said or answer.reason_phrase).split())[:300]
