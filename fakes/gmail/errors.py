"""Gmail's own errors: one small class each, with status, reason and sentence. Those that all of Google's APIs
make are in `fakes.core.google.errors` and may be imported from here too.

GoogleError
├── InvalidArgument        400 invalidArgument    what the mail system itself refuses
│   ├── RawRequired            send without `raw`
│   ├── RecipientRequired      send to nobody
│   ├── InvalidHeader          an address that is none, or a header that is too long
│   ├── HeadersTooLong         too many headers, or too much in them
│   ├── TooManyParts           MIME parts beyond number or depth
│   ├── TooManyRecipients      more than 500
│   ├── InvalidId, InvalidIds, InvalidThreadId, InvalidPageToken, InvalidUser
│   ├── InvalidAttachment      an attachment id of another message, or made up
│   ├── InvalidLabel           a label that can't be put on or taken off, or is none
│   ├── LabelNotFound          an own label that this mailbox lacks
│   ├── NoLabelChange          modify without a label
│   ├── LabelBothWays          the same label put on and taken off
│   ├── TooManyLabels          more than 100 to put on or take off
│   ├── NoIds, TooManyIds      a batch without ids, or with more than 1,000
│   ├── InvalidLabelName, InvalidLabelColor
│   ├── LabelIsSystems         change or removal of a system label
│   ├── LabelLimit             more than 10,000 labels of one's own
│   ├── MissingHistoryStart    history without a start
│   ├── MissingDraftMessage, NotADraft
│   ├── MissingCriteria, CriteriaTooLong, MissingAction
│   ├── NoEmail                an address in a setting that is none
│   ├── InvalidVacation        away until before it begins, or with nothing to say
│   ├── NameTooLong            a name in front of an address that no header line holds
│   ├── ServerRequired         writing as an address elsewhere without a server for it
│   ├── NotPending             verification of what is verified
│   ├── InvalidDelegate        a delegate who is nobody here, or oneself
│   └── TopicRequired, InvalidTopic, OtherTopic
├── FailedPrecondition     400 failedPrecondition
│   ├── FilterExists, TooManyFilters
│   └── UnrecognizedForwarding, InvalidForwardingAddress
├── PrimarySendAs          400 cannotDeletePrimarySendAs
├── DelegationDenied       403 forbidden          somebody else's mailbox
├── MetadataAlone          403 forbidden          what the metadata scope keeps from its holders
├── QuotaExceeded          403 rateLimitExceeded  planned
├── LabelExists            409 aborted
├── AlreadyExists          409 alreadyExists
└── TooLarge               413 uploadTooLarge
"""

from __future__ import annotations

from fakes.core.google.errors import (
    BackendError,
    DeadlineExceeded,
    GoogleError,
    InsufficientScope,
    InvalidCredentials,
    InvalidJson,
    InvalidValue,
    LoginRequired,
    Malformed,
    NotFaked,
    NotFound,
    RateLimited,
    Unavailable,
    UnknownField,
)

__all__ = [
    "BackendError",
    "DeadlineExceeded",
    "GoogleError",
    "InsufficientScope",
    "InvalidCredentials",
    "InvalidJson",
    "InvalidValue",
    "LoginRequired",
    "Malformed",
    "NotFaked",
    "NotFound",
    "RateLimited",
    "Unavailable",
    "UnknownField",
]


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


class InvalidId(InvalidArgument):
    """A message id that can be none (measured: github.com/LeoIannacone/goopg/issues/34)."""

    sentence = "Invalid id value"


class InvalidIds(InvalidArgument):
    """One of a batch's ids can be none. The sentence follows that of a single id."""

    sentence = "Invalid ids value"


class NoIds(InvalidArgument):
    """A batch of no messages. Google's sentence is not published: this one is ours."""

    sentence = "No message ids specified"


class TooManyIds(InvalidArgument):
    """A batch of too many (measured: github.com/x4nth055/pythoncode-tutorials/issues/102)."""

    sentence = "Number of ids cannot exceed 1000"


class InvalidThreadId(InvalidArgument):
    """A thread id that can be none."""

    sentence = "Invalid thread_id value"


class InvalidAttachment(InvalidArgument):
    """No attached file of this message (sentence: github.com/dust-tt/dust/pull/22105)."""

    sentence = "Invalid attachment token"


class InvalidLabel(InvalidArgument):
    """A label that nobody may put on or take off, or that is none
    (sentence: github.com/googleapis/google-api-php-client/issues/1254).
    """

    def __init__(self, label: str) -> None:
        super().__init__(f"Invalid label: {label}")


class LabelNotFound(InvalidArgument):
    """An own label's id that this mailbox lacks (measured: github.com/celorodovalho/phpdfbot/issues/24)."""

    sentence = "labelId not found"


class NoLabelChange(InvalidArgument):
    """No label at all (measured: github.com/googleapis/google-api-nodejs-client/issues/312)."""

    sentence = "No label add or removes specified"


class LabelBothWays(InvalidArgument):
    """A label to be put on and taken off; the sentence is quoted by many who met it, such as the change log
    of a mail sorter: "Cannot both add and remove the same label".
    """

    sentence = "Cannot both add and remove the same label"


class TooManyLabels(InvalidArgument):
    """More than 100 to put on, or to take off, as the reference of ModifyMessageRequest bounds them.

    Google's sentence is not published: this one is ours.
    """

    sentence = "Number of label ids cannot exceed 100"


class InvalidLabelName(InvalidArgument):
    """A label's name that a system label has, or that is none
    (measured: github.com/GAM-team/got-your-back/issues/109).
    """

    sentence = "Invalid label name"


class InvalidLabelColor(InvalidArgument):
    """A colour that labels can't have (measured: github.com/mbrt/gmailctl/issues/130)."""

    def __init__(self, color: str) -> None:
        super().__init__(f"Label color {color} is not on the allowed color palette")


class LabelIsSystems(InvalidArgument):
    """A system label can't be changed or removed (reference of users.labels). Google's sentence is not
    published: this one is ours. `deed` is "update" or "delete".
    """

    def __init__(self, deed: str) -> None:
        super().__init__(f"Invalid {deed} request")


class LabelLimit(InvalidArgument):
    """More labels than a mailbox can have (reference of users.labels); the sentence is ours."""

    sentence = "Number of labels cannot exceed 10000"


class LabelExists(GoogleError):
    """Another label has this name, in whatever case (measured: github.com/gauteh/lieer/issues/207)."""

    status, reason, state = 409, "aborted", "ABORTED"
    sentence = "Label name exists or conflicts"


class InvalidTime(InvalidArgument):
    """An instant to send or to come back at that is past. The API has no such call: pages show it."""

    sentence = "That time is past"


class MissingHistoryStart(InvalidArgument):
    """No startHistoryId, or 0 (measured: github.com/googleapis/google-api-nodejs-client/issues/978)."""

    sentence = "Missing/invalid parameter: startHistoryId"


class InvalidPageToken(InvalidArgument):
    """A page token of another call, or made up."""

    sentence = "Invalid pageToken"


class InvalidUser(InvalidArgument):
    """A userId that is neither `me` nor an address."""

    sentence = "Invalid userId"


class DelegationDenied(GoogleError):
    """Another's mailbox; names the caller (measured: github.com/home-assistant/core/issues/87920)."""

    status, reason, state = 403, "forbidden", "PERMISSION_DENIED"

    def __init__(self, caller: str) -> None:
        super().__init__(f"Delegation denied for {caller}")


class MetadataAlone(GoogleError):
    """A search, or what a mail says, for a token with the metadata scope
    (measured: github.com/googleworkspace/cli/issues/174, github.com/dacastro4/laravel-gmail/issues/90).
    """

    status, reason, state = 403, "forbidden", "PERMISSION_DENIED"

    def __init__(self, told: str) -> None:
        super().__init__(f"Metadata scope {told}")


class TooLarge(GoogleError):
    """More than a mail may hold."""

    status, reason = 413, "uploadTooLarge"
    sentence = "Request Entity Too Large: a message holds at most 25 MB"


class QuotaExceeded(GoogleError):
    """Too much in a minute (measured: github.com/mxngls/gmail-cleaner/issues/5)."""

    status, reason, state = 403, "rateLimitExceeded", "PERMISSION_DENIED"
    domain = "usageLimits"
    sentence = (
        "Quota exceeded for quota metric 'Queries' and limit 'Queries per minute per user' of service "
        "'gmail.googleapis.com' for consumer 'project_number:0'."
    )


class MissingDraftMessage(InvalidArgument):
    """A draft without a message (measured: github.com/googleapis/google-api-ruby-client/issues/144)."""

    sentence = "Missing draft message"


class NotADraft(InvalidArgument):
    """Change of what is on its way already; the sentence is known to FlowCrypt's browser extension
    (github.com/FlowCrypt/flowcrypt-browser).
    """

    sentence = "Message not a draft"


class MissingCriteria(InvalidArgument):
    """A filter for all mail. Google's sentence is not published: this one is ours."""

    sentence = "Filter must have at least one criterion"


class CriteriaTooLong(InvalidArgument):
    """More than 1,500 letters (github.com/mbrt/gmailctl/issues/148). Google's sentence is not published: this
    one is ours.
    """

    sentence = "Filter criteria hold at most 1500 letters"


class MissingAction(InvalidArgument):
    """A filter that does nothing. Google's sentence is not published: this one is ours."""

    sentence = "Filter must have at least one action"


class NoEmail(InvalidArgument):
    """A setting's address that is none. Google's sentence is not published: this one is ours."""

    sentence = "Invalid email address"


class InvalidVacation(InvalidArgument):
    """What the reference of VacationSettings rules out. Google's sentences are not published: ours."""


class NameTooLong(InvalidArgument):
    """A sender's name beyond a line of a mail (RFC 5322, 2.1.1). Google's bound is not published: this one
    and the sentence are ours.
    """

    sentence = "Invalid display name: it holds at most 998 letters"


class ServerRequired(InvalidArgument):
    """Mail as an address at another domain (measured: github.com/GAM-team/GAM/issues/681)."""

    sentence = "Custom from requires smtpMsa configuration"


class NotPending(InvalidArgument):
    """Only what is pending can be verified (reference of sendAs.verify); the sentence is ours."""

    sentence = "Verification status must be pending"


class InvalidDelegate(InvalidArgument):
    """Nobody of this organisation, or oneself (measured:
    github.com/googleapis/google-api-nodejs-client/issues/3239).
    """

    sentence = "Invalid delegate"


class TopicRequired(InvalidArgument):
    """A watch without a topic (measured: github.com/googleapis/google-api-nodejs-client/issues/976)."""

    sentence = "topicName required"


class InvalidTopic(InvalidArgument):
    """A topic's name that is none (measured: github.com/googleapis/google-api-nodejs-client/issues/1301)."""

    sentence = "Invalid topicName does not match projects/*/topics/*"


class OtherTopic(InvalidArgument):
    """Another topic is told already (measured: github.com/elie222/inbox-zero/pull/2487)."""

    sentence = "Only one user push notification client allowed per developer (call /stop then try again)"


class FailedPrecondition(GoogleError):
    """Something must be so first."""

    reason, state = "failedPrecondition", "FAILED_PRECONDITION"
    sentence = "Precondition check failed."


class FilterExists(FailedPrecondition):
    """A filter that does the same to the same mail."""

    sentence = "Filter already exists"


class TooManyFilters(FailedPrecondition):
    """More than 1,000 (reference of users.settings.filters.create); the sentence is ours."""

    sentence = "Too many filters: a mailbox holds at most 1000"


class UnrecognizedForwarding(FailedPrecondition):
    """A filter that sends to an address not accepted (measured: github.com/mbrt/gmailctl/issues/56)."""

    sentence = "Unrecognized forwarding address"


class InvalidForwardingAddress(FailedPrecondition):
    """All mail to an address that was not accepted (measured: github.com/GAM-team/GAM/issues/799)."""

    sentence = "Invalid forwarding address"


class PrimarySendAs(GoogleError):
    """The account's own address stays (reason: GAM's list of what the API answers,
    github.com/GAM-team/GAM); the sentence is ours.
    """

    reason = "cannotDeletePrimarySendAs"
    sentence = "Cannot delete primary send-as"


class AlreadyExists(GoogleError):
    """This address is there already. The code is that of google.rpc.Code."""

    status, reason, state = 409, "alreadyExists", "ALREADY_EXISTS"
    sentence = "Requested entity already exists"
