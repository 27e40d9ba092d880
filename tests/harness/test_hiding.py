"""What looks like a credential is hidden; what only sounds like one is not."""

from __future__ import annotations

import pytest

from harness.hiding import HIDDEN, Hiding


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("Authorization: Bearer abcDEF0123456789xyz", "abcDEF0123456789xyz"),
        ('{"access_token": "t0ken-of-mira"}', "t0ken-of-mira"),
        ("ANTHROPIC_API_KEY=key-abc123", "key-abc123"),
        ("sk-abcdefghijklmnop", "sk-abcdefghijklmnop"),
        ("HTTP_PROXY=http://lease-1:pa55word@127.0.0.1:8080", "pa55word"),
        ("GET /portal/open?key=AbCdEfGh12", "AbCdEfGh12"),
    ],
)
def test_credentials_go_by_their_shape(text: str, secret: str) -> None:
    hidden = Hiding().text(text)
    assert secret not in hidden and HIDDEN in hidden


@pytest.mark.parametrize(
    "text",
    ["Answer through the manager's link yesterday.", "a token of thanks", "the bearer certificates of 2025"],
)
def test_prose_stays_as_it_is(text: str) -> None:
    assert Hiding().text(text) == text


def test_a_program_keeps_its_annotations() -> None:
    assert Hiding().code("token: bytes = password(b)") == "token: bytes = password(b)"


def test_known_secrets_go_wherever_they_stand() -> None:
    assert Hiding(["amber-otter-12"]).text("pw=amber-otter-12!") == f"pw={HIDDEN}!"
