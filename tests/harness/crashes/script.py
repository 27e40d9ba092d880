"""What the crashing servers are asked: the work of a day at the desk and in its mailboxes, step by step."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from zoneinfo import ZoneInfo

import orjson

from fakes.core.clock import instant
from fakes.core.people import password
from fakes.core.seeding import Base, Seed, build_base
from fakes.core.service import Service
from fakes.core.world import Genesis, open_world
from fakes.gmail import service as gmail
from harness.app import BASE_DATE, FIXED_SECRET, ZONE
from sites.claims_desk import service as claims_desk
from sites.claims_desk.seed import harborlight_desk

SERVICES: dict[str, Service] = {"claims_desk": claims_desk, "gmail": gmail}
DESK, MAIL, CONTROL = "/w/main/sites/claims_desk", "/w/main/gmail/v1/users/me", "/worlds/main"
DAY = 86_400_000
TOM = "tom@harborlight.example"
HOOK = "http://127.0.0.1:9/hooks"


@dataclass(frozen=True)
class Given:
    """What the client knows before it begins: ids and passwords that were seeded."""

    passwords: dict[str, str]
    dana_claim: str
    lindqvist_claim: str
    determination: str
    q3_text: str
    at: int


def seed(w: Seed) -> Given:
    """The desk, its operators and the manager who answers."""
    mira = w.person("mira@harborlight.example", "Mira Okafor")
    jonas = w.person("jonas@harborlight.example", "Jonas Weber")
    tom = w.person("tom@harborlight.example", "Tom Becker")
    olga = w.person("olga@cobblestone.example", "Olga Stern")
    desk = harborlight_desk(w, operators=[mira, jonas], manager=tom, outsider=olga)
    passwords = {person.email: password(w.world, person.email) for person in (mira, jonas, tom)}
    return Given(
        passwords, desk.dana_claim.id, desk.lindqvist_claim.id, desk.determination.id, desk.q3_text,
        w.world.now(),
    )  # fmt: skip


def build(services: dict[str, Service] = SERVICES) -> Base:
    """The pristine state that every server begins with."""
    at = instant(BASE_DATE, "09:30", ZoneInfo(ZONE))
    return build_base(services, Genesis(1, FIXED_SECRET, at, ZONE, "crashes"), seed)


def authenticator_of(base: Base, email: str) -> str:
    """What a person's authenticator shows in the morning."""
    from fakes.core import auth

    world = open_world("main", SERVICES, image=base.image)
    person = world.person(email)
    assert person is not None
    code = auth.totp_now(world, person)
    world.close()
    return code


# asking


@dataclass(frozen=True)
class Ask:
    """One request. `data` is a form, `body` JSON, `content` bytes."""

    method: str
    path: str
    headers: dict[str, str] = field(default_factory=dict)
    data: dict[str, str] | None = None
    body: Any = None
    content: bytes | None = None


@dataclass(frozen=True)
class Answer:
    """What the client got: status, text and the cookie that was set, if any."""

    status: int
    text: str
    cookie: str = ""

    @property
    def json(self) -> Any:
        """The body's JSON."""
        return orjson.loads(self.text)


@dataclass(frozen=True)
class Known:
    """What the client knows: what was seeded, and every answer so far by the step's name."""

    given: Given
    code: str
    answers: dict[str, Answer]

    def id(self, step: str, name: str = "id") -> str:
        """An id in a step's answer."""
        return str(self.answers[step].json[name])

    def in_page(self, step: str, pattern: str) -> str:
        """What a pattern finds in a step's page."""
        found = re.search(pattern, self.answers[step].text)
        assert found is not None, (step, pattern)
        return found[1]

    def as_mira(self) -> dict[str, str]:
        """The headers of Mira's browser."""
        csrf = self.in_page("her desk", r'name="csrf" content="([^"]+)"')
        return {"Cookie": self.answers["her code"].cookie, "X-CSRF": csrf}

    def bearer(self, step: str) -> dict[str, str]:
        """The token that a step issued."""
        return {"Authorization": f"Bearer {self.id(step, 'token')}"}


@dataclass(frozen=True)
class Step:
    """A request by name, and how it is answered when its client, who saw no answer, repeats what was done.

    With 409 where the desk knows that it was done; otherwise as the first time, and it is done twice. `moves`
    marks what moves the clock, where each thing that falls due is a piece of work of its own.
    """

    name: str
    ask: Callable[[Known], Ask]
    again: int
    moves: bool = False
    refused: bool = False


CSRF_FIELD = r'name="csrf" value="([^"]+)"'


def _log_in(email: str, typed: str = "") -> Callable[[Known], Ask]:
    return lambda k: Ask(
        "POST", f"{DESK}/login", data={"email": email, "password": typed or k.given.passwords[email]}
    )


def _at_mail(method: str, path: str, step: str = "", **form: str) -> Callable[[Known], Ask]:
    """A request of Tom's browser, at the host of the mail service."""

    def ask(k: Known) -> Ask:
        headers = {"Host": "gmail.main.localhost:8080"} | (_cookie(step)(k) if step else {})
        data = {name: value if value != "*" else _typed(k, name) for name, value in form.items()}
        thread = k.answers["the letter"].json["threadId"] if "the letter" in k.answers else ""
        return Ask(method, path.format(thread=thread), headers, data=data or None)

    return ask


def _typed(k: Known, field: str) -> str:
    return k.given.passwords[TOM] if field == "password" else k.in_page("his letter", CSRF_FIELD)


def _post(path: str, body: Callable[[Known], Any] = lambda k: {}) -> Callable[[Known], Ask]:
    return lambda k: Ask("POST", DESK + path.format_map(_Ids(k)), k.as_mira(), body=body(k))


class _Ids(dict[str, str]):
    """Fills `{step name}` in a path with the id that the step gave."""

    def __init__(self, known: Known) -> None:
        self._known = known

    def __missing__(self, step: str) -> str:
        return self._known.id(step)


def _token(service: str, email: str) -> Callable[[Known], Ask]:
    return lambda k: Ask("POST", f"{CONTROL}/tokens", body={"email": email, "service": service})


def _send(token: str, to: str, subject: str) -> Callable[[Known], Ask]:
    letter = f"To: {to}\r\nSubject: {subject}\r\nMessage-ID: <{subject}@client>\r\n\r\nHello.\r\n"
    raw = base64.urlsafe_b64encode(letter.encode()).decode()
    return lambda k: Ask("POST", f"{MAIL}/messages/send", k.bearer(token), body={"raw": raw})


def _link(k: Known) -> dict[str, str]:
    data = k.answers["the letter"].json["payload"]["body"]["data"]
    text = base64.urlsafe_b64decode(data + "==").decode()
    found = re.search(r"/q/(\w+)", text)
    assert found is not None
    return {"Authorization": f"Link {found[1]}"}


def _answers(k: Known) -> Any:
    questions = k.answers["the questions"].json["questions"]
    return {"answers": [{"question_id": q["id"], "text": "2025-09-30"} for q in questions[:2]]}


def _notice(k: Known) -> Any:
    return {
        "type": "determination", "state": "NY", "document_id": k.given.determination,
        "claim_id": k.given.dana_claim, "notice_date": "2025-10-14", "mail_date": "2025-10-15",
    }  # fmt: skip


def _edit_and_file(k: Known) -> Ask:
    fields = {"csrf": k.as_mira()["X-CSRF"], "title": "Protest", "body": "She left.", "do": "file"}
    return Ask("POST", f"{DESK}/protests/{k.id('draft')}", {"Cookie": k.as_mira()["Cookie"]}, data=fields)


def _bytes(k: Known) -> Ask:
    slot = k.id("slot", "object_id")
    return Ask("PUT", f"{DESK}/upload/{slot}", k.as_mira(), content=k.given.q3_text.encode())


def _letter(k: Known) -> Ask:
    newest = k.answers["letters"].json["messages"][0]["id"]
    return Ask("GET", f"{MAIL}/messages/{newest}", k.bearer("his mailbox"))


def _questions(category: str) -> Callable[[Known], Any]:
    return lambda k: {"claim_id": k.given.lindqvist_claim, "state": "PA", "category": category}


def _read(path: str, headers: Callable[[Known], dict[str, str]]) -> Callable[[Known], Ask]:
    return lambda k: Ask("GET", path.format_map(_Ids(k)), headers(k))


def _cookie(step: str) -> Callable[[Known], dict[str, str]]:
    return lambda k: {"Cookie": k.answers[step].cookie}


def _her_code(k: Known) -> Ask:
    form = {"csrf": k.in_page("her code page", CSRF_FIELD), "code": k.code}
    return Ask("POST", f"{DESK}/login/code", {"Cookie": k.answers["her password"].cookie}, data=form)


def _advance(days: float) -> Callable[[Known], Ask]:
    def ask(k: Known) -> Ask:
        at = k.given.at + int(days * DAY)
        from fakes.core.clock import civil

        return Ask("POST", f"{CONTROL}/clock/advance", body={"to": civil(at, ZoneInfo(ZONE)).isoformat()})

    return ask


EVENTS = [
    "notice.recorded", "notice.flagged", "questionnaire.sent", "questionnaire.answered", "protest.filed",
    "statement.audited",
]  # fmt: skip

SCRIPT: tuple[Step, ...] = (
    Step("her mistake", _log_in("mira@harborlight.example", "mistyped"), 401, refused=True),
    Step("her password", _log_in("mira@harborlight.example"), 303),
    Step("her code page", _read(f"{DESK}/login/code", _cookie("her password")), 200),
    Step("her code", _her_code, 303),
    Step("her desk", _read(f"{DESK}/", _cookie("her code")), 200),
    Step("his password", _log_in("jonas@harborlight.example"), 303),
    Step("hook", _post("/api/webhooks", lambda k: {"url": HOOK, "events": EVENTS}), 201),
    Step("slot", _post("/upload/start", lambda k: {"name": "q3.txt", "kind": "statement"}), 201),
    Step("bytes", _bytes, 409),
    Step(
        "paper",
        _post("/upload/confirm", lambda k: {"object_id": k.id("slot", "object_id"), "kind": "statement"}),
        409,
    ),
    Step("audit", _post("/api/documents/{paper}/audit"), 409),
    Step("notice", _post("/api/notices", _notice), 409),
    Step("flag", _post("/api/notices/{notice}/flag", lambda k: {"reason": "Look."}), 200),
    Step("ask", _post("/api/fact-requests", _questions("discharge_misconduct")), 201),
    Step("sent", _post("/api/fact-requests/{ask}/send"), 409),
    Step("the questions", _read(f"{DESK}/api/fact-requests/{{ask}}", Known.as_mira), 200),
    Step("his mailbox", _token("gmail", "tom@harborlight.example"), 201),
    Step("letters", _read(f"{MAIL}/messages?maxResults=1", lambda k: k.bearer("his mailbox")), 200),
    Step("the letter", _letter, 200),
    Step(
        "answered",
        lambda k: Ask("POST", f"{DESK}/api/fact-requests/{k.id('ask')}/answers", _link(k), body=_answers(k)),
        409,
    ),
    Step("his mistake", _at_mail("POST", "/sign-in", email=TOM, password="mistyped"), 401, refused=True),
    Step("his sign-in", _at_mail("POST", "/sign-in", email=TOM, password="*"), 303),
    Step("his letter", _at_mail("GET", "/t/{thread}", "his sign-in"), 200),
    Step("his reply", _at_mail("POST", "/t/{thread}/reply", "his sign-in", csrf="*", text="Done."), 303),
    Step("draft", _post("/api/drafts", lambda k: {"notice_id": k.id("notice")}), 409),
    Step("filed", _edit_and_file, 409),
    Step("her mailbox", _token("gmail", "mira@harborlight.example"), 201),
    Step("inside", _send("her mailbox", "tom@harborlight.example", "lunch"), 200),
    Step("outside", _send("her mailbox", "ann@elsewhere.example, tom@harborlight.example", "both"), 200),
    Step("chases", _advance(9.5), 200, moves=True),
    Step("reset", lambda k: Ask("POST", f"{CONTROL}/reset"), 200),
    Step("her desk again", _token("claims_desk", "mira@harborlight.example"), 201),
    Step(
        "anew",
        lambda k: Ask("POST", f"{DESK}/api/notices", k.bearer("her desk again"), body=_notice(k)),
        409,
    ),
)  # fmt: skip
