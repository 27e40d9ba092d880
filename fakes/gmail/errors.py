"""Google's errors as this fake answers them: one small class each, with status, reason and sentence.

GoogleError
├── InvalidArgument        400 invalidArgument    what the mail system itself refuses
│   ├── RawRequired            send without `raw`
│   ├── RecipientRequired      send to nobody
│   ├── InvalidHeader          an address that is none, or a header that is too long
│   ├── HeadersTooLong         too many headers, or too much in them
│   ├── TooManyParts           MIME parts beyond number or depth
│   ├── TooManyRecipients      more than 500
│   ├── ForeignFrom            mail in somebody else's name
│   ├── InvalidId, InvalidThreadId, InvalidLabel, InvalidPageToken, InvalidUser
├── InvalidValue           400 invalid            a parameter or field of the wrong type
├── InvalidJson            400 parseError
├── LoginRequired          401 required           no token
├── InvalidCredentials     401 authError          a token that is wrong, expired or of another service
├── DelegationDenied       403 forbidden          somebody else's mailbox
├── QuotaExceeded          403 rateLimitExceeded  planned
├── NotFound               404 notFound
├── TooLarge               413 uploadTooLarge
├── RateLimited            429 rateLimitExceeded  planned
├── BackendError           500 backendError
├── Unavailable            503 backendError       planned
├── DeadlineExceeded       504 backendError       planned
└── NotFaked               501 notImplemented     ours: this fake does not do it yet
"""

from __future__ import annotations

from typing import Any, ClassVar


class GoogleError(Exception):
    """An error in Google's envelope. `state` is the canonical code beside the HTTP status."""

    status: ClassVar[int] = 400
    reason: ClassVar[str] = "badRequest"
    state: ClassVar[str] = "INVALID_ARGUMENT"
    location: ClassVar[tuple[str, str] | None] = None
    domain: ClassVar[str | None] = "global"
    sentence: ClassVar[str] = "Bad Request"

    def __init__(self, sentence: str | None = None) -> None:
        self.message = sentence or self.sentence
        super().__init__(self.message)

    def detail(self) -> dict[str, Any]:
        """The entry of the envelope's list."""
        detail: dict[str, Any] = {"message": self.message, "domain": self.domain, "reason": self.reason}
        if self.domain is None:
            del detail["domain"]
        if self.location is not None:
            detail["locationType"], detail["location"] = self.location
        return detail

    def envelope(self) -> dict[str, Any]:
        """The JSON body."""
        error = {
            "code": self.status,
            "message": self.message,
            "errors": [self.detail()],
            "status": self.state,
        }
        return {"error": error}


class InvalidArgument(GoogleError):
    """The mail system does not take the argument."""

    reason = "invalidArgument"
    sentence = "Invalid argument"


class RawRequired(InvalidArgument):
    """Only `raw`, or an upload, can be sent (measured: github.com/warmbly/warmbly/issues/107)."""

    sentence = "'raw' RFC822 payload message string or uploading message via /upload/* URL required"


class RecipientRequired(InvalidArgument):
    """No To, Cc or Bcc (measured: github.com/Byron/google-apis-rs/issues/351)."""

    sentence = "Recipient address required"


class InvalidHeader(InvalidArgument):
    """An address in a header is none (measured: github.com/langchain-ai/agents-from-scratch/pull/47)."""

    def __init__(self, header: str) -> None:
        self.header = header
        super().__init__(f"Invalid {header} header")


class HeadersTooLong(InvalidArgument):
    """More than all headers may hold together (limits: support.google.com/a/answer/14016360)."""

    sentence = "Invalid message: its headers exceed 5,000 fields or 500 KB"


class TooManyParts(InvalidArgument):
    """Parts that are too many or too deep. Gmail's own limits are not published; these are ours."""

    sentence = "Invalid message: it has more than 200 MIME parts, or parts nested deeper than 20"


class TooManyRecipients(InvalidArgument):
    """More than a message may have (support.google.com/mail/answer/22839)."""

    sentence = "Invalid message: it has more than 500 recipients"


class ForeignFrom(InvalidArgument):
    """Mail in another's name. Gmail puts the account's own address there; we say so, to hide no mistake."""

    def __init__(self, given: str, own: str) -> None:
        super().__init__(
            f"Invalid From header: {given!r} is not {own!r}; leave it out or use the account's address"
        )


class InvalidId(InvalidArgument):
    """A message id that can be none (measured: github.com/LeoIannacone/goopg/issues/34)."""

    sentence = "Invalid id value"


class InvalidThreadId(InvalidArgument):
    """A thread id that can be none."""

    sentence = "Invalid thread_id value"


class InvalidLabel(InvalidArgument):
    """A label that this mailbox lacks (sentence: github.com/googleapis/google-api-php-client/issues/1254)."""

    def __init__(self, label: str) -> None:
        super().__init__(f"Invalid label: {label}")


class InvalidLabelName(InvalidArgument):
    """A label's name that a system label has, or that is none
    (measured: github.com/GAM-team/got-your-back/issues/109).
    """

    sentence = "Invalid label name"


class LabelExists(GoogleError):
    """Another label has this name."""

    status, reason, state = 409, "aborted", "ABORTED"
    sentence = "Label name exists or conflicts"


class InvalidTime(InvalidArgument):
    """An instant to send or to come back at that is past. The API has no such call: pages show it."""

    sentence = "That time is past"


class InvalidPageToken(InvalidArgument):
    """A page token of another call, or made up."""

    sentence = "Invalid pageToken"


class InvalidUser(InvalidArgument):
    """A userId that is neither `me` nor an address."""

    sentence = "Invalid userId"


class InvalidValue(GoogleError):
    """A parameter or field of the wrong type: `InvalidValue("max_results", "TYPE_UINT32", '"x"')`.

    The shape is measured at `raw`: github.com/google/googleapis.dart/issues/109.
    """

    reason = "invalid"
    domain = None

    def __init__(self, field: str, kind: str, told: str) -> None:
        super().__init__(f"Invalid value at '{field}' ({kind}), {told}")


class InvalidJson(GoogleError):
    """A body that is no JSON object."""

    reason = "parseError"
    sentence = "Invalid JSON payload received."


class LoginRequired(GoogleError):
    """No bearer token."""

    status, reason, state = 401, "required", "UNAUTHENTICATED"
    location = ("header", "Authorization")
    sentence = "Request is missing required authentication credential. Expected OAuth 2 access token."


class InvalidCredentials(GoogleError):
    """A bearer token that opens nothing here."""

    status, reason, state = 401, "authError", "UNAUTHENTICATED"
    location = ("header", "Authorization")
    sentence = "Request had invalid authentication credentials. Expected OAuth 2 access token."


class DelegationDenied(GoogleError):
    """Another's mailbox; names the caller (measured: github.com/home-assistant/core/issues/87920)."""

    status, reason, state = 403, "forbidden", "PERMISSION_DENIED"

    def __init__(self, caller: str) -> None:
        super().__init__(f"Delegation denied for {caller}")


class NotFound(GoogleError):
    """No such message, thread or path."""

    status, reason, state = 404, "notFound", "NOT_FOUND"
    sentence = "Requested entity was not found."


class TooLarge(GoogleError):
    """More than a mail may hold."""

    status, reason = 413, "uploadTooLarge"
    sentence = "Request Entity Too Large: a message holds at most 25 MB"


class BackendError(GoogleError):
    """A defect of this fake, told as Google tells one of its own."""

    status, reason, state = 500, "backendError", "INTERNAL"
    sentence = "Internal error encountered."


class QuotaExceeded(GoogleError):
    """Too much in a minute (measured: github.com/mxngls/gmail-cleaner/issues/5)."""

    status, reason, state = 403, "rateLimitExceeded", "PERMISSION_DENIED"
    domain = "usageLimits"
    sentence = (
        "Quota exceeded for quota metric 'Queries' and limit 'Queries per minute per user' of service "
        "'gmail.googleapis.com' for consumer 'project_number:0'."
    )


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
    """Real Gmail does this; the fake does not yet."""

    status, reason, state = 501, "notImplemented", "UNIMPLEMENTED"

    def __init__(self, what: str) -> None:
        super().__init__(f"{what} is not faked yet: see the coverage table in fakes/gmail/README.md")
