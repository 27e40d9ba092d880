"""The Gmail API as its vendor describes it, in our words (facts: its discovery document, revision 20261005).
"""

from __future__ import annotations

from fakes.core.google.methods import Api
from fakes.gmail.api.methods import METHODS
from fakes.gmail.api.schemas import SCHEMAS
from fakes.gmail.api.scopes import SCOPES

HOST = "gmail.googleapis.com"
"""The vendor's own host, as errors name the service."""

_SAYS = {
    "userId": "`me`, or the caller's address.",
    "id": "Its id.",
    "messageId": "The message's id.",
    "cseEmailAddress": "The identity's address.",
    "emailAddress": "The identity's address.",
    "keyPairId": "The key pair's id.",
    "delegateEmail": "The delegate's address.",
    "forwardingEmail": "The address.",
    "sendAsEmail": "The alias's address.",
    "chainValidation": "Whether certificates are checked.",
    "deleted": "Whether it is hidden from all but an archive.",
    "format": "How much is told.",
    "historyTypes": "The kinds of changes that are told; all, unless said.",
    "includeSpamTrash": "Whether spam and trash are listed too.",
    "internalDateSource": "What dates it.",
    "labelId": "The label that messages must have.",
    "labelIds": "The labels that must all be there.",
    "maxResults": "The size of a page: 100 unless told, at most 500.",
    "metadataHeaders": "The headers of the metadata format.",
    "neverMarkSpam": "Whether spam is looked for.",
    "pageSize": "The size of a page.",
    "pageToken": "Where the page begins.",
    "processForCalendar": "Whether invitations are put into the calendar.",
    "q": "A search, as in the search box.",
    "startHistoryId": "What came after it is told.",
}

API = Api(
    name="gmail",
    version="v1",
    title="Gmail API (simulated)",
    description="A fake of the Gmail API.",
    batch="batch",
    methods=METHODS,
    schemas=SCHEMAS,
    scopes=SCOPES,
    says=_SAYS,
)
