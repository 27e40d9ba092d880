"""Sessions, tokens, codes and lock-outs, all by the run clock."""

from __future__ import annotations

from starlette.requests import Request

from fakes.core import auth
from fakes.core.people import Person, password, password_is_right
from fakes.core.requests import RequestRecord
from fakes.core.world import World


def mira(world: World) -> Person:
    person = world.person("Mira@Harborlight.example")
    assert person is not None
    return person


def request(world: World, **headers: str) -> Request:
    raw = [(name.encode(), value.encode()) for name, value in headers.items()]
    return Request({"type": "http", "headers": raw, "state": {"world": world, "record": RequestRecord()}})


def with_cookie(world: World, value: str) -> Request:
    return request(world, cookie=f"{auth.cookie_name(world, 'toy')}={value}")


def test_a_session_opens_its_service_and_is_noted(world: World) -> None:
    session, value = auth.start_session(world, "toy", mira(world))
    asked = with_cookie(world, value)
    assert auth.session_of(asked, "toy") == session
    assert asked.state.record.credential == "session:ses_1"
    assert asked.state.record.person == "mira@harborlight.example"


def test_a_session_of_another_service_stage_or_world_is_none(world: World) -> None:
    _, value = auth.start_session(world, "other", mira(world))
    assert auth.session_of(with_cookie(world, value), "toy") is None
    _, half = auth.start_session(world, "toy", mira(world), stage="password")
    assert auth.session_of(with_cookie(world, half), "toy") is None
    twin = world.fork("twin")
    _, foreign = auth.start_session(twin, "toy", mira(twin))
    assert auth.session_of(with_cookie(world, foreign), "toy") is None


def test_sessions_end_by_logging_out_and_by_the_run_clock(world: World) -> None:
    session, value = auth.start_session(world, "toy", mira(world))
    world.advance(world.now() + auth.SESSION_TTL - 1)
    assert auth.session_of(with_cookie(world, value), "toy")
    world.advance(world.now() + 1)
    assert auth.session_of(with_cookie(world, value), "toy") is None
    session, value = auth.start_session(world, "toy", mira(world))
    auth.end_session(world, session)
    assert auth.session_of(with_cookie(world, value), "toy") is None


def test_tokens_are_strict(world: World) -> None:
    value = auth.issue_token(world, mira(world), "toy", ttl=1000)
    assert auth.token_of(request(world, authorization=f"Bearer {value}"), "toy")
    for wrong in (f"Bearer {value}x", f"Basic {value}", value, "Bearer ", ""):
        assert auth.token_of(request(world, authorization=wrong), "toy") is None
    assert auth.token_of(request(world, authorization=f"Bearer {value}"), "other") is None
    world.advance(world.now() + 1000)
    assert auth.token_of(request(world, authorization=f"Bearer {value}"), "toy") is None


def test_a_token_opens_no_other_world(world: World) -> None:
    twin = world.fork("twin")
    value = auth.issue_token(twin, mira(twin), "toy")
    auth.issue_token(world, mira(world), "toy")
    assert auth.token_of(request(world, authorization=f"Bearer {value}"), "toy") is None


def test_no_secret_is_stored(world: World) -> None:
    value = auth.issue_token(world, mira(world), "toy")
    _, cookie = auth.start_session(world, "toy", mira(world))
    code = auth.new_code(world, "toy", mira(world), "email")
    image = world.image()
    for secret in (value, cookie, password(world, "mira@harborlight.example")):
        assert secret.encode() not in image
    assert code not in str(world.select("SELECT * FROM codes"))


def test_the_fifth_failure_locks_and_time_unlocks(world: World) -> None:
    for _ in range(auth.MAX_FAILURES - 1):
        assert auth.note_failure(world, "toy", "m@x") is None
    assert auth.note_failure(world, "toy", "M@x") == world.now() + auth.LOCK_TTL
    assert auth.locked_until(world, "toy", "m@x")
    world.advance(world.now() + auth.LOCK_TTL)
    assert auth.locked_until(world, "toy", "m@x") is None


def test_a_success_forgets_failures(world: World) -> None:
    for _ in range(auth.MAX_FAILURES - 1):
        auth.note_failure(world, "toy", "m@x")
    auth.note_success(world, "toy", "m@x")
    assert auth.note_failure(world, "toy", "m@x") is None


def test_passwords(world: World) -> None:
    right = password(world, "mira@harborlight.example")
    assert auth.check_password(world, " Mira@Harborlight.example ", right) == mira(world)
    assert auth.check_password(world, "mira@harborlight.example", right + "x") is None
    assert auth.check_password(world, "nobody@harborlight.example", right) is None
    assert password_is_right(mira(world), right)


def test_the_authenticator_follows_the_run_clock(world: World) -> None:
    code = auth.totp_now(world, mira(world))
    assert auth.totp_is_right(world, mira(world), code)
    assert not auth.totp_is_right(world, mira(world), "12345")
    world.advance(world.now() + 120_000)
    assert not auth.totp_is_right(world, mira(world), code)


def test_a_code_works_once_and_only_the_newest(world: World) -> None:
    old = auth.new_code(world, "toy", mira(world), "email")
    new = auth.new_code(world, "toy", mira(world), "email")
    assert not auth.use_code(world, "toy", mira(world), old)
    assert auth.use_code(world, "toy", mira(world), new)
    assert not auth.use_code(world, "toy", mira(world), new)


def test_codes_expire(world: World) -> None:
    code = auth.new_code(world, "toy", mira(world), "email")
    world.advance(world.now() + auth.CODE_TTL)
    assert not auth.use_code(world, "toy", mira(world), code)


def test_csrf_tokens_belong_to_their_session(world: World) -> None:
    one, _ = auth.start_session(world, "toy", mira(world))
    two, _ = auth.start_session(world, "toy", mira(world))
    assert auth.csrf_is_right(world, one, auth.csrf(world, one))
    assert not auth.csrf_is_right(world, one, auth.csrf(world, two))
    assert not auth.csrf_is_right(world, one, None)
