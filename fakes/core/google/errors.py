"""Google's errors: the envelope, and those that no single product makes.

GoogleError
├── BadRequest             400 badRequest         what the front end itself refuses
│   ├── InvalidSystemParameter   a value that `$.xgafv` or `alt` does not take
│   ├── InvalidCallback          a JSONP name that is none
│   └── InvalidFields            a field mask that fits no answer
├── Malformed              400 invalid            what can't be read as the request that it should be
│   ├── InvalidValue             a parameter or field of the wrong type
│   └── UnknownField             a parameter or field that the request has not
├── InvalidJson            400 parseError
├── LoginRequired          401 required           no token
├── InvalidCredentials     401 authError          a token that is wrong, expired or of another service
├── InsufficientScope      403 insufficientPermissions
├── NotFound               404 notFound
├── RequestTooLarge        413 uploadTooLarge     a body that is read no further
├── RateLimited            429 rateLimitExceeded
├── BackendError           500 backendError
├── Unavailable            503 backendError
├── DeadlineExceeded       504 backendError
└── NotFaked               501 notImplemented     ours: a fake does not do it yet
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

_RPC = "type.googleapis.com/google.rpc."
_EXPECTED = (
    "Expected OAuth 2 access token, login cookie or other valid authentication credential. "
    "See https://developers.google.com/identity/sign-in/web/devconsole-project."
)


class GoogleError(Exception):
    """An error in Google's envelope. `state` is the canonical code beside the HTTP status; `short` stands in
    the envelope's list where Google says less there than at the top.
    """

    status: ClassVar[int] = 400
    reason: ClassVar[str] = "badRequest"
    state: ClassVar[str] = "INVALID_ARGUMENT"
    location: ClassVar[tuple[str, str] | None] = None
    domain: ClassVar[str | None] = "global"
    sentence: ClassVar[str] = "Bad Request"
    short: ClassVar[str | None] = None
    challenge: ClassVar[str | None] = None
    """What follows the realm in WWW-Authenticate; None where there is no such header."""

    def __init__(self, sentence: str | None = None) -> None:
        self.message = sentence or self.sentence
        super().__init__(self.message)

    def entry(self) -> dict[str, Any]:
        """The entry of the envelope's list."""
        entry = {"message": self.short or self.message, "reason": self.reason}
        if self.domain is not None:
            entry["domain"] = self.domain
        if self.location is not None:
            entry["locationType"], entry["location"] = self.location
        return entry

    def details(self) -> list[dict[str, Any]]:
        """What a program can read of it: messages of google.rpc, each with its `@type`."""
        return []

    def envelope(self, *, listed: bool = True) -> dict[str, Any]:
        """The JSON body; without the list of `errors` unless it is wanted."""
        error: dict[str, Any] = {"code": self.status, "message": self.message}
        if listed:
            error["errors"] = [self.entry()]
        error["status"] = self.state
        if details := self.details():
            error["details"] = details
        return {"error": error}


class BadRequest(GoogleError):
    """What the front end of the APIs refuses before a method hears of it."""


class InvalidSystemParameter(BadRequest):
    """A value that a parameter of every method does not take
    (measured: github.com/brekkylab/backlot/pull/202).
    """

    def __init__(self, name: str, value: str) -> None:
        super().__init__(
            f"Invalid query parameters. Invalid value '{value}' for system query parameter : {name}"
        )


class InvalidCallback(BadRequest):
    """A JSONP name with letters that none has (measured: github.com/brekkylab/backlot/pull/220)."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"Invalid JSONP callback name: '{name}'; only alphabet, number, '_', '$', '.', '[' and ']' are "
            "allowed."
        )


class InvalidFields(BadRequest):
    """A mask that names a field which the answer has not; `path` is the name from the top
    (measured: github.com/google/google-api-javascript-client/issues/517).
    """

    sentence = "Request contains an invalid argument."

    def __init__(self, mask: str, path: str) -> None:
        self.mask, self.path = mask, path
        super().__init__()

    def details(self) -> list[dict[str, Any]]:
        """Which path; the sentence names none."""
        found = f"Error expanding 'fields' parameter. Cannot find matching fields for path '{self.path}'."
        return [bad_request([(self.mask, found)])]


class Malformed(GoogleError):
    """What the request can't be read from; it has no domain, and names each place that is wrong.

    The shape is measured at `raw`: github.com/google/googleapis.dart/issues/109.
    """

    reason = "invalid"
    domain = None

    def __init__(self, *found: tuple[str, str]) -> None:
        """`found` are places, "" where there is none to name, and what is wrong there."""
        self._found = found
        super().__init__("\n".join(sentence for _, sentence in found))

    @property
    def found(self) -> Sequence[tuple[str, str]]:
        """The places and what is wrong there."""
        return self._found

    def details(self) -> list[dict[str, Any]]:
        """One violation for each place."""
        return [bad_request(self._found)]


class InvalidValue(Malformed):
    """A parameter or field of the wrong type: `InvalidValue("max_results", "TYPE_UINT32", '"x"')`."""

    def __init__(self, field: str, kind: str, told: str) -> None:
        super().__init__((field, f"Invalid value at '{field}' ({kind}), {told}"))


class UnknownField(Malformed):
    """A parameter or field that the request has not; `at` is where: "label.color", or "" for the request.

    The shape is measured elsewhere: github.com/GodotNuts/GodotFirebase/issues/360.
    """

    def __init__(self, name: str, at: str = "", why: str = "Cannot find field.") -> None:
        place = f" at '{at}'" if at else ""
        super().__init__((at, f'Invalid JSON payload received. Unknown name "{name}"{place}: {why}'))


class InvalidJson(GoogleError):
    """A body that is no JSON object."""

    reason = "parseError"
    sentence = "Invalid JSON payload received."


class LoginRequired(GoogleError):
    """No bearer token (measured: github.com/brekkylab/backlot/pull/202)."""

    status, reason, state = 401, "required", "UNAUTHENTICATED"
    location = ("header", "Authorization")
    sentence = f"Request is missing required authentication credential. {_EXPECTED}"
    short = "Login Required."
    challenge = ""


class InvalidCredentials(GoogleError):
    """A bearer token that opens nothing here (measured: github.com/brekkylab/backlot/pull/40)."""

    status, reason, state = 401, "authError", "UNAUTHENTICATED"
    location = ("header", "Authorization")
    sentence = f"Request had invalid authentication credentials. {_EXPECTED}"
    short = "Invalid Credentials"
    challenge = ', error="invalid_token"'


class InsufficientScope(GoogleError):
    """A token that may not do this; `service` and `method` are the vendor's names of what was called.

    The shape is measured: github.com/openclaw/gogcli/issues/68.
    """

    status, reason, state = 403, "insufficientPermissions", "PERMISSION_DENIED"
    sentence = "Request had insufficient authentication scopes."
    short = "Insufficient Permission"
    challenge = ', error="insufficient_scope"'

    def __init__(self, service: str, method: str) -> None:
        self.service, self.method = service, method
        super().__init__()

    def details(self) -> list[dict[str, Any]]:
        """Which method of which service."""
        return [{
            "@type": f"{_RPC}ErrorInfo", "reason": "ACCESS_TOKEN_SCOPE_INSUFFICIENT",
            "domain": "googleapis.com", "metadata": {"service": self.service, "method": self.method},
        }]  # fmt: skip


class NotFound(GoogleError):
    """No such thing, or no such path."""

    status, reason, state = 404, "notFound", "NOT_FOUND"
    sentence = "Requested entity was not found."


class RequestTooLarge(GoogleError):
    """A body beyond what is read. Google's sentence is not published: this one is ours."""

    status, reason = 413, "uploadTooLarge"
    sentence = "Request Entity Too Large"


class BackendError(GoogleError):
    """A defect of ours, told as Google tells one of its own."""

    status, reason, state = 500, "backendError", "INTERNAL"
    sentence = "Internal error encountered."


class RateLimited(GoogleError):
    """Too much at once (measured: github.com/elie222/inbox-zero/issues/379)."""

    status, reason, state = 429, "rateLimitExceeded", "RESOURCE_EXHAUSTED"
    sentence = "Resource has been exhausted (e.g. check quota)."


class Unavailable(GoogleError):
    """Down for now (measured: github.com/googleapis/google-api-php-client/issues/1945)."""

    status, reason, state = 503, "backendError", "UNAVAILABLE"
    sentence = "The service is currently unavailable."


class DeadlineExceeded(GoogleError):
    """Not done in time; the canonical code is that of google.rpc.Code."""

    status, reason, state = 504, "backendError", "DEADLINE_EXCEEDED"
    sentence = "Deadline expired before operation could complete."


class NotFaked(GoogleError):
    """The real API does this; the fake does not yet."""

    status, reason, state = 501, "notImplemented", "UNIMPLEMENTED"

    def __init__(self, what: str) -> None:
        super().__init__(f"{what} is not faked yet: see the coverage table in the fake's README")


def bad_request(found: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """google.rpc.BadRequest: what is wrong, and at which field where one is to be named."""
    violations = [
        {"field": field, "description": said} if field else {"description": said} for field, said in found
    ]
    return {"@type": f"{_RPC}BadRequest", "fieldViolations": violations}
