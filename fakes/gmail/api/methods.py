"""The 79 methods of the Gmail API, v1 (revision 20261005): where they are, what they take and answer, and
which scopes allow them.
"""

from __future__ import annotations

from collections.abc import Mapping

from fakes.core.google.methods import Method
from fakes.core.google.schemas import FLAG, INT32, TEXT, UINT32, UINT64, Field, many, one_of
from fakes.gmail.api.scopes import (
    BASIC,
    BOTH,
    COMPOSE,
    DRAFTS,
    FILES,
    INSERT,
    KEYS,
    LABELS,
    LIST,
    MODIFY,
    NAMING,
    PROFILE,
    READ,
    SEND,
    SETTINGS,
    SHARING,
    WHOLE,
)

USER = "gmail/v1/users/{userId}"
_MAIL, _BIG_MAIL = 36_700_160, 157_286_400
_FORMAT = one_of("minimal", "full", "raw", "metadata").unless_told("full")
_DATED = one_of("receivedTime", "dateHeader")
_NO = FLAG.unless_told("false")
_HUNDRED = UINT32.unless_told("100")
_DRAFT_LIST = {"includeSpamTrash": _NO, "maxResults": _HUNDRED, "pageToken": TEXT, "q": TEXT}
_MAIL_LIST = {**_DRAFT_LIST, "labelIds": many(TEXT)}
_PAGE = {"pageSize": INT32.unless_told("20"), "pageToken": TEXT}
_HISTORY = {
    "historyTypes": many(one_of("messageAdded", "messageDeleted", "labelAdded", "labelRemoved")),
    "labelId": TEXT, "maxResults": _HUNDRED, "pageToken": TEXT, "startHistoryId": UINT64,
}  # fmt: skip
_INSERTED = {"deleted": _NO, "internalDateSource": _DATED.unless_told("receivedTime")}
_IMPORTED = {
    "deleted": _NO, "internalDateSource": _DATED.unless_told("dateHeader"), "neverMarkSpam": _NO,
    "processForCalendar": _NO,
}  # fmt: skip
_READING = {"format": _FORMAT, "metadataHeaders": many(TEXT)}
_READING_THREAD = {**_READING, "format": one_of("full", "metadata", "minimal").unless_told("full")}
_CHAIN = {"chainValidation": one_of("all", "none").unless_told("all")}


def _method(
    at: str, scopes: tuple[str, ...], does: str, answers: str = "", takes: str = "", most: int = 0,
    query: Mapping[str, Field] | None = None,
) -> Method:  # fmt: skip
    """A method; `at` is its verb and its path below the user."""
    verb, _, tail = at.partition(" ")
    accept = ("message/*",) if most else ()
    return Method(verb, f"{USER}{tail}", does, scopes, takes, answers, query or {}, most, accept)


_SEND_AS = "/settings/sendAs/{sendAsEmail}"
_IDENTITY = "/settings/cse/identities/{cseEmailAddress}"
_PAIR = "/settings/cse/keypairs/{keyPairId}"
_FORWARDING = "/settings/forwardingAddresses"

_m = _method
METHODS: dict[str, Method] = {
    "users.drafts.create": _m("POST /drafts", COMPOSE, "Creates a draft.", "Draft", "Draft", _MAIL),
    "users.drafts.delete": _m("DELETE /drafts/{id}", COMPOSE, "Removes a draft for good."),
    "users.drafts.get": _m("GET /drafts/{id}", DRAFTS, "Gives a draft.", "Draft", query={"format": _FORMAT}),
    "users.drafts.list": _m("GET /drafts", DRAFTS, "Lists drafts.", "ListDraftsResponse", query=_DRAFT_LIST),
    "users.drafts.send": _m("POST /drafts/send", COMPOSE, "Sends a draft.", "Message", "Draft", _MAIL),
    "users.drafts.update": _m("PUT /drafts/{id}", COMPOSE, "Replaces a draft.", "Draft", "Draft", _MAIL),
    "users.getProfile": _m("GET /profile", PROFILE, "Gives the mailbox's address and totals.", "Profile"),
    "users.history.list": _m(
        "GET /history", LIST, "Lists what changed since.", "ListHistoryResponse", query=_HISTORY
    ),
    "users.labels.create": _m("POST /labels", NAMING, "Creates a label.", "Label", "Label"),
    "users.labels.delete": _m("DELETE /labels/{id}", NAMING, "Removes a label from all that has it."),
    "users.labels.get": _m("GET /labels/{id}", LABELS, "Gives a label with its counts.", "Label"),
    "users.labels.list": _m("GET /labels", LABELS, "Lists labels.", "ListLabelsResponse"),
    "users.labels.patch": _m("PATCH /labels/{id}", NAMING, "Changes a label in part.", "Label", "Label"),
    "users.labels.update": _m("PUT /labels/{id}", NAMING, "Replaces a label.", "Label", "Label"),
    "users.messages.attachments.get": _m(
        "GET /messages/{messageId}/attachments/{id}", FILES, "Gives an attached file.", "MessagePartBody"
    ),
    "users.messages.batchDelete": _m(
        "POST /messages/batchDelete", WHOLE, "Removes messages for good.",
        takes="BatchDeleteMessagesRequest",
    ),
    "users.messages.batchModify": _m(
        "POST /messages/batchModify", MODIFY, "Changes labels of many.", takes="BatchModifyMessagesRequest"
    ),
    "users.messages.delete": _m("DELETE /messages/{id}", WHOLE, "Removes a message for good."),
    "users.messages.get": _m("GET /messages/{id}", READ, "Gives a message.", "Message", query=_READING),
    "users.messages.import": _m(
        "POST /messages/import", INSERT, "Takes a mail in as if it had arrived.", "Message", "Message",
        _BIG_MAIL, _IMPORTED,
    ),
    "users.messages.insert": _m(
        "POST /messages", INSERT, "Puts a mail in as it is.", "Message", "Message", _BIG_MAIL, _INSERTED
    ),
    "users.messages.list": _m(
        "GET /messages", LIST, "Lists messages, newest first.", "ListMessagesResponse", query=_MAIL_LIST
    ),
    "users.messages.modify": _m(
        "POST /messages/{id}/modify", MODIFY, "Changes labels.", "Message", "ModifyMessageRequest"
    ),
    "users.messages.send": _m(
        "POST /messages/send", SEND, "Sends to those in To, Cc and Bcc.", "Message", "Message", _MAIL
    ),
    "users.messages.trash": _m("POST /messages/{id}/trash", MODIFY, "Moves to the trash.", "Message"),
    "users.messages.untrash": _m("POST /messages/{id}/untrash", MODIFY, "Takes out of it.", "Message"),
    "users.settings.cse.identities.create": _m(
        "POST /settings/cse/identities", BOTH, "Creates an identity.", "CseIdentity", "CseIdentity"
    ),
    "users.settings.cse.identities.delete": _m(f"DELETE {_IDENTITY}", BOTH, "Removes an identity."),
    "users.settings.cse.identities.get": _m(f"GET {_IDENTITY}", KEYS, "Gives an identity.", "CseIdentity"),
    "users.settings.cse.identities.list": _m(
        "GET /settings/cse/identities", KEYS, "Lists identities.", "ListCseIdentitiesResponse", query=_PAGE
    ),
    "users.settings.cse.identities.patch": _m(
        "PATCH /settings/cse/identities/{emailAddress}", BOTH, "Gives an identity another key pair.",
        "CseIdentity", "CseIdentity",
    ),
    "users.settings.cse.keypairs.create": _m(
        "POST /settings/cse/keypairs", BOTH, "Adds a key pair.", "CseKeyPair", "CseKeyPair", query=_CHAIN
    ),
    "users.settings.cse.keypairs.disable": _m(
        f"POST {_PAIR}:disable", BOTH, "Turns a key pair off.", "CseKeyPair", "DisableCseKeyPairRequest"
    ),
    "users.settings.cse.keypairs.enable": _m(
        f"POST {_PAIR}:enable", BOTH, "Turns a key pair on.", "CseKeyPair", "EnableCseKeyPairRequest"
    ),
    "users.settings.cse.keypairs.get": _m(f"GET {_PAIR}", KEYS, "Gives a key pair.", "CseKeyPair"),
    "users.settings.cse.keypairs.list": _m(
        "GET /settings/cse/keypairs", KEYS, "Lists key pairs.", "ListCseKeyPairsResponse", query=_PAGE
    ),
    "users.settings.cse.keypairs.obliterate": _m(
        f"POST {_PAIR}:obliterate", BOTH, "Removes a key pair.", takes="ObliterateCseKeyPairRequest"
    ),
    "users.settings.delegates.create": _m(
        "POST /settings/delegates", SHARING, "Lets somebody in.", "Delegate", "Delegate"
    ),
    "users.settings.delegates.delete": _m(
        "DELETE /settings/delegates/{delegateEmail}", SHARING, "Lets somebody in no longer."
    ),
    "users.settings.delegates.get": _m(
        "GET /settings/delegates/{delegateEmail}", SETTINGS, "Gives a delegate.", "Delegate"
    ),
    "users.settings.delegates.list": _m(
        "GET /settings/delegates", SETTINGS, "Lists delegates.", "ListDelegatesResponse"
    ),
    "users.settings.filters.create": _m(
        "POST /settings/filters", BASIC, "Creates a filter.", "Filter", "Filter"
    ),
    "users.settings.filters.delete": _m("DELETE /settings/filters/{id}", BASIC, "Removes a filter."),
    "users.settings.filters.get": _m("GET /settings/filters/{id}", SETTINGS, "Gives a filter.", "Filter"),
    "users.settings.filters.list": _m(
        "GET /settings/filters", SETTINGS, "Lists filters.", "ListFiltersResponse"
    ),
    "users.settings.forwardingAddresses.create": _m(
        f"POST {_FORWARDING}", SHARING, "Adds an address, which may have to be confirmed.",
        "ForwardingAddress", "ForwardingAddress",
    ),
    "users.settings.forwardingAddresses.delete": _m(
        f"DELETE {_FORWARDING}/{{forwardingEmail}}", SHARING, "Removes an address."
    ),
    "users.settings.forwardingAddresses.get": _m(
        f"GET {_FORWARDING}/{{forwardingEmail}}", SETTINGS, "Gives an address.", "ForwardingAddress"
    ),
    "users.settings.forwardingAddresses.list": _m(
        f"GET {_FORWARDING}", SETTINGS, "Lists addresses.", "ListForwardingAddressesResponse"
    ),
    "users.settings.getAutoForwarding": _m(
        "GET /settings/autoForwarding", SETTINGS, "Where all mail is forwarded to.", "AutoForwarding"
    ),
    "users.settings.getImap": _m("GET /settings/imap", SETTINGS, "How IMAP is set.", "ImapSettings"),
    "users.settings.getLanguage": _m(
        "GET /settings/language", SETTINGS, "How the language is set.", "LanguageSettings"
    ),
    "users.settings.getPop": _m("GET /settings/pop", SETTINGS, "How POP is set.", "PopSettings"),
    "users.settings.getVacation": _m(
        "GET /settings/vacation", SETTINGS, "How absence is answered.", "VacationSettings"
    ),
    "users.settings.sendAs.create": _m(
        "POST /settings/sendAs", SHARING, "Adds an alias, which may have to be confirmed.", "SendAs", "SendAs"
    ),
    "users.settings.sendAs.delete": _m(f"DELETE {_SEND_AS}", SHARING, "Removes an alias."),
    "users.settings.sendAs.get": _m(f"GET {_SEND_AS}", SETTINGS, "Gives an alias.", "SendAs"),
    "users.settings.sendAs.list": _m(
        "GET /settings/sendAs", SETTINGS, "Lists aliases.", "ListSendAsResponse"
    ),
    "users.settings.sendAs.patch": _m(
        f"PATCH {_SEND_AS}", BOTH, "Changes an alias in part.", "SendAs", "SendAs"
    ),
    "users.settings.sendAs.smimeInfo.delete": _m(
        f"DELETE {_SEND_AS}/smimeInfo/{{id}}", BOTH, "Removes a certificate."
    ),
    "users.settings.sendAs.smimeInfo.get": _m(
        f"GET {_SEND_AS}/smimeInfo/{{id}}", KEYS, "Gives a certificate.", "SmimeInfo"
    ),
    "users.settings.sendAs.smimeInfo.insert": _m(
        f"POST {_SEND_AS}/smimeInfo", BOTH, "Adds a certificate.", "SmimeInfo", "SmimeInfo"
    ),
    "users.settings.sendAs.smimeInfo.list": _m(
        f"GET {_SEND_AS}/smimeInfo", KEYS, "Lists certificates.", "ListSmimeInfoResponse"
    ),
    "users.settings.sendAs.smimeInfo.setDefault": _m(
        f"POST {_SEND_AS}/smimeInfo/{{id}}/setDefault", BOTH, "Makes a certificate the one that is used."
    ),
    "users.settings.sendAs.update": _m(f"PUT {_SEND_AS}", BOTH, "Replaces an alias.", "SendAs", "SendAs"),
    "users.settings.sendAs.verify": _m(
        f"POST {_SEND_AS}/verify", SHARING, "Asks an alias to be confirmed once more."
    ),
    "users.settings.updateAutoForwarding": _m(
        "PUT /settings/autoForwarding", SHARING, "Sets where all mail is forwarded to.", "AutoForwarding",
        "AutoForwarding",
    ),
    "users.settings.updateImap": _m(
        "PUT /settings/imap", BASIC, "Sets IMAP.", "ImapSettings", "ImapSettings"
    ),
    "users.settings.updateLanguage": _m(
        "PUT /settings/language", BASIC, "Sets the language.", "LanguageSettings", "LanguageSettings"
    ),
    "users.settings.updatePop": _m("PUT /settings/pop", BASIC, "Sets POP.", "PopSettings", "PopSettings"),
    "users.settings.updateVacation": _m(
        "PUT /settings/vacation", BASIC, "Sets how absence is answered.", "VacationSettings",
        "VacationSettings",
    ),
    "users.stop": _m("POST /stop", LIST, "Tells nobody of changes any longer."),
    "users.threads.delete": _m("DELETE /threads/{id}", WHOLE, "Removes a thread for good."),
    "users.threads.get": _m(
        "GET /threads/{id}", READ, "Gives a thread with its messages.", "Thread", query=_READING_THREAD
    ),
    "users.threads.list": _m(
        "GET /threads", LIST, "Lists threads, newest first.", "ListThreadsResponse", query=_MAIL_LIST
    ),
    "users.threads.modify": _m(
        "POST /threads/{id}/modify", MODIFY, "Changes labels of all messages.", "Thread",
        "ModifyThreadRequest",
    ),
    "users.threads.trash": _m("POST /threads/{id}/trash", MODIFY, "Moves to the trash.", "Thread"),
    "users.threads.untrash": _m("POST /threads/{id}/untrash", MODIFY, "Takes out of it.", "Thread"),
    "users.watch": _m(
        "POST /watch", LIST, "Has changes told to a topic.", "WatchResponse", "WatchRequest"
    ),
}  # fmt: skip
