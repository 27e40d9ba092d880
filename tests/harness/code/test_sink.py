"""The sink takes, refuses by count, and goes down and comes up at one address."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from urllib.error import HTTPError, URLError
from urllib.request import ProxyHandler, Request, build_opener

import pytest

from harness.code.sink import Received, Sink

Post = Callable[[object], int]


@pytest.fixture
def sink() -> Iterator[Sink]:
    with Sink() as sink:
        yield sink


@pytest.fixture
def post(sink: Sink) -> Post:
    """Posts a value; the status, or 0 where nothing listens."""
    opener = build_opener(ProxyHandler({}))

    def send(value: object) -> int:
        asked = Request(f"{sink.url}/events", json.dumps(value).encode(), {"X-Kind": "test"})
        try:
            with opener.open(asked, timeout=20) as answer:
                return int(answer.status)
        except HTTPError as error:
            error.close()
            return error.code
        except URLError:
            return 0

    return send


def test_what_comes_is_kept_in_order(sink: Sink, post: Post) -> None:
    assert [post(n) for n in range(3)] == [200] * 3
    assert [each.json for each in sink.received] == [0, 1, 2]
    first = sink.received[0]
    assert (first.method, first.path, first.headers["x-kind"]) == ("POST", "/events", "test")


def test_it_fails_so_often_and_no_more(sink: Sink, post: Post) -> None:
    sink.fail_next(2)
    assert [post(n) for n in range(3)] == [503, 503, 200]
    assert sink.refused == 2 and [each.json for each in sink.accepted] == [2]


def test_it_rejects_what_matches_until_it_is_told_otherwise(sink: Sink, post: Post) -> None:
    sink.reject(lambda received: received.json == 1, status=422)
    assert [post(n) for n in (0, 1, 1)] == [200, 422, 422]
    sink.reject(None)
    assert post(1) == 200


def test_it_comes_up_where_it_was(sink: Sink, post: Post) -> None:
    sink.go_down()
    assert post(1) == 0
    sink.come_up()
    assert post(2) == 200 and len(sink.received) == 1


def test_a_mistake_in_what_it_rejects_is_the_graders(sink: Sink, post: Post) -> None:
    def matches(received: Received) -> bool:
        raise KeyError("nope")

    sink.reject(matches)
    assert post(1) == 500
    with pytest.raises(KeyError):
        assert sink.received
