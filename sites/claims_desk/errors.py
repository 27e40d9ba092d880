"""What the desk refuses: one small class each, with the status and code that programs get.

DeskError
├── BadRequest 400         the body is no JSON
├── NotSignedIn 401        no session, token or link that is good here
│   └── WrongLogIn         address and password, or the code, are not right
├── Forbidden 403
│   ├── CsrfFailed         a write by cookie without the page's own token
│   └── NotAnOperator      a person of this world who has no log-in at the desk
├── NotFound 404           no such row, or another tenant's: the two look the same
├── LinkUnknown 404        no questionnaire was sent with this link
├── Conflict 409           what was asked does not fit what the row already is; each has a code of its own
├── LinkExpired 410        the questionnaire's time is over
├── TooLarge 413           more bytes than the desk takes
├── Invalid 422            a field that can't be so; `field` names it
└── LockedOut 423          too many wrong log-ins; `until` says when it ends

Every sentence says what to do next. This module knows no HTTP library: pages and API render these alike.
"""

from __future__ import annotations

from typing import ClassVar


class DeskError(Exception):
    """Base of all refusals; `sentence` is fit to show to whoever asked, `field` the field it is about."""

    status: ClassVar[int] = 400
    code: ClassVar[str] = "bad_request"

    def __init__(self, sentence: str, field: str | None = None) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.field = field

    def body(self) -> dict[str, dict[str, str]]:
        """The JSON that programs get."""
        error = {"code": self.code, "message": self.sentence}
        return {"error": error if self.field is None else {**error, "field": self.field}}


class BadRequest(DeskError):
    """The request can't be read."""


class NotSignedIn(DeskError):
    """No session, token or link that is good here."""

    status, code = 401, "not_signed_in"


class WrongLogIn(NotSignedIn):
    """Address and password, or the code, are not right; which of them is not said."""

    code = "wrong_log_in"


class Forbidden(DeskError):
    """Signed in, but not for this."""

    status, code = 403, "forbidden"


class CsrfFailed(Forbidden):
    """A write that came with the session's cookie but without the token of the desk's own pages."""

    code = "csrf_failed"


class NotAnOperator(Forbidden):
    """The person has no log-in at the desk, or it was disabled."""

    code = "not_an_operator"


class NotFound(DeskError):
    """No such row for this tenant."""

    status, code = 404, "not_found"

    def __init__(self, what: str, given: str, field: str | None = None) -> None:
        super().__init__(f"There is no {what} {given!r}. List the {what}s to see which there are.", field)


class LinkUnknown(DeskError):
    """No questionnaire was sent with this link."""

    status, code = 404, "link_unknown"

    def __init__(self) -> None:
        super().__init__("This link opens nothing. Use the link from the desk's mail, whole.")


class Conflict(DeskError):
    """What was asked does not fit what the row already is."""

    status, code = 409, "conflict"


class NoStoredBytes(Conflict):
    """Bytes were never put into this slot."""

    code = "no_stored_bytes"


class AlreadyStored(Conflict):
    """A slot takes bytes once."""

    code = "already_stored"


class AlreadyConfirmed(Conflict):
    """An upload becomes one document."""

    code = "already_confirmed"


class NotAuditable(Conflict):
    """Only charge statements are audited."""

    code = "not_auditable"


class AlreadyAudited(Conflict):
    """A document is audited once."""

    code = "already_audited"


class AlreadyRecorded(Conflict):
    """A paper is recorded as one notice."""

    code = "already_recorded"


class NotFlagged(Conflict):
    """There is no flag to take down."""

    code = "not_flagged"


class AlreadySent(Conflict):
    """A questionnaire is sent once, and so is a reminder."""

    code = "already_sent"


class AlreadyAnswered(Conflict):
    """A question is answered once, and so is a notice."""

    code = "already_answered"


class NotNeeded(Conflict):
    """A reminder that a later one has overtaken."""

    code = "not_needed"


class NoManager(Conflict):
    """Nobody is known who could answer the questionnaire."""

    code = "no_manager"


class MailNotTaken(Conflict):
    """The mail system refused the message, so nothing was sent."""

    code = "mail_refused"


class AlreadyDrafted(Conflict):
    """A notice has one protest."""

    code = "already_drafted"


class TooManyWebhooks(Conflict):
    """A desk tells a handful of programs."""

    code = "too_many_webhooks"


class BeingSent(Conflict):
    """A delivery is on its way at this moment."""

    code = "being_sent"


class AlreadyFiled(Conflict):
    """A protest that was filed stays as it is."""

    code = "already_filed"


class LinkExpired(DeskError):
    """The questionnaire took answers until an instant that is over."""

    status, code = 410, "link_expired"


class TooLarge(DeskError):
    """More bytes than the desk takes."""

    status, code = 413, "too_large"


class Invalid(DeskError):
    """A field that can't be so."""

    status, code = 422, "invalid"


class UnreadablePaper(Invalid):
    """The document's text is not the paper that it is to be read as."""

    code = "unreadable_paper"


class IdentifiersDisagree(Invalid):
    """Claim, number, claimant and state of one notice do not belong together."""

    code = "identifiers_disagree"


class ClaimantUnclear(Invalid):
    """Nobody on file, or more than one claim or claimant, fits what was given."""

    code = "claimant_unclear"


class LockedOut(DeskError):
    """Too many wrong log-ins; `until` is the instant (UTC ms) at which it ends."""

    status, code = 423, "locked_out"

    def __init__(self, until: int) -> None:
        super().__init__("Too many wrong log-ins. Wait a quarter of an hour, then try again.")
        self.until = until
