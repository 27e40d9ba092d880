"""Who is asking: an operator by session cookie or bearer token, or a manager by a public link."""

from __future__ import annotations

from starlette.requests import Request

from fakes.core import auth
from fakes.core.auth import Session
from sites.claims_desk.errors import CsrfFailed, LinkUnknown, NotAnOperator, NotSignedIn
from sites.claims_desk.schema import Operator
from sites.claims_desk.store import SERVICE, accounts, questionnaires
from sites.claims_desk.store.questionnaires import RequestView


def operator(request: Request) -> Operator:
    """The operator who sent this request. Raises NotSignedIn, NotAnOperator."""
    return _operator(request)[0]


def writer(request: Request) -> Operator:
    """The operator who asks for a change: one who comes by cookie must send its `X-CSRF` token too.

    Raises NotSignedIn, NotAnOperator, CsrfFailed.
    """
    found, session = _operator(request)
    if session is not None:
        check_csrf(request, session, request.headers.get("x-csrf"))
    return found


def check_csrf(request: Request, session: Session, given: str | None) -> None:
    """Raises CsrfFailed unless `given` is the token of this session."""
    if not auth.csrf_is_right(request.state.world, session, given):
        raise CsrfFailed(
            "This request did not come from one of the desk's pages. Reload the page and try again."
        )


def by_link(request: Request, token: str) -> RequestView:
    """The questionnaire behind a public link; the request log learns which, never the link.

    Raises LinkUnknown, LinkExpired.
    """
    view = questionnaires.by_link(request.state.world, token)
    auth.note_credential(request, f"link:{view.request.id}", email=view.request.manager_email)
    return view


def link_holder(request: Request, token: str) -> RequestView:
    """As `by_link`, for programs: a link that opens nothing is a credential that is not good here."""
    try:
        return by_link(request, token)
    except LinkUnknown as unknown:
        raise NotSignedIn(unknown.sentence) from None


def _operator(request: Request) -> tuple[Operator, Session | None]:
    """The operator and, for a request by cookie, the session. A given Authorization header decides alone."""
    session = None
    if "authorization" in request.headers:
        owned = auth.token_of(request, SERVICE)
        person_id = owned[1].id if owned else None
    else:
        session = auth.session_of(request, SERVICE)
        person_id = session.person_id if session else None
    if person_id is None:
        raise NotSignedIn("Sign in at the desk, or send a live token as 'Authorization: Bearer …'.")
    found = accounts.operator_of(request.state.world, person_id)
    if found is None:
        raise NotAnOperator("This person has no log-in at the desk. Ask whoever runs it for one.")
    return found, session
