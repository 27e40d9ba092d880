"""What every method takes in its query, and what none does."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from fakes.core.world import World
from fakes.gmail.schema import Message
from tests.fakes.gmail.town import encoded, raw

MAIL = {"raw": encoded(raw("Hi", To="tom@harborlight.example", Subject="Lunch"))}


async def refused(client: httpx.AsyncClient, query: str, path: str = "profile") -> dict[str, Any]:
    """The error that a query is answered with, 400."""
    answer = await client.get(f"{path}?{query}")
    assert answer.status_code == 400
    error: dict[str, Any] = answer.json()["error"]
    return error


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ("emailAddress", {"emailAddress": "mira@harborlight.example"}),
        ("messagesTotal,threadsTotal", {"messagesTotal": 0, "threadsTotal": 0}),
        ("", None),
        ("*", None),
    ],
)
async def test_fields_are_all_that_is_answered(
    api: httpx.AsyncClient, fields: str, expected: dict[str, Any] | None
) -> None:
    whole = (await api.get("profile")).json()
    assert (await api.get("profile", params={"fields": fields})).json() == (expected or whole)


async def test_fields_of_lists_and_parts(api: httpx.AsyncClient) -> None:
    sent = [(await api.post("messages/send", json=MAIL)).json() for _ in range(2)]
    masked = (await api.get("messages?maxResults=1&fields=messages(id),nextPageToken")).json()
    assert masked["messages"] == [{"id": sent[1]["id"]}] and set(masked) == {"messages", "nextPageToken"}
    part = (await api.get(f"messages/{sent[0]['id']}?fields=id,payload(mimeType,headers/name)")).json()
    assert set(part) == {"id", "payload"} and set(part["payload"]) == {"mimeType", "headers"}
    assert all(set(header) == {"name"} for header in part["payload"]["headers"])


async def test_a_mask_that_fits_no_answer_is_refused_before_anything_is_done(
    api: httpx.AsyncClient, world: World
) -> None:
    answer = await api.post("messages/send?fields=id,payload/nope", json=MAIL)
    error = answer.json()["error"]
    assert (answer.status_code, error["message"]) == (400, "Request contains an invalid argument.")
    assert error["details"] == [{
        "@type": "type.googleapis.com/google.rpc.BadRequest",
        "fieldViolations": [{
            "field": "id,payload/nope",
            "description": "Error expanding 'fields' parameter. "
            "Cannot find matching fields for path 'payload.nope'.",
        }],
    }]  # fmt: skip
    assert world.count(Message) == 0


@pytest.mark.parametrize("alt", ["json", "JSON", ""])
async def test_answers_are_json(api: httpx.AsyncClient, alt: str) -> None:
    answer = await api.get("profile", params={"alt": alt})
    assert answer.status_code == 200 and answer.json()["emailAddress"] == "mira@harborlight.example"


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("alt=media", 'Unsupported alt type "media" for non byte stream request.'),
        ("alt=Proto", 'Unsupported alt type "proto" for non byte stream request.'),
        ("alt=ZZZ&alt=json", "Invalid value \"ZZZ\" for query parameter 'alt'"),
        (
            "$.xgafv=3",
            "Invalid query parameters. Invalid value '3' for system query parameter : $.xgafv",
        ),
        (
            "callback=a b",
            "Invalid JSONP callback name: 'a b'; only alphabet, number, '_', '$', '.', '[' and ']' are "
            "allowed.",
        ),
    ],
)
async def test_what_no_method_takes_is_refused_ahead_of_log_in(
    anyone: httpx.AsyncClient, query: str, message: str
) -> None:
    error = await refused(anyone, query, "/gmail/v1/users/me/profile")
    assert error["message"] == message
    assert error["errors"] == [{"message": message, "domain": "global", "reason": "badRequest"}]


async def test_the_second_form_of_errors_has_no_list(api: httpx.AsyncClient) -> None:
    for query, listed in (("$.xgafv=2", False), ("$.xgafv=1", True), ("$.xgafv=1&$.xgafv=2", False)):
        error = (await api.get(f"messages/0123456789abcdef?{query}")).json()["error"]
        assert ("errors" in error) is listed and error["status"] == "NOT_FOUND"


async def test_a_script_gets_its_answer_as_a_call(api: httpx.AsyncClient) -> None:
    for path, wanted in (("profile", "emailAddress"), ("messages/0123456789abcdef", "error")):
        answer = await api.get(f"{path}?callback=my.fn[0]")
        assert (answer.status_code, answer.headers["content-type"]) == (200, "text/javascript; charset=UTF-8")
        assert answer.text.startswith("// API callback\nmy.fn[0](") and answer.text.endswith(");")
        assert wanted in json.loads(answer.text.partition("(")[2][:-2])


async def test_answers_are_indented_where_it_is_said(api: httpx.AsyncClient) -> None:
    assert "\n" not in (await api.get("profile?prettyPrint=false")).text
    assert (await api.get("profile?prettyPrint=true")).text.startswith('{\n  "emailAddress"')


@pytest.mark.parametrize("query", ["key=abc", "quotaUser=me", "upload_protocol=raw", "userId=me"])
async def test_what_has_no_meaning_here_is_taken(api: httpx.AsyncClient, query: str) -> None:
    assert (await api.get(f"profile?{query}")).status_code == 200


@pytest.mark.parametrize("name", ["access_token", "oauth_token"])
async def test_a_token_in_the_address_opens_nothing_and_is_not_logged(
    api: httpx.AsyncClient, anyone: httpx.AsyncClient, world: World, name: str
) -> None:
    token = api.headers["Authorization"].removeprefix("Bearer ")
    answer = await anyone.get(f"/gmail/v1/users/me/profile?{name}={token}")
    assert (answer.status_code, answer.json()["error"]["errors"][0]["reason"]) == (401, "required")
    assert token not in world.log.rows()[-1].query


async def test_what_is_unknown_is_named_each_by_its_own(api: httpx.AsyncClient) -> None:
    error = await refused(api, "foo=1&maxResults=x&includeSpamTrash=maybe&uploadType=media", "messages")
    unbound = 'Invalid JSON payload received. Unknown name "{0}": Cannot bind query parameter. '
    unbound += "Field '{0}' could not be found in request message."
    said = [
        unbound.format("foo"),
        "Invalid value at 'max_results' (TYPE_UINT32), \"x\"",
        "Invalid value at 'include_spam_trash' (TYPE_BOOL), \"maybe\"",
        unbound.format("uploadType"),
    ]
    assert error["message"] == "\n".join(said) and error["errors"][0]["reason"] == "invalid"
    violations = error["details"][0]["fieldViolations"]
    assert [each["description"] for each in violations] == said
    assert [each.get("field") for each in violations] == [None, "max_results", "include_spam_trash", None]


async def test_a_body_in_the_query_is_told_as_such(api: httpx.AsyncClient) -> None:
    answer = await api.post("messages/send?message=x", json=MAIL)
    assert "'message' is a message type. Parameters can only be bound to primitive types." in answer.text


@pytest.mark.parametrize("spelled", ["true", "TRUE", "t", "1", "y", "yes"])
async def test_a_boolean_may_be_spelled_in_many_ways(api: httpx.AsyncClient, spelled: str) -> None:
    assert (await api.get(f"messages?includeSpamTrash={spelled}")).status_code == 200
