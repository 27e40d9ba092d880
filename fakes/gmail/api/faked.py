"""The methods that are faked: of each its endpoint, and what the discovery document says of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from fakes.gmail.api import messages, users
from fakes.gmail.api.calls import Call
from fakes.gmail.api.rendering import FORMATS

Verb = Callable[[Call], Awaitable[Mapping[str, Any]]]


@dataclass(frozen=True)
class Faked:
    """A faked method; `answers` names the schema of its answer, `upload` is the verb of its upload path."""

    verb: Verb
    description: str
    answers: str
    parameters: dict[str, dict[str, Any]] = field(default_factory=dict)
    upload: Verb | None = None


def query(kind: str, description: str, **more: Any) -> dict[str, Any]:
    """A parameter of the query as the discovery document tells it."""
    return {"type": kind, "location": "query", "description": description, **more}


_LIST = {
    "q": query("string", "A search, as in the search box."),
    "labelIds": query("string", "Labels that must all be there.", repeated=True),
    "maxResults": query(
        "integer", "The size of a page: 100 unless told, at most 500.", format="uint32", default="100"
    ),
    "pageToken": query("string", "Where the page begins."),
    "includeSpamTrash": query("boolean", "Whether spam and trash are listed too.", default="false"),
}
_GET = {
    "id": {"type": "string", "location": "path", "required": True, "description": "The message's id."},
    "format": query(
        "string", "How much is told.", default="full", enum=list(FORMATS), enumDescriptions=[""] * 4
    ),
    "metadataHeaders": query("string", "The headers of the metadata format.", repeated=True),
}
FAKED = {
    "users.getProfile": Faked(users.get_profile, "Gives the mailbox's address and totals.", "Profile"),
    "users.labels.list": Faked(users.list_labels, "Lists the mailbox's labels.", "ListLabelsResponse"),
    "users.messages.get": Faked(messages.get, "Gives a message.", "Message", _GET),
    "users.messages.list": Faked(
        messages.list_messages, "Lists messages, newest first.", "ListMessagesResponse", _LIST
    ),
    "users.messages.send": Faked(
        messages.send,
        "Sends a message to those in its To, Cc and Bcc headers.",
        "Message",
        upload=messages.send_upload,
    ),
}
