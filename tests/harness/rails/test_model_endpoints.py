"""Endpoints of models: which one is asked, what becomes of its errors, and what its tokens cost."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from harness.rails.model import endpoints
from harness.rails.model.chat import ChatTalk
from harness.rails.model.endpoints import Endpoint, Line, find_endpoint
from harness.rails.model.messages import MessagesTalk
from harness.rails.model.prices import Price, read_prices
from harness.rails.model.turns import Call, ModelError, Outcome, Tokens
from tests.conftest import Serve
from tests.harness.rails.scripted import KEY, Answers, Says, Script

OURS = {"OPENAI_BASE_URL": "http://127.0.0.1:1/v1/"}
THEIRS = {"ANTHROPIC_BASE_URL": "http://127.0.0.1:2/v1", "ANTHROPIC_API_KEY": KEY}


# which


@pytest.mark.parametrize(
    ("model", "environ", "dialect", "url"),
    [
        ("gpt-5", OURS, "openai", "http://127.0.0.1:1/v1"),
        ("claude-opus-4-5", OURS, "openai", "http://127.0.0.1:1/v1"),
        ("claude-opus-4-5", OURS | THEIRS, "anthropic", "http://127.0.0.1:2"),
        ("vendor/claude-opus-4-5", OURS | THEIRS, "anthropic", "http://127.0.0.1:2"),
        ("qwen", OURS | THEIRS, "openai", "http://127.0.0.1:1/v1"),
        ("qwen", THEIRS, "anthropic", "http://127.0.0.1:2"),
        ("qwen", OURS | THEIRS | {"PARACOSM_MODEL_DIALECT": "Anthropic"}, "anthropic", "http://127.0.0.1:2"),
        ("gpt-5", {"OPENAI_API_KEY": KEY}, "openai", "https://api.openai.com/v1"),
        ("claude-opus-4-5", {"ANTHROPIC_API_KEY": KEY}, "anthropic", "https://api.anthropic.com"),
    ],
)
def test_an_endpoint_is_found_by_model_and_environment(
    model: str, environ: dict[str, str], dialect: str, url: str
) -> None:
    found = find_endpoint(model, environ)
    assert (found.model, found.dialect, found.url) == (model, dialect, url)
    assert KEY not in repr(found)


@pytest.mark.parametrize(
    ("model", "environ", "sentence"),
    [
        ("gpt-5", {}, "set OPENAI_BASE_URL and OPENAI_API_KEY, or ANTHROPIC_BASE_URL"),
        (None, OURS, "say which with --model NAME"),
        ("gpt-5", OURS | {"PARACOSM_MODEL_DIALECT": "soap"}, "is openai or anthropic, not 'soap'"),
        ("gpt-5", {"OPENAI_BASE_URL": "models.test/v1"}, "must be an http address, not 'models.test/v1'"),
    ],
)
def test_what_is_missing_is_told(model: str | None, environ: dict[str, str], sentence: str) -> None:
    with pytest.raises(ModelError, match=sentence):
        find_endpoint(model, environ)


def test_a_password_in_an_address_is_not_shown() -> None:
    found = Endpoint("m", "openai", "https://me:pass@models.test/v1/x@y")
    assert found.where == "https://models.test/v1/x@y"


# errors


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (Answers(401, {"error": {"message": f"Bad key {KEY}."}}), r"/v1 refuses the key: Bad key \[key\]\.$"),
        (Answers(404, {"error": "none"}), r"knows no model 'gpt-5' or no such path: none\."),
        (Answers(400, {"error": {"message": "too\nlong"}}), r"answered 400: too long\."),
        (Answers(429, {"error": {"code": "insufficient_quota"}}), "answered 429: Too Many Requests"),
        (Answers(503, {}, {"retry-after": "3600"}), "wants a pause of 3600 seconds: 503"),
        (Answers(503, {}, {"retry-after": "Fri, 31 Dec 2199 23:59:59 GMT"}), r"a pause of \d{9,} seconds"),
        (Answers(200, "<html>"), "The endpoint's answer is no JSON: '<html>'"),
    ],
)
async def test_an_answer_that_asking_again_does_not_help_is_told(
    serve: Serve, answer: Answers, sentence: str
) -> None:
    with pytest.raises(ModelError, match=sentence):
        await ask(serve, Script(answer))


async def ask(serve: Serve, script: Script) -> tuple[Any, list[str]]:
    """What an endpoint answers, and what was noted of its moods."""
    noted: list[str] = []
    async with serve(script.app) as url:
        endpoint = Endpoint("gpt-5", "openai", f"{url}/v1", KEY)
        async with Line(endpoint, noted.append) as line:
            talk = endpoint.talk("Be good.", [])
            talk.say("half a letter: \ud83d")
            answer = await line.ask(talk)
    assert (script.problems, script.left) == ([], 0)
    return answer, noted


async def test_a_busy_endpoint_is_asked_again(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endpoints, "FIRST_WAIT", 0.0)
    busy = [Answers(status, {"error": {"message": "Overloaded"}}) for status in (429, 503, 529)]
    answer, noted = await ask(serve, Script(*busy, Answers(500, "oops", {"retry-after": "0"}), Says("Yes.")))
    assert answer["choices"][0]["message"]["content"] == "Yes."
    assert noted[0] == "429 Overloaded; asked again after 0 seconds" and "500 oops" in noted[3]


async def test_one_that_stays_busy_or_is_gone_is_given_up(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(endpoints, "FIRST_WAIT", 0.0)
    with pytest.raises(ModelError, match="was asked 5 times and is still busy: 503 Service Unavailable"):
        await ask(serve, Script(*[Answers(503, {})] * endpoints.TRIES))
    gone = Endpoint("gpt-5", "openai", "http://127.0.0.1:9")
    async with Line(gone, lambda said: None) as line:
        with pytest.raises(ModelError, match="127.0.0.1:9 can't be reached"):
            await line.ask(gone.talk("", []))


@pytest.mark.parametrize(
    "answer", [[], {}, {"choices": [{}]}, {"choices": [{"message": {"tool_calls": [1]}}]}]
)
def test_an_answer_of_another_shape_is_none_in_chat(answer: Any) -> None:
    with pytest.raises(ModelError, match="is none of a model's"):
        ChatTalk("m", "", []).hear(answer)


@pytest.mark.parametrize(
    "answer", [[], {}, {"content": "Hi"}, {"content": [{"type": "tool_use", "id": "1"}]}]
)
def test_an_answer_of_another_shape_is_none_in_messages(answer: Any) -> None:
    with pytest.raises(ModelError, match="is none of a model's"):
        MessagesTalk("m", "", []).hear(answer)


@pytest.mark.parametrize("kind", [ChatTalk, MessagesTalk])
def test_pictures_can_be_taken_out(kind: type[ChatTalk] | type[MessagesTalk]) -> None:
    talk = kind("m", "", [])
    talk.tell([(Call("1", "browser_screenshot", {}), Outcome("Here.", image=b"png"))])
    assert "cG5n" in json.dumps(talk.body()) and talk.blind()
    assert "cG5n" not in json.dumps(talk.body()) and not talk.blind()


# prices


def test_tokens_of_a_cache_have_a_price_of_their_own() -> None:
    spent = Tokens(asked=1_000_000, made=100_000, cached=600_000, written=200_000)
    prices = read_prices({})
    assert prices.cost("vendor/claude-sonnet-4-5-20250929", spent) == pytest.approx(0.6 + 0.18 + 0.75 + 1.5)
    assert prices.cost("gpt-5-2025-08-07", Tokens(1_000_000, 1_000_000)) == 11.25
    assert Price(input=2, output=1).of(spent) == pytest.approx(2.1)
    assert prices.cost("gpt-5.5", spent) is prices.cost("gpt-5-turbo", spent) is None


def test_prices_of_ones_own_take_precedence(tmp_path: Path) -> None:
    own = tmp_path / "prices.json"
    own.write_text('{"gpt-5": {"input": 1, "output": 0}, "mine": {"input": 2, "output": 0}}')
    prices = read_prices({"PARACOSM_PRICES": str(own)})
    million = Tokens(asked=1_000_000)
    assert [prices.cost(name, million) for name in ("gpt-5", "mine", "gpt-4o")] == [1, 2, 2.5]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (None, "can't be read: No such file"),
        ("{", "is no JSON"),
        ('{"m": {"input": 1}}', r"m\.output: Field"),
    ],
)
def test_a_file_that_is_no_table_of_prices_is_told(tmp_path: Path, text: str | None, sentence: str) -> None:
    file = tmp_path / "prices.json"
    if text is not None:
        file.write_text(text)
    with pytest.raises(ModelError, match=sentence):
        read_prices({"PARACOSM_PRICES": str(file)})
