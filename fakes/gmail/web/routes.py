"""The routes of lists, of conversations and of writing."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute

from fakes.core.service import route
from fakes.gmail import store
from fakes.gmail.errors import GoogleError
from fakes.gmail.web import (
    acting,
    attached,
    conversations,
    labels,
    lists,
    messages,
    searching,
    sendings,
    writing,
)
from fakes.gmail.web.folders import FOLDERS
from fakes.gmail.web.visits import Visit, redirect, signed_in


def list_routes() -> list[BaseRoute]:
    """Lists, searching, labels, and what is done to what was ticked."""
    folders = [(folder.href, folder.name) for folder in FOLDERS.values()]
    return [
        *(route("GET", path, signed_in(lists.show), name=name) for path, name in folders),
        route("GET", "/category/{name}", signed_in(lists.show), name="category"),
        route("GET", "/label/{label_id}", signed_in(lists.show), name="label"),
        route("GET", "/search", signed_in(lists.show), name="search"),
        route("GET", "/search/with", signed_in(searching.compose), name="compose-search"),
        route("POST", "/act", signed_in(acting.act), name="act"),
        route("GET", "/labels/new", signed_in(labels.new), name="new-label"),
        route("POST", "/labels", signed_in(labels.create), name="create-label"),
        route("GET", "/labels/{label_id}", signed_in(labels.edit), name="edit-label"),
        route("POST", "/labels/{label_id}", signed_in(labels.change), name="change-label"),
        route("POST", "/labels/{label_id}/delete", signed_in(labels.delete), name="delete-label"),
        route("GET", "/palette.css", labels.palette, name="palette"),
    ]


def mail_routes() -> list[BaseRoute]:
    """Reading one conversation, and writing."""
    return [
        route("GET", "/t/{thread_id}", signed_in(conversations.show), name="thread"),
        route("POST", "/t/{thread_id}/reply", signed_in(writing.reply), name="reply"),
        route("GET", "/m/{message_id}", signed_in(messages.message), name="message"),
        route("GET", "/m/{message_id}/files", signed_in(attached.all_files), name="files"),
        route("GET", "/m/{message_id}/files/{n:int}", signed_in(attached.file), name="file"),
        route("GET", "/m/{message_id}/original", signed_in(attached.original), name="original"),
        route("POST", "/m/{message_id}/unsubscribe", signed_in(unsubscribe), name="unsubscribe"),
        route("GET", "/compose", signed_in(writing.compose), name="compose"),
        route("POST", "/compose", signed_in(writing.send), name="send"),
        route("POST", "/schedule", signed_in(writing.schedule), name="schedule"),
        route("POST", "/drafts/save", signed_in(writing.save), name="save"),
        route("POST", "/discard", signed_in(writing.discard), name="discard"),
        route("POST", "/discard/undo", signed_in(sendings.undo_discard), name="undo-discard"),
        route("POST", "/unsend", signed_in(sendings.unsend), name="unsend"),
        route("GET", "/suggest", signed_in(suggest), name="suggest"),
    ]


async def suggest(visit: Visit) -> Response:
    """Whom the letters in `q` may mean, for the address fields."""
    found = store.correspondents(visit.world, visit.person, visit.query("q")[:100])
    return JSONResponse([{"name": each.name, "email": each.email} for each in found])


async def unsubscribe(visit: Visit) -> Response:
    """Leaves the list that a message came from."""
    message = store.message_in(visit.world, visit.person.id, visit.request.path_params["message_id"])
    if message is None:
        raise HTTPException(404)
    try:
        store.unsubscribe(visit.world, visit.person, message)
    except GoogleError as error:
        raise HTTPException(error.status) from None
    return redirect(visit.request, f"/t/{message.thread_id}?notice=unsubscribed&open={message.id}")
