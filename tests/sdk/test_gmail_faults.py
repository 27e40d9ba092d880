"""Planned failures of the Gmail fake, as Google's own Python client meets them: its retries are its own."""

from __future__ import annotations

import http.client
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import anyio.to_thread
import googleapiclient.discovery
import googleapiclient.errors
import pytest

from fakes.core.faults import plan
from fakes.core.world import World
from fakes.gmail.schema import Message
from tests.fakes.gmail.town import encoded, raw

SEND = "POST */messages/send"
MAIL = {"raw": encoded(raw("Hello", To="tom@harborlight.example", Subject="Once"))}


@pytest.fixture
async def gmail(built: Callable[[str], Awaitable[Any]], token_of: Callable[[str], str]) -> AsyncIterator[Any]:
    """The client, built from the served document."""
    service = await built(token_of("mira@harborlight.example"))
    yield service
    service.close()


async def execute(request: Any, retries: int = 0) -> Any:
    """Executes a request of the client, beside the server's loop, without sleeping between its tries."""
    request._sleep = lambda seconds: None
    return await anyio.to_thread.run_sync(lambda: request.execute(num_retries=retries))


def delivered(world: World) -> int:
    """How many mails lie in the mailbox that they were sent to."""
    tom = world.person("tom@harborlight.example")
    assert tom is not None
    return world.count(Message, "WHERE owner = ?", (tom.id,))


def profile(gmail: Any) -> Any:
    return gmail.users().getProfile(userId="me")


@pytest.mark.parametrize("answer", ["429", "500", "502", "503", "504", "hang-up"])
async def test_the_client_gets_over_two_failures(gmail: Any, world: World, answer: str) -> None:
    plan(world, service="gmail", route="*/profile", answer=answer, times=2)
    assert (await execute(profile(gmail), retries=2))["emailAddress"] == "mira@harborlight.example"


@pytest.mark.parametrize(
    ("answer", "message", "reason"),
    [
        ("429", "Resource has been exhausted (e.g. check quota).", "rateLimitExceeded"),
        ("500", "Internal error encountered.", "backendError"),
        ("503", "The service is currently unavailable.", "backendError"),
        ("403", "Quota exceeded for quota metric", "rateLimitExceeded"),
    ],
)
async def test_a_failure_is_told_as_google_tells_it(
    gmail: Any, world: World, answer: str, message: str, reason: str
) -> None:
    plan(world, service="gmail", answer=answer)
    with pytest.raises(googleapiclient.errors.HttpError) as raised:
        await execute(profile(gmail))
    error = raised.value
    assert error.resp.status == int(answer) and message in error.reason
    assert error.error_details[0]["reason"] == reason
    assert world.log.rows()[-1].fault == f"1:{answer}"


async def test_an_answer_that_is_cut_off_is_noticed(gmail: Any, world: World) -> None:
    plan(world, service="gmail", answer="cut")
    with pytest.raises(http.client.IncompleteRead):
        await execute(profile(gmail), retries=2)


async def test_a_failure_before_the_write_is_repeated_without_harm(gmail: Any, world: World) -> None:
    plan(world, service="gmail", route=SEND, answer="503", times=2)
    await execute(gmail.users().messages().send(userId="me", body=MAIL), retries=3)
    assert delivered(world) == 1


@pytest.mark.parametrize("answer", ["500", "hang-up"])
async def test_a_failure_after_the_write_makes_a_client_that_repeats_it_send_twice(
    gmail: Any, world: World, answer: str
) -> None:
    plan(world, service="gmail", route=SEND, answer=answer, kept=True)
    await execute(gmail.users().messages().send(userId="me", body=MAIL), retries=3)
    assert delivered(world) == 2
