"""Which methods a token's scopes allow, and how much of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from fakes.gmail.api.methods import METHODS
from fakes.gmail.api.scopes import METADATA
from fakes.gmail.api.vendor import HOST
from fakes.gmail.errors import InsufficientScope, MetadataAlone

_BACKEND = "caribou.api.proto.MailboxService"


def allow(name: str, scopes: Collection[str], query: Mapping[str, str]) -> None:
    """Whether a token with these scopes may call a method so. Raises InsufficientScope, MetadataAlone.

    A token that has the metadata scope searches nothing and reads no content, whatever else it has
    (measured: github.com/googleapis/google-api-python-client/issues/582).
    """
    if not set(scopes) & set(METHODS[name].scopes):
        raise InsufficientScope(HOST, f"{_BACKEND}.{backend_name(name)}")
    if METADATA not in scopes or METADATA not in METHODS[name].scopes:
        return
    if "q" in query and "q" in METHODS[name].query:
        raise MetadataAlone("does not support 'q' parameter")
    format = query.get("format", "full").upper()
    if "format" in METHODS[name].query and format in ("FULL", "RAW"):
        raise MetadataAlone(f"doesn't allow format {format}")


def backend_name(name: str) -> str:
    """A method as errors name it: `users.messages.list` is ListMessages, `users.drafts.create` CreateDraft.
    """
    *folders, verb = name.split(".")
    if len(folders) == 1:
        return verb[0].upper() + verb[1:]
    noun = folders[-1][0].upper() + folders[-1][1:]
    return verb[0].upper() + verb[1:] + (noun if verb == "list" else noun.removesuffix("s"))
