"""The page that a manager's public link opens: no log-in, questions, thanks. Its form posts to the API."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from fakes.core.clock import civil
from fakes.core.service import route
from fakes.core.world import World
from sites.claims_desk.access import by_link
from sites.claims_desk.errors import LinkExpired, LinkUnknown
from sites.claims_desk.schema import FactRequest
from sites.claims_desk.store import accounts
from sites.claims_desk.store.questionnaires import RequestView
from sites.claims_desk.web.frame import pages
from sites.claims_desk.web.questionnaires import missing_in, pairs_of
from sites.claims_desk.web.words import deadline, due_day

_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
)  # fmt: skip
_PROBLEMS = {
    "invalid": "Nothing was saved: no question was answered. Answer at least one, then send.",
    "already_answered": "Nothing was saved: some of it was answered already. What is open stands below.",
}


def routes() -> list[BaseRoute]:
    """The routes of this module."""
    return [route("GET", "/q/{token}", manager_page)]


async def manager_page(request: Request) -> Response:
    """The questions that are open; thanks when there are none; a word when the link opens nothing."""
    token = request.path_params["token"]
    try:
        view = by_link(request, token)
    except LinkUnknown:
        sentences = ["It opens nothing. Take the whole link from the mail, or ask the claims desk for it."]
        return _over(request, 404, "This link is not known", sentences)
    except LinkExpired as error:
        return _over(
            request,
            error.status,
            "The time to answer is over",
            ["What was answered before is kept. If there is more to say, ask the claims desk to ask again."],
        )
    employer = accounts.tenant_with(request.state.world, view.request.tenant_id).name
    if not missing_in(view):
        return _thanks(request, view, employer)
    return pages.response(
        request,
        "manager.html",
        employer=employer,
        token=token,
        view=view,
        pairs=pairs_of(view),
        missing=missing_in(view),
        claimant=_claimant(view),
        hello=(view.request.manager_name or "").split(" ")[0],
        problem=_PROBLEMS.get(request.query_params.get("error", ""), ""),
        saved=_saved(request, view),
        due=_due(request.state.world, view.request),
        left=deadline(due_day(request.state.world, view.request), request.state.world.today()).words,
    )


def _saved(request: Request, view: RequestView) -> int:
    """How many answers the form has just saved, as its address says: never more than there are."""
    said = request.query_params.get("saved", "")
    return min(int(said), view.answered) if said.isdecimal() and len(said) < 4 else 0


def _thanks(request: Request, view: RequestView, employer: str) -> Response:
    sentences = [
        f"All {len(view.questions)} questions about {_claimant(view)} are answered.",
        "The claims desk has what is said below. You can close this page.",
    ]
    return _over(request, 200, "Thank you", sentences, employer, view)


def _over(
    request: Request,
    status: int,
    heading: str,
    sentences: list[str],
    employer: str = "",
    view: RequestView | None = None,
) -> Response:
    pairs = pairs_of(view) if view else []
    return pages.response(
        request, "manager_over.html", status, heading=heading, sentences=sentences, employer=employer,
        pairs=pairs, good=view is not None,
    )  # fmt: skip


def _claimant(view: RequestView) -> str:
    return view.claimant.name if view.claimant else "a former employee"


def _due(world: World, request: FactRequest) -> str:
    """The last moment in words: Friday, October 31, 2025 at 11:59 PM."""
    if not isinstance(request.due_at, int):
        return "the day in the mail"
    at = civil(request.due_at, world.zone)
    clock = f"{at.hour % 12 or 12}:{at.minute:02} {'AM' if at.hour < 12 else 'PM'}"
    return f"{_WEEKDAYS[at.weekday()]}, {_MONTHS[at.month - 1]} {at.day}, {at.year} at {clock}"
