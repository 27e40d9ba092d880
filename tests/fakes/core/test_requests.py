"""The request log keeps every request, and no secret."""

from __future__ import annotations

import apsw
import pytest

from fakes.core.requests import (
    BATCH,
    Overtaken,
    RequestRecord,
    acting,
    redact_body,
    redact_path,
    redact_query,
)
from fakes.core.world import World

from .conftest import add_note


def test_reads_are_buffered_and_written_before_an_answer(world: World) -> None:
    for _ in range(3):
        world.log.finish(world.log.begin(RequestRecord(method="GET", status=200)))
    assert world.select("SELECT count(*) FROM requests") == [(0,)]
    assert [row.id for row in world.log.rows()] == [1, 2, 3]


def test_a_full_batch_is_written_by_itself(world: World) -> None:
    for _ in range(BATCH):
        world.log.finish(world.log.begin(RequestRecord(method="GET", status=200)))
    assert world.select("SELECT count(*) FROM requests") == [(BATCH,)]


def test_a_write_is_stored_with_its_transaction_and_completed_later(world: World) -> None:
    with acting(world.log.begin(RequestRecord(method="POST"))) as record:
        with world.tx() as tx:
            add_note(tx, world)
        assert world.select("SELECT status FROM requests") == [(None,)]
        record.status = 201
        assert world.log.finish(record)
    assert world.select("SELECT status FROM requests") == [(201,)]


def test_a_request_whose_write_was_rolled_back_is_logged_as_a_read(world: World) -> None:
    with acting(world.log.begin(RequestRecord(method="POST", status=409))) as record:
        with pytest.raises(RuntimeError), world.tx() as tx:
            add_note(tx, world)
            raise RuntimeError
        assert not world.log.finish(record)
    assert [(row.method, row.status) for row in world.log.rows()] == [("POST", 409)]


def test_numbering_goes_on_after_reopening(world: World) -> None:
    world.log.finish(world.log.begin(RequestRecord(method="GET")))
    fork = world.fork("fork")
    assert fork.log.begin(RequestRecord()).id == 2


def test_secrets_in_queries_are_redacted() -> None:
    assert redact_query("a=1&Token=abc&code=7") == "a=1&Token=[redacted]&code=[redacted]"
    assert redact_query("q=from%3Aana") == "q=from%3Aana"


@pytest.mark.parametrize(
    "given",
    ["pass%77ord=hunter2", "password[]=hunter2", "+password=hunter2", "next=/q/4kTz8Qm1Xw7Lr2Vn9Bc3"],
)
def test_secrets_under_odd_names_are_redacted_too(given: str) -> None:
    assert "hunter2" not in redact_query(given) and "4kTz8Qm1" not in redact_query(given)


def test_secrets_in_json_are_redacted_at_any_depth() -> None:
    kept = redact_body(b'{"user":"m","auth":[{"password":"hunter2"}]}', "application/json")
    assert kept == '{"user":"m","auth":[{"password":"[redacted]"}]}'


def test_secrets_in_forms_are_redacted() -> None:
    kept = redact_body(b"email=m%40x&password=hunter2&_csrf=t", "application/x-www-form-urlencoded")
    assert kept == "email=m%40x&password=[redacted]&_csrf=[redacted]"


def test_other_bodies_are_told_by_their_size() -> None:
    assert redact_body(b"\x00" * 9, "image/png") == "[9 bytes of image/png]"
    assert redact_body(b"{", "application/json") == "[1 bytes that are no JSON, or nested too deep]"
    deep = b'{"a":' * 900 + b"1" + b"}" * 900
    assert "nested too deep" in (redact_body(deep, "application/json") or "")
    assert redact_body(b"", "text/plain") is None


def test_a_request_that_a_reset_overtook_does_not_come_back(world: World) -> None:
    slow = world.log.begin(RequestRecord(method="GET", path="/slow"))
    world.reset()
    world.log.finish(world.log.begin(RequestRecord(method="GET", path="/new")))
    world.finish(slow)
    assert [row.path for row in world.log.rows()] == ["/new"]


def test_a_write_that_a_reset_overtook_is_refused(world: World) -> None:
    with acting(world.log.begin(RequestRecord(method="POST", path="/slow"))):
        pristine = world.reset()
        with pytest.raises(Overtaken), world.tx() as tx:
            add_note(tx, world)
    assert world.state_hash() == pristine and world.log.rows() == []


def test_a_second_commit_that_fails_leaves_the_first_ones_request(world: World) -> None:
    with acting(world.log.begin(RequestRecord(method="POST", status=500))) as record:
        with world.tx() as tx:
            add_note(tx, world)
        world.con.set_commit_hook(lambda: True, id="refusing")
        with pytest.raises(apsw.ConstraintError), world.tx() as tx:
            add_note(tx, world)
        world.con.set_commit_hook(None, id="refusing")
        world.finish(record)
    assert [(row.id, row.status) for row in world.log.rows()] == [(record.id, 500)]


def test_a_request_that_outlives_its_world_is_let_go(world: World) -> None:
    fork = world.fork("fork")
    slow = fork.log.begin(RequestRecord(method="GET"))
    fork.close()
    fork.finish(slow)


def test_json_that_calls_itself_a_form_is_redacted_all_the_same() -> None:
    kept = redact_body(b' {"password":"hunter2"}', "application/x-www-form-urlencoded")
    assert kept == '{"password":"[redacted]"}'


def test_a_path_without_a_route_loses_its_long_words() -> None:
    assert redact_path("/q/4kTz8Qm1Xw7Lr2Vn9Bc3/edit") == "/q/[redacted]/edit"
    assert redact_path("/service-worker-cached/edit") == "/service-worker-cached/edit"
    assert redact_path("/static/source-sans-3-latin.woff2") == "/static/source-sans-3-latin.woff2"
