"""Who is calling: sessions, tokens, second factors and lock-outs of a world. Only digests of secrets are
stored.

Everything expires by the run clock. Secrets are bound to the world's name, so a token of one world opens no
other.
"""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

import pyotp

from fakes.core.clock import utc
from fakes.core.ids import digest, same
from fakes.core.people import Person, password_is_right
from fakes.core.store import Row

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from fakes.core.world import World

SESSION_TTL = 12 * 3600_000
CODE_TTL = 10 * 60_000
TOKEN_TTL = 30 * 24 * 3600_000
PINNED_TTL = 100 * 365 * 24 * 3600_000
MAX_FAILURES = 5
LOCK_TTL = 15 * 60_000


class Session(Row, table="sessions", key="id", indexes=("digest",), judged=False):
    """A log-in at one service. `stage` is "password" until the second factor, then "full"."""

    id: str
    service: str
    person_id: str
    stage: str
    digest: str
    created_at: int
    expires_at: int
    ended_at: int | None


class Token(Row, table="tokens", key="id", indexes=("digest",), judged=False):
    """A bearer token of one person for one service; `scopes` is space-separated."""

    id: str
    service: str
    person_id: str
    scopes: str
    digest: str
    created_at: int
    expires_at: int
    revoked_at: int | None


class Code(Row, table="codes", key="id", indexes=("service, person_id, id",), judged=False):
    """A one-time code that was mailed or texted."""

    id: int
    service: str
    person_id: str
    channel: str
    digest: str
    created_at: int
    expires_at: int
    used_at: int | None


class Lockout(Row, table="lockouts", key=("service", "account"), judged=False):
    """Failed log-ins of an account since its last success."""

    service: str
    account: str
    failures: int
    locked_until: int | None


AUTH_TABLES: tuple[type[Row], ...] = (Session, Token, Code, Lockout)


def _kept(world: World, value: str) -> str:
    """What is stored of a secret: bound to the world's name, so a fork takes none of its source's."""
    return digest(f"{world.name}/{value}")


# sessions


def start_session(world: World, service: str, person: Person, stage: str = "full") -> tuple[Session, str]:
    """A new session and its cookie value."""
    with world.tx() as tx:
        n = tx.seq("session")
        value = world.secrets.token(f"session/{world.name}", n)
        session = Session(
            id=f"ses_{n}", service=service, person_id=person.id, stage=stage, digest=_kept(world, value),
            created_at=world.now(), expires_at=world.now() + SESSION_TTL, ended_at=None,
        )  # fmt: skip
        return tx.insert(session), value


def end_session(world: World, session: Session) -> None:
    """Logs out."""
    with world.tx() as tx:
        tx.update(session, ended_at=world.now())


def cookie_name(world: World, service: str) -> str:
    """A cookie of its own for each server, world and service: cookies ignore ports, and paths are shared."""
    server = world.secrets.token("cookie", 0, length=6)
    return f"pc_{service}_{world.name.replace('-', '_')}_{server}"


def set_cookie(response: Response, request: Request, service: str, value: str) -> None:
    """Hands the session to the browser: host-only, HttpOnly, without Expires (the run clock may stand in the
    past).
    """
    path = request.scope.get("root_path") or "/"
    response.set_cookie(
        cookie_name(request.state.world, service), value, path=path, httponly=True, samesite="lax"
    )


def clear_cookie(response: Response, request: Request, service: str) -> None:
    """Takes the session away from the browser."""
    response.delete_cookie(
        cookie_name(request.state.world, service), path=request.scope.get("root_path") or "/"
    )


def session_of(request: Request, service: str, stage: str = "full") -> Session | None:
    """The live session of this request's cookie, if it has reached `stage`; notes it in the request log."""
    world: World = request.state.world
    value = request.cookies.get(cookie_name(world, service))
    if not value:
        return None
    session = world.one(Session, "WHERE digest = ? AND service = ?", (_kept(world, value), service))
    if session is None or session.ended_at is not None or session.expires_at <= world.now():
        return None
    if session.stage != stage:
        return None
    note_credential(request, f"session:{session.id}", world.get(Person, session.person_id))
    return session


def csrf(world: World, session: Session) -> str:
    """The token that forms of this session carry."""
    return world.secrets.token(f"csrf/{world.name}", session.id)


def csrf_is_right(world: World, session: Session, given: str | None) -> bool:
    """Whether a form or header carries this session's token."""
    return bool(given) and same(given or "", csrf(world, session))


# tokens


def issue_token(
    world: World, person: Person, service: str, *, scopes: str = "", prefix: str = "", ttl: int = TOKEN_TTL
) -> str:
    """A new bearer token; this is the only time its text is known."""
    with world.tx() as tx:
        n = tx.seq("token")
        value = world.secrets.token(f"token/{world.name}", n, prefix=prefix)
        now = world.now()
        tx.insert(Token(
            id=f"tok_{n}", service=service, person_id=person.id, scopes=scopes, digest=_kept(world, value),
            created_at=now, expires_at=now + ttl, revoked_at=None,
        ))  # fmt: skip
    return value


def pin_token(world: World, person: Person, service: str, value: str) -> None:
    """Has the world take a bearer token whose text was chosen outside. It never expires, and is good whatever
    became of it before.
    """
    token = find_token(world, service, value)
    if token is not None and token.person_id == person.id and token.revoked_at is None:
        return
    with world.tx() as tx:
        if token is not None:
            tx.update(token, person_id=person.id, revoked_at=None)
            return
        now = world.now()
        tx.insert(Token(
            id=f"tok_{tx.seq('token')}", service=service, person_id=person.id, scopes="",
            digest=_kept(world, value), created_at=now, expires_at=now + PINNED_TTL, revoked_at=None,
        ))  # fmt: skip


def bearer_text(request: Request, scheme: str = "bearer") -> str | None:
    """The credential in `Authorization: <scheme> …`, or None."""
    given, _, value = request.headers.get("authorization", "").partition(" ")
    return value.strip() or None if given.lower() == scheme else None


def find_token(world: World, service: str, value: str) -> Token | None:
    """The stored token of this text, live or not."""
    return world.one(Token, "WHERE digest = ? AND service = ?", (_kept(world, value), service))


def token_of(request: Request, service: str, value: str | None = None) -> tuple[Token, Person] | None:
    """The live token of this request (by default its Bearer) and its owner; notes it in the request log."""
    world: World = request.state.world
    value = value or bearer_text(request)
    token = find_token(world, service, value) if value else None
    if token is None or token.revoked_at is not None or token.expires_at <= world.now():
        return None
    person = world.get(Person, token.person_id)
    if person is None:
        return None
    note_credential(request, f"token:{token.id}", person)
    return token, person


def note_credential(
    request: Request, credential: str, person: Person | None = None, email: str | None = None
) -> None:
    """Tells the request log which credential a request came with ("link:req_…")."""
    record = getattr(request.state, "record", None)
    if record is not None:
        record.credential = credential
        record.person = person.email if person else email


# passwords and lock-outs


def locked_until(world: World, service: str, account: str) -> int | None:
    """The instant until which this account may not log in, or None."""
    lock = world.get(Lockout, service, account.lower())
    return lock.locked_until if lock and lock.locked_until and lock.locked_until > world.now() else None


def note_failure(world: World, service: str, account: str) -> int | None:
    """Counts a failed log-in; locks the account at the fifth. Returns until when it is locked, if it is."""
    account = account.lower()
    with world.tx() as tx:
        lock = world.get(Lockout, service, account)
        if lock is None:
            lock = tx.insert(Lockout(service=service, account=account, failures=0, locked_until=None))
        failures = lock.failures + 1
        if failures < MAX_FAILURES:
            tx.update(lock, failures=failures)
            return None
        until = world.now() + LOCK_TTL
        tx.update(lock, failures=0, locked_until=until)
        return until


def note_success(world: World, service: str, account: str) -> None:
    """Forgets failed log-ins."""
    lock = world.get(Lockout, service, account.lower())
    if lock is not None:
        with world.tx() as tx:
            tx.delete(lock)


def check_password(world: World, email: str, password: str) -> Person | None:
    """The person, if address and password are right."""
    person = world.person(email.strip())
    return person if person and password_is_right(person, password) else None


# second factors


def totp_secret(world: World, person: Person) -> str:
    """The person's authenticator secret in base 32; derived, never stored."""
    return base64.b32encode(world.secrets.key("totp", person.id)[:20]).decode()


def totp_now(world: World, person: Person) -> str:
    """What the person's authenticator shows, by the run clock."""
    return pyotp.TOTP(totp_secret(world, person)).at(utc(world.now()))


def totp_is_right(world: World, person: Person, code: str) -> bool:
    """Whether a code is the authenticator's, one step of 30 seconds early or late allowed."""
    return pyotp.TOTP(totp_secret(world, person)).verify(
        code.strip(), for_time=utc(world.now()), valid_window=1
    )


def new_code(world: World, service: str, person: Person, channel: str) -> str:
    """A six-digit code for one log-in; the caller sends it by its channel."""
    with world.tx() as tx:
        n = tx.seq("code")
        value = world.secrets.digits(f"code/{world.name}", n)
        now = world.now()
        tx.insert(Code(
            id=n, service=service, person_id=person.id, channel=channel, digest=_kept(world, value),
            created_at=now, expires_at=now + CODE_TTL, used_at=None,
        ))  # fmt: skip
    return value


def code_text(world: World, code: Code) -> str | None:
    """What a live code says, for the portal's phone; None once it is spent, expired, or from before a fork.
    """
    if code.used_at is not None or code.expires_at <= world.now():
        return None
    value = world.secrets.digits(f"code/{world.name}", code.id)
    return value if same(code.digest, _kept(world, value)) else None


def use_code(world: World, service: str, person: Person, given: str) -> bool:
    """Spends the newest code of this person, if it is right, unspent and not expired."""
    newest = world.one(Code, "WHERE service = ? AND person_id = ? ORDER BY id DESC", (service, person.id))
    if newest is None or newest.used_at is not None or newest.expires_at <= world.now():
        return False
    if not same(newest.digest, _kept(world, given.strip())):
        return False
    with world.tx() as tx:
        tx.update(newest, used_at=world.now())
    return True
