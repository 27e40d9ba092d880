"""The discovery document that Google's own clients build themselves from: our words, for the faked methods.

Its URLs lead back here. A client that is only told another endpoint would send uploads to the real host.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from fakes.gmail.api.calls import MOST_BODY, answer
from fakes.gmail.api.faked import FAKED
from fakes.gmail.api.methods import METHODS, USER
from fakes.gmail.api.rendering import FORMATS


@dataclass(frozen=True)
class Told:
    """What the document says of a method beside its path: `answers` names the schema of its answer."""

    description: str
    answers: str
    parameters: dict[str, dict[str, Any]] = field(default_factory=dict)


def query(kind: str, description: str, **more: Any) -> dict[str, Any]:
    """A parameter of the query as the discovery document tells it."""
    return {"type": kind, "location": "query", "description": description, **more}


_TEXT = {"type": "string"}
_USER = {"userId": {"type": "string", "location": "path", "required": True, "default": "me",
                    "description": "`me`, or the caller's address."}}  # fmt: skip


SCOPES = {"https://mail.google.com/": {"description": "All of a mailbox"}}
_COMMON = {
    "alt": query("string", "The form of the answer.", default="json", enum=["json"], enumDescriptions=[""]),
    "fields": query("string", "Taken, and not followed yet: answers are whole."),
    "key": query("string", "Taken and ignored."),
    "prettyPrint": query("boolean", "Taken and ignored.", default="true"),
    "quotaUser": query("string", "Taken and ignored."),
    "access_token": query("string", "Not taken: send the Authorization header."),
}  # fmt: skip


def _object(name: str, /, **properties: dict[str, Any]) -> dict[str, Any]:
    return {"id": name, "type": "object", "properties": properties}


def _list_of(name: str) -> dict[str, Any]:
    return {"type": "array", "items": {"$ref": name}}


_NUMBER = {"type": "integer", "format": "int32"}
_BIG = {"type": "string", "format": "uint64"}
_BYTES = {"type": "string", "format": "byte"}
_SCHEMAS = [
    _object("Profile", emailAddress=_TEXT, messagesTotal=_NUMBER, threadsTotal=_NUMBER, historyId=_BIG),
    _object(
        "Label", id=_TEXT, name=_TEXT, type=_TEXT,
        messageListVisibility=_TEXT, labelListVisibility=_TEXT,
    ),
    _object("ListLabelsResponse", labels=_list_of("Label")),
    _object(
        "ListMessagesResponse",
        messages=_list_of("Message"), nextPageToken=_TEXT, resultSizeEstimate=_NUMBER,
    ),
    _object("MessagePartHeader", name=_TEXT, value=_TEXT),
    _object("MessagePartBody", attachmentId=_TEXT, data=_BYTES, size=_NUMBER),
    _object(
        "MessagePart", partId=_TEXT, mimeType=_TEXT, filename=_TEXT, headers=_list_of("MessagePartHeader"),
        body={"$ref": "MessagePartBody"}, parts=_list_of("MessagePart"),
    ),
    _object(
        "Message", id=_TEXT, threadId=_TEXT, snippet=_TEXT, raw=_BYTES, historyId=_BIG,
        labelIds={"type": "array", "items": _TEXT}, internalDate={"type": "string", "format": "int64"},
        payload={"$ref": "MessagePart"}, sizeEstimate=_NUMBER,
    ),
]  # fmt: skip


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
TOLD = {
    "users.getProfile": Told("Gives the mailbox's address and totals.", "Profile"),
    "users.labels.list": Told("Lists the mailbox's labels.", "ListLabelsResponse"),
    "users.messages.get": Told("Gives a message.", "Message", _GET),
    "users.messages.list": Told("Lists messages, newest first.", "ListMessagesResponse", _LIST),
    "users.messages.send": Told("Sends a message to those in its To, Cc and Bcc headers.", "Message"),
}


async def document(request: Request) -> Response:
    """The document, its URLs those that this client came by; it needs no log-in."""
    host, below = request.headers.get("host", "localhost"), request.scope.get("root_path", "")
    root = f"{request.url.scheme}://{host}{below}/"
    return answer(
        {
            "kind": "discovery#restDescription",
            "discoveryVersion": "v1",
            "id": "gmail:v1",
            "name": "gmail",
            "version": "v1",
            "revision": "0",
            "title": "Gmail API (simulated)",
            "description": "A fake of the Gmail API: the methods that this world answers.",
            "protocol": "rest",
            "rootUrl": root,
            "servicePath": "",
            "basePath": "",
            "baseUrl": root,
            "batchPath": "batch/gmail/v1",
            "parameters": _COMMON,
            "auth": {"oauth2": {"scopes": SCOPES}},
            "schemas": {schema["id"]: schema for schema in _SCHEMAS},
            "resources": _resources(),
        }
    )


def _resources() -> dict[str, Any]:
    """The methods in the nested resources that their names tell."""
    root: dict[str, Any] = {}
    for name in sorted(FAKED):
        *folders, last = name.split(".")
        place: dict[str, Any] = {"resources": root}
        for folder in folders:
            place = place.setdefault("resources", {}).setdefault(folder, {})
        place.setdefault("methods", {})[last] = _method(name)
    return root


def _method(name: str) -> dict[str, Any]:
    verb, tail, uploads = METHODS[name]
    faked = TOLD[name]
    parameters = {**_USER, **faked.parameters}
    told: dict[str, Any] = {
        "id": f"gmail.{name}",
        "path": USER + tail,
        "flatPath": USER + tail,
        "httpMethod": verb,
        "description": faked.description,
        "parameters": parameters,
        "parameterOrder": [key for key, value in parameters.items() if value.get("required")],
        "response": {"$ref": faked.answers},
        "scopes": list(SCOPES),
    }
    if verb == "POST":
        told["request"] = {"$ref": "Message"}
    if uploads:
        simple = {"multipart": True, "path": f"/upload/{USER}{tail}"}
        told |= {
            "supportsMediaUpload": True,
            "mediaUpload": {
                "accept": ["message/*"],
                "maxSize": str(MOST_BODY),
                "protocols": {"simple": simple},
            },
        }
    return told
