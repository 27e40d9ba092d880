"""The page behind a link that asks whether an address may be used: it needs no log-in, the link is enough."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from fakes.core.forms import is_own_form
from fakes.core.world import World
from fakes.gmail import store
from fakes.gmail.web.visits import pages

_DONE = {
    "forwarding": "Mail may be forwarded to {email} now.",
    "send-as": "Mail may be sent in the name of {email} now.",
    "delegation": "{email} may use the mailbox now.",
}
_GONE = "This link was used already, or is out of date."


async def ask(request: Request) -> Response:
    """Who asks for what, and a button; a link that asks nothing any more says so."""
    return _page(request, _question(request))


async def agree(request: Request) -> Response:
    """The button was pressed."""
    if not is_own_form(request):
        raise HTTPException(403)
    asked = _question(request)
    if asked is None:
        return _page(request, None)
    store.agree(request.state.world, asked)
    return _page(request, asked, done=_DONE[asked.kind].format(email=asked.row.email))


def _question(request: Request) -> store.Question | None:
    world: World = request.state.world
    return store.question(world, request.path_params["token"])


def _page(request: Request, asked: store.Question | None, done: str = "") -> Response:
    sentence = done or (asked.sentence if asked else _GONE)
    title = "Confirmed" if done else "Please confirm" if asked else "Nothing to confirm"
    is_open = asked is not None and not done
    status = 200 if asked else 404
    return pages.response(request, "confirm.html", status, title=title, sentence=sentence, is_open=is_open)
