"""What the panels of a world's pages show, read from the world: log-ins, phones, requests, plans."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from fakes.core import agenda, auth
from fakes.core.agenda import Planned
from fakes.core.auth import Code
from fakes.core.claimed import MARK, has_account
from fakes.core.links import by_path
from fakes.core.people import Person, password
from fakes.core.requests import LoggedRequest
from fakes.core.service import Service
from fakes.core.world import World

PAGE = 50  # requests
NOBODY = "none"  # the filter for requests that came without a lease


@dataclass(frozen=True)
class LogIn:
    """How a person gets into a service."""

    name: str
    email: str
    password: str
    note: str


@dataclass(frozen=True)
class ServiceCard:
    """A service of a world: where people and programs find it, and who has a log-in there."""

    name: str
    title: str
    summary: str
    kind: str
    url: str
    api: str
    log_ins: tuple[LogIn, ...]


def services_of(world: World) -> list[Service]:
    """Every service of a world, fakes first."""
    return sorted(world.services.values(), key=lambda s: (s.kind != "fake", s.title.lower()))


def service_cards(world: World, port: str) -> list[ServiceCard]:
    """Every service of a world, fakes first; `port` is the one the reader came by, ":8080"."""
    return [
        ServiceCard(
            name=service.name,
            title=service.title,
            summary=service.summary,
            kind=service.kind,
            url=f"http://{service.host_label}.{world.name}.localhost{port}/",
            api=f"http://127.0.0.1{port}{by_path(service, world.name)}/{next(iter(service.api_paths), '')}",
            log_ins=tuple(_log_ins(world, service)),
        )
        for service in services_of(world)
    ]


@dataclass(frozen=True)
class Way:
    """A service that a person can be opened at; `signed_in` where they have an account."""

    name: str
    title: str
    signed_in: bool


def ways_of(world: World, person: Person) -> list[Way]:
    """Every service of a world for one person, fakes first."""
    return [Way(s.name, s.title, has_account(world, s, person)) for s in services_of(world)]


def _log_ins(world: World, service: Service) -> Iterable[LogIn]:
    for account in service.accounts(world) if service.accounts else ():
        person = world.person(account.email)
        if person is not None:
            yield LogIn(person.name, person.email, password(world, person.email), account.note)


@dataclass(frozen=True)
class Message:
    """A code that reached a person and still opens something."""

    sender: str
    channel: str
    text: str
    at: int


@dataclass(frozen=True)
class Phone:
    """A person's phone: what the authenticator shows, for how long, and the codes that came."""

    person: Person
    authenticator: str
    seconds_left: int
    messages: tuple[Message, ...]


def phone_of(world: World, email: str | None) -> Phone | None:
    """The phone of the person with this address, or of the world's first; None in an empty world."""
    person = world.person(email) if email else None
    person = person or world.one(Person, "ORDER BY seq")
    if person is None:
        return None
    code = auth.totp_now(world, person)
    left = 30 - world.now() // 1000 % 30
    return Phone(person, code, left, tuple(_messages(world, person)))


def _messages(world: World, person: Person) -> Iterable[Message]:
    live = "WHERE person_id = ? AND used_at IS NULL AND expires_at > ? ORDER BY id DESC LIMIT 5"
    for code in world.all(Code, live, (person.id, world.now())):
        text = auth.code_text(world, code)
        if text is not None:
            service = world.services.get(code.service)
            yield Message(service.title if service else code.service, code.channel, text, code.created_at)


# requests


@dataclass(frozen=True)
class LogPage:
    """A page of the request log, newest first; `older` is where the next one begins."""

    rows: list[LoggedRequest]
    older: int | None


_PAGE_FILES = "path NOT LIKE '%/static/%' AND path NOT LIKE '%/_ui/%' AND path NOT LIKE '%/_live'"


def surface_of(logged: LoggedRequest) -> str:
    """The surface that a request came by, as the portal says it.

    Only a leased browser counts as `browser`, for a program could send the same headers. The portal tells a
    person's own browser from other programs all the same.
    """
    by_page = logged.mode is not None and logged.surface != "browser"
    if by_page and logged.lease is None:
        return "browser (unclaimed)"
    return f"browser {MARK}" if by_page and (logged.lease or "").endswith(MARK) else logged.surface


def log_page(world: World, lease: str | None, before: int | None, *, files: bool = False) -> LogPage:
    """The requests of a lease (NOBODY: of none; None: all) that came before number `before`.

    Style sheets, scripts, icons and live streams of pages are left out, unless `files` asks for them.
    """
    where: list[str] = [] if files else [_PAGE_FILES]
    params: list[Any] = []
    if lease == NOBODY:
        where.append("lease IS NULL")
    elif lease:
        where.append("lease = ?")
        params.append(lease)
    if before is not None:
        where.append("id < ?")
        params.append(before)
    condition = f"WHERE {' AND '.join(where)} " if where else ""
    rows = world.log.rows(f"{condition}ORDER BY id DESC LIMIT ?", (*params, PAGE + 1))
    return LogPage(rows[:PAGE], rows[PAGE - 1].id if len(rows) > PAGE else None)


def leases_in_log(world: World) -> list[tuple[str, str]]:
    """Every lease that the log names, with its kind."""
    world.log.flush()
    sql = "SELECT lease, min(kind) FROM requests WHERE lease IS NOT NULL GROUP BY lease ORDER BY min(id)"
    return [(lease, kind or "") for lease, kind in world.select(sql)]


# planned work


@dataclass(frozen=True)
class Plans:
    """What is planned, and what fired last."""

    ahead: list[Planned]
    fired: list[Planned]


def plans(world: World) -> Plans:
    """The next 100 planned things and the last 30 that fired."""
    return Plans(
        world.all(Planned, "WHERE fired_at IS NULL ORDER BY due_at, id LIMIT 100"),
        world.all(Planned, "WHERE fired_at IS NOT NULL ORDER BY fired_at DESC, id DESC LIMIT 30"),
    )


@dataclass(frozen=True)
class Due:
    """The next planned thing: what, when, and how long until then."""

    what: str
    due_at: int
    ahead: str


def coming(world: World) -> Due | None:
    """The next planned thing; None when there is none."""
    planned = agenda.next_due(world)
    if planned is None:
        return None
    service = world.services.get(planned.service)
    what = f"{service.title if service else planned.service}: {planned.kind}"
    return Due(what, planned.due_at, _in_words(planned.due_at - world.now()))


def _in_words(milliseconds: int) -> str:
    minutes, days = max(0, milliseconds) // 60_000, max(0, milliseconds) // 86_400_000
    if days:
        return f"in {days} day{'s' * (days > 1)}"
    return f"in {minutes // 60} h {minutes % 60:02} min" if minutes >= 60 else f"in {minutes} min"
