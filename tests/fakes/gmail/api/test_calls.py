"""Who may call, and that every refusal is in Google's envelope."""

from __future__ import annotations

import re
from typing import Any

import httpx
import pytest

from fakes.core import auth
from fakes.core.world import World
from fakes.gmail.api.faked import FAKED
from fakes.gmail.api.methods import METHODS
from harness.app import Server
from tests.fakes.gmail.town import MORNING, Cast

ME = "/gmail/v1/users/me"


def _error(answer: httpx.Response) -> dict[str, Any]:
    error: dict[str, Any] = answer.json()["error"]
    assert error["code"] == answer.status_code
    assert set(error["errors"][0]) >= {"message", "reason"}
    return error


async def test_without_a_token_log_in_is_required(anyone: httpx.AsyncClient) -> None:
    answer = await anyone.get(f"{ME}/profile")
    error = _error(answer)
    assert (answer.status_code, error["status"], error["errors"][0]["reason"]) == (
        401,
        "UNAUTHENTICATED",
        "required",
    )
    assert answer.headers["www-authenticate"].startswith("Bearer realm=")
    assert answer.headers["content-type"] == "application/json; charset=UTF-8"


async def test_a_wrong_token_is_invalid(anyone: httpx.AsyncClient) -> None:
    answer = await anyone.get(f"{ME}/profile", headers={"Authorization": "Bearer made-up"})
    assert _error(answer)["errors"][0]["reason"] == "authError"
    assert 'error="invalid_token"' in answer.headers["www-authenticate"]


@pytest.mark.parametrize("service", ["slack", "gmail"])
async def test_tokens_of_another_service_or_time_are_invalid(
    anyone: httpx.AsyncClient, world: World, cast: Cast, service: str
) -> None:
    token = auth.issue_token(world, cast.mira, service, ttl=1000)
    world.advance(MORNING + 1000)
    answer = await anyone.get(f"{ME}/profile", headers={"Authorization": f"Bearer {token}"})
    assert _error(answer)["status"] == "UNAUTHENTICATED"


async def test_the_own_address_is_me(api: httpx.AsyncClient) -> None:
    assert (await api.get("../Mira@harborlight.example/profile")).status_code == 200


@pytest.mark.parametrize(
    ("user", "status", "message"),
    [
        ("tom@harborlight.example", 403, "Delegation denied for mira@harborlight.example"),
        ("tom", 400, "Invalid userId"),
    ],
)
async def test_anothers_mailbox_is_closed(
    api: httpx.AsyncClient, user: str, status: int, message: str
) -> None:
    error = _error(await api.get(f"../{user}/messages"))
    assert (error["code"], error["message"]) == (status, message)


@pytest.mark.parametrize("name", sorted(set(METHODS) - set(FAKED)))
async def test_what_is_not_faked_says_so(api: httpx.AsyncClient, name: str) -> None:
    path = METHODS[name].path.replace("{userId}", "me").replace("{", "").replace("}", "")
    error = _error(await api.request(METHODS[name].verb, f"http://127.0.0.1:8080/w/main/{path}"))
    assert (error["code"], error["status"]) == (501, "UNIMPLEMENTED")
    assert error["message"].startswith(f"{name} is not faked yet")


@pytest.mark.parametrize("name", [name for name in sorted(FAKED) if METHODS[name].takes])
async def test_a_body_has_only_what_the_method_takes(api: httpx.AsyncClient, name: str) -> None:
    method = METHODS[name]
    path = re.sub(r"\{\w+\}", "0123456789abcdef", method.path.replace("{userId}", "me"))
    answer = await api.request(method.verb, f"http://127.0.0.1:8080/w/main/{path}", json={"nope": 1})
    place = f" at '{method.body}'" if method.body else ""
    assert (answer.status_code, answer.json()["error"]["message"]) == (
        400, f'Invalid JSON payload received. Unknown name "nope"{place}: Cannot find field.',
    )  # fmt: skip


@pytest.mark.parametrize(
    ("verb", "path"),
    [("GET", "gmail/v1/nope"), ("GET", "gmail/v1/users/me/nope"), ("PATCH", "gmail/v1/users/me/messages")],
)
async def test_unknown_paths_and_verbs_are_not_found(anyone: httpx.AsyncClient, verb: str, path: str) -> None:
    error = _error(await anyone.request(verb, f"/{path}"))
    assert (error["code"], error["status"], error["errors"][0]["reason"]) == (404, "NOT_FOUND", "notFound")


async def test_a_defect_is_told_as_googles(
    api: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch, server: Server
) -> None:
    monkeypatch.setattr("fakes.gmail.store.mailbox_of", lambda *_: 1 / 0)
    error = _error(await api.get("profile"))
    assert (error["code"], error["status"]) == (500, "INTERNAL")


async def test_the_log_knows_who_called_what(api: httpx.AsyncClient, world: World, cast: Cast) -> None:
    await api.get("messages")
    last = world.log.rows()[-1]
    assert (last.person, last.service, last.route) == (
        cast.mira.email, "gmail", "GET /gmail/v1/users/{userId}/messages",
    )  # fmt: skip
