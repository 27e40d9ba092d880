"""The discovery document of an API: what Google's own clients build themselves from. Its URLs lead back here;
a client that is only told another endpoint would send uploads and batches to the real host.
"""

from __future__ import annotations

from typing import Any

from starlette.requests import Request

from fakes.core.google.methods import Api, Method
from fakes.core.google.schemas import FLAG, TEXT, Field, one_of

_SYSTEM: dict[str, tuple[Field, str]] = {
    "$.xgafv": (one_of("1", "2"), "Which form of errors: 2 leaves the list of `errors` out."),
    "access_token": (TEXT, "Not looked at: send the Authorization header."),
    "alt": (one_of("json", "media", "proto").unless_told("json"), "The form of the answer: JSON alone."),
    "callback": (TEXT, "The function that a script's answer calls."),
    "fields": (TEXT, "Which fields the answer has: `messages(id,threadId),nextPageToken`."),
    "key": (TEXT, "Taken and ignored."),
    "oauth_token": (TEXT, "Not looked at: send the Authorization header."),
    "prettyPrint": (FLAG.unless_told("true"), "Indented if `true` is said; else in one line."),
    "quotaUser": (TEXT, "Taken and ignored."),
    "uploadType": (TEXT, "How an upload comes: `media`, `multipart`, `resumable`."),
    "upload_protocol": (TEXT, "Taken and ignored."),
}


def document(api: Api, request: Request) -> dict[str, Any]:
    """The document, its URLs those that this client came by."""
    host, below = request.headers.get("host", "localhost"), request.scope.get("root_path", "")
    root = f"{request.url.scheme}://{host}{below}/"
    scopes = {scope: {"description": said} for scope, said in api.scopes.items()}
    return {
        "kind": "discovery#restDescription", "discoveryVersion": "v1",
        "id": f"{api.name}:{api.version}", "name": api.name, "version": api.version, "revision": "0",
        "title": api.title, "description": api.description, "protocol": "rest",
        "rootUrl": root, "servicePath": "", "basePath": "", "baseUrl": root, "batchPath": api.batch,
        "parameters": {name: _parameter(field, said) for name, (field, said) in _SYSTEM.items()},
        "auth": {"oauth2": {"scopes": scopes}},
        "schemas": {name: schema.told(name) for name, schema in api.schemas.items()},
        "resources": _resources(api),
    }  # fmt: skip


def _resources(api: Api) -> dict[str, Any]:
    """The methods in the nested resources that their names tell."""
    root: dict[str, Any] = {}
    for name, method in api.methods.items():
        *folders, last = name.split(".")
        place: dict[str, Any] = {"resources": root}
        for folder in folders:
            place = place.setdefault("resources", {}).setdefault(folder, {})
        place.setdefault("methods", {})[last] = _method(api, name, method)
    return root


def _method(api: Api, name: str, method: Method) -> dict[str, Any]:
    told: dict[str, Any] = {
        "id": f"{api.name}.{name}", "path": method.path, "flatPath": method.path,
        "httpMethod": method.verb, "description": method.does,
        "parameters": _parameters(api, method), "parameterOrder": list(method.in_path),
        "scopes": list(method.scopes),
    }  # fmt: skip
    if method.takes:
        told["request"] = {"$ref": method.takes}
    if method.answers:
        told["response"] = {"$ref": method.answers}
    if method.most:
        told |= {"supportsMediaUpload": True, "mediaUpload": _upload(method)}
    return told


def _parameters(api: Api, method: Method) -> dict[str, Any]:
    in_path = {
        name: {**_parameter(TEXT, api.says[name], "path"), "required": True} for name in method.in_path
    }
    if "userId" in in_path:
        in_path["userId"]["default"] = "me"
    in_query = {name: _parameter(field, api.says.get(name, "")) for name, field in method.query.items()}
    return {**in_path, **in_query}


def _parameter(field: Field, said: str, location: str = "query") -> dict[str, Any]:
    told = {**field.innermost.told(), "location": location, "description": said}
    if field.default:
        told["default"] = field.default
    if field.of is not None:
        told["repeated"] = True
    return told


def _upload(method: Method) -> dict[str, Any]:
    simple, resumable = f"/upload/{method.path}", f"/resumable/upload/{method.path}"
    return {
        "accept": list(method.accept), "maxSize": str(method.most),
        "protocols": {
            "simple": {"multipart": True, "path": simple},
            "resumable": {"multipart": True, "path": resumable},
        },
    }  # fmt: skip
