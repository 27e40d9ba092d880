"""What a token may do whose scopes are told."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable

import httpx
import pytest

from fakes.core import auth
from fakes.core.world import World
from fakes.gmail.api.allowing import backend_name
from fakes.gmail.api.methods import METHODS
from fakes.gmail.api.scopes import SCOPES
from harness.app import Server
from tests.fakes.gmail.town import Cast, encoded, raw

GMAIL = "https://www.googleapis.com/auth/gmail"
MAIL = {"raw": encoded(raw("Hi", To="tom@harborlight.example"))}
Ask = Callable[..., Awaitable[httpx.Response]]


@pytest.fixture
async def ask(server: Server, world: World, cast: Cast) -> AsyncIterator[Ask]:
    """Calls with a token of these scopes, told by the ends of their names."""
    base = "http://127.0.0.1:8080/w/main/gmail/v1/users/me/"
    async with httpx.AsyncClient(transport=httpx.ASGITransport(server.gateway), base_url=base) as client:

        async def asking(verb: str, path: str, *scopes: str, **more: object) -> httpx.Response:
            told = " ".join(f"{GMAIL}.{scope}" if "/" not in scope else scope for scope in scopes)
            token = auth.issue_token(world, cast.mira, "gmail", scopes=told)
            headers = {"Authorization": f"Bearer {token}"}
            return await client.request(verb, path, headers=headers, **more)  # type: ignore[arg-type]

        yield asking


@pytest.mark.parametrize(
    ("verb", "path", "scopes", "status"),
    [
        ("GET", "profile", ("readonly",), 200),
        ("GET", "profile", ("send", "metadata"), 200),
        ("GET", "profile", ("send",), 403),
        ("GET", "labels", ("labels",), 200),
        ("GET", "messages", ("https://mail.google.com/",), 200),
        ("DELETE", "messages/0123456789abcdef", ("modify",), 403),
        ("DELETE", "messages/0123456789abcdef", ("https://mail.google.com/",), 404),
        ("GET", "messages", ("labels", "send", "made.up"), 403),
    ],
)
async def test_scopes_allow_what_the_reference_says(
    ask: Ask, verb: str, path: str, scopes: tuple[str, ...], status: int
) -> None:
    assert (await ask(verb, path, *scopes)).status_code == status


async def test_a_token_that_may_not_is_told_so(ask: Ask, world: World) -> None:
    answer = await ask("POST", "messages/send", "readonly", json=MAIL)
    error = answer.json()["error"]
    assert (answer.status_code, error["status"]) == (403, "PERMISSION_DENIED")
    assert error["message"] == "Request had insufficient authentication scopes."
    assert error["errors"] == [
        {"message": "Insufficient Permission", "domain": "global", "reason": "insufficientPermissions"}
    ]
    assert error["details"] == [{
        "@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "ACCESS_TOKEN_SCOPE_INSUFFICIENT",
        "domain": "googleapis.com",
        "metadata": {
            "service": "gmail.googleapis.com", "method": "caribou.api.proto.MailboxService.SendMessage",
        },
    }]  # fmt: skip
    assert 'error="insufficient_scope"' in answer.headers["www-authenticate"]


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("users.messages.list", "ListMessages"),
        ("users.drafts.create", "CreateDraft"),
        ("users.getProfile", "GetProfile"),
        ("users.history.list", "ListHistory"),
        ("users.labels.list", "ListLabels"),
    ],
)
def test_methods_are_named_as_they_were_measured(name: str, told: str) -> None:
    assert backend_name(name) == told


@pytest.mark.parametrize("others", [(), ("readonly",), ("https://mail.google.com/",)])
@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("messages?q=lunch", "Metadata scope does not support 'q' parameter"),
        ("messages?q=", "Metadata scope does not support 'q' parameter"),
        ("threads?q=lunch", "Metadata scope does not support 'q' parameter"),
        ("messages/0123456789abcdef", "Metadata scope doesn't allow format FULL"),
        ("messages/0123456789abcdef?format=raw", "Metadata scope doesn't allow format RAW"),
        ("threads/0123456789abcdef?format=full", "Metadata scope doesn't allow format FULL"),
    ],
)
async def test_the_metadata_scope_closes_what_it_does_not_open(
    ask: Ask, path: str, message: str, others: tuple[str, ...]
) -> None:
    answer = await ask("GET", path, "metadata", *others)
    error = answer.json()["error"]
    assert (answer.status_code, error["message"], error["errors"][0]["reason"]) == (403, message, "forbidden")


@pytest.mark.parametrize("path", ["messages", "messages/0123456789abcdef?format=metadata", "labels"])
async def test_the_metadata_scope_opens_the_rest(ask: Ask, path: str) -> None:
    assert (await ask("GET", path, "metadata")).status_code in (200, 404)


def test_each_method_has_scopes_that_there_are() -> None:
    assert all(method.scopes and set(method.scopes) <= set(SCOPES) for method in METHODS.values())
