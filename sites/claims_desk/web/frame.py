"""What every page of the desk stands on: who visits, the frame around it, forms, refusals and ways on."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from fakes.core import auth
from fakes.core.forms import local_path
from fakes.core.ui import Pages
from fakes.core.world import World
from sites.claims_desk import access
from sites.claims_desk.errors import DeskError, NotFound
from sites.claims_desk.schema import Operator
from sites.claims_desk.store import SERVICE, accounts, overview
from sites.claims_desk.web.words import FILTERS

pages = Pages("sites.claims_desk")
pages.env.filters.update({made.__name__: made for made in FILTERS})

Endpoint = Callable[[Request], Awaitable[Response]]
Errors = Mapping[str, str]
Typed = dict[str, str]

_PLACES: tuple[tuple[str, tuple[tuple[str, str, str, str, str], ...]], ...] = (
    ("", (("/", "house", "Today", "", ""),)),
    ("Money", (("/ledger", "receipt-text", "Ledger", "unaudited", "to audit"),)),
    (
        "Claims",
        (
            ("/claims", "briefcase", "Claims", "", ""),
            ("/claimants", "users", "Claimants", "", ""),
            ("/separations", "user-check", "Separations", "", ""),
        ),
    ),
    (
        "Answers",
        (
            ("/notices", "bell", "Notices", "human", "needing a human"),
            ("/questionnaires", "clipboard-list", "Questionnaires", "waiting", "unanswered"),
            ("/chases", "clock-alert", "Reminders", "chases", "due"),
            ("/protests", "gavel", "Protests", "unfiled", "not filed"),
        ),
    ),
    (
        "The desk",
        (("/events", "history", "Events", "", ""), ("/settings/webhooks", "zap", "Webhooks", "", "")),
    ),
)

# What a page says after a form has led to it: it is answered by a redirect, so a reload does nothing twice.
_SAID = {
    "answered": "The notice is marked as answered: its deadline is counted no more.",
    "audited": "The audit is done: every line is marked.",
    "by-hand": "Reminders wait for an operator from now on.",
    "by-itself": "The desk sends reminders by itself from now on.",
    "chased": "The reminder is on its way to the manager.",
    "cleared": "The flag is taken down.",
    "due-sent": "The reminders that were due are on their way.",
    "filed": "The protest is filed.",
    "flagged": "The notice is flagged for a human.",
    "opened": "The questionnaire is open as a draft. Nothing was mailed yet.",
    "protest": "The protest is open. Write the reasons, then file it.",
    "recorded": "The notice is recorded.",
    "removed": "The webhook is removed: nothing more is told there.",
    "resent": "It is to be sent again.",
    "saved": "The letter is saved.",
    "sent": "The questionnaire is on its way to the manager.",
    "taken": "The answers are recorded.",
}


# What the router or the server refuses; of whatever else goes wrong, a form may have been taken before.
_SENTENCES = {
    404: "There is no such page at the desk.",
    405: "This page can't be sent that way.",
    429: "That was too much at once. Wait a little, then try again.",
}
_FAILED = "Something went wrong here. Nothing more is known; try again."
_UNCERTAIN = "Something went wrong here. It may have been done all the same: look before you send it again."


@dataclass(frozen=True)
class Visit:
    """One request of an operator who is signed in; `form` holds what a form sent, without its CSRF token."""

    request: Request
    world: World
    me: Operator
    form: Typed

    def page(self, template: str, place: str, status: int = 200, **context: Any) -> Response:
        """The page in the desk's frame; `place` is the menu's entry that it belongs to."""
        done = self.request.query_params.get("done", "")
        frame: dict[str, Any] = {
            "me": self.me,
            "tenant": accounts.tenant(self.world, self.me),
            "places": _places(self.world, self.me),
            "place": place,
            "said": _SAID.get(done, ""),
            "here": None,
        }
        return pages.response(self.request, template, status, **(frame | context))

    def go(self, path: str, done: str = "") -> Response:
        """On to another page of the desk, which says what was done."""
        return go(self.request, path + (f"?done={done}" if done else ""))

    def id(self, name: str = "id") -> str:
        """A part of the path."""
        return str(self.request.path_params[name])

    def asked(self, name: str) -> str:
        """A parameter of the address; nothing when it is missing."""
        return self.request.query_params.get(name, "").strip()


Handler = Callable[[Visit], Awaitable[Response]]


def signed_in(handler: Handler) -> Endpoint:
    """The endpoint of a page or form for operators: others are led to the log-in, forms carry a token."""

    async def endpoint(request: Request) -> Response:
        world: World = request.state.world
        session = auth.session_of(request, SERVICE)
        me = accounts.operator_of(world, session.person_id) if session else None
        if session is None or me is None:
            return to_log_in(request)
        request.state.csrf = auth.csrf(world, session)
        visit = Visit(request, world, me, {})
        try:
            if request.method == "POST":
                visit.form.update(await form_of(request))
                access.check_csrf(request, session, visit.form.pop("csrf", None))
            return await handler(visit)
        except DeskError as error:
            return refused(visit, error)

    return endpoint


async def form_of(request: Request) -> Typed:
    """A form's fields as text, as sent; files are none of ours."""
    async with request.form() as form:
        return {name: value for name, value in form.items() if isinstance(value, str)}


def errors_of(error: DeskError) -> Errors:
    """The message beside the field that it is about; under "" when it is about none."""
    return {error.field or "": error.sentence}


def refused(visit: Visit, error: DeskError) -> Response:
    """A page in the desk's look for what can't be shown or done."""
    heading = "Not here" if isinstance(error, NotFound) else "Nothing was changed"
    return visit.page("refused.html", "", error.status, heading=heading, sentence=error.sentence, back="")


def refuse(request: Request, error: HTTPException) -> Response:
    """A page for what the router or the server refuses; in the desk's frame for those who are signed in."""
    sentence = _SENTENCES.get(error.status_code, _FAILED if request.method == "GET" else _UNCERTAIN)
    heading = "Not here" if error.status_code == 404 else "That did not work"
    session = auth.session_of(request, SERVICE)
    me = accounts.operator_of(request.state.world, session.person_id) if session else None
    if session is None or me is None:
        context: dict[str, Any] = {"heading": heading, "sentences": [sentence], "good": False}
        return pages.response(
            request, "manager_over.html", error.status_code, employer="", pairs=(), **context
        )
    request.state.csrf = auth.csrf(request.state.world, session)
    visit = Visit(request, request.state.world, me, {})
    return visit.page("refused.html", "", error.status_code, heading=heading, sentence=sentence, back="")


# ways on


def go(request: Request, path: str) -> Response:
    """To a page of this site, wherever it is mounted."""
    return RedirectResponse(request.scope.get("root_path", "") + path, 303)


def to_log_in(request: Request) -> Response:
    """To the log-in and back: to the page that was asked for, or to the overview after a form."""
    path = request.scope["path"].removeprefix(request.scope.get("root_path", ""))
    query = f"?{request.url.query}" if request.url.query else ""
    here = local_path(path + query) if request.method == "GET" else "/"
    return go(request, "/login" + (f"?{urlencode({'next': here})}" if here != "/" else ""))


def _places(world: World, me: Operator) -> list[tuple[str, list[tuple[str, str, str, int, str]]]]:
    counts = overview.counts(world, me)
    return [
        (
            heading,
            [(path, icon, text, getattr(counts, name, 0), hint) for path, icon, text, name, hint in group],
        )
        for heading, group in _PLACES
    ]
