"""Writing: new mail and answers are saved as drafts, sent, scheduled, discarded; each has its route."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from fakes.gmail import store
from fakes.gmail.errors import (
    GoogleError,
    InvalidHeader,
    InvalidTime,
    RecipientRequired,
    TooLarge,
    TooManyRecipients,
)
from fakes.gmail.rules import mime
from fakes.gmail.rules.timing import at_wall
from fakes.gmail.schema import Draft, Message, Sending
from fakes.gmail.web import answering, composing, editor
from fakes.gmail.web.composing import Problems, Writing
from fakes.gmail.web.conversations import thread_of, thread_page
from fakes.gmail.web.visits import Visit, pages, redirect

_ADDRESSES = "One of the addresses is not complete. Separate several with commas."
_GONE = "This draft is gone: it was sent or discarded meanwhile. Press Send to send it as a new message."
_SENTENCES = {"Subject": "The subject is too long."}
_ISSUES: dict[type[GoogleError], Problems] = {
    RecipientRequired: {"to": "Add at least one recipient."},
    TooLarge: {"files": editor.TOO_MUCH},
    InvalidTime: {"schedule": "That time is past. Choose a later one."},
    TooManyRecipients: {"": "A message can have no more than 500 recipients."},
}


async def compose(visit: Visit) -> Response:
    """The page to write on: a new message, or with `?draft=` one that was begun.

    A draft that answers something is written in its conversation.
    """
    if not visit.query("draft"):
        return _form(visit, composing.blank(visit))
    draft = store.draft_in(visit.world, visit.person.id, visit.query("draft"))
    message = store.message_in(visit.world, visit.person.id, draft.message_id) if draft else None
    if draft is None or message is None:
        raise HTTPException(404)
    if store.sending_of(visit.world, draft) is not None:
        return redirect(visit.request, f"/t/{message.thread_id}")
    if (path := _path_of(visit, draft)).startswith("/t/"):
        return redirect(visit.request, f"{path}")
    return _form(visit, composing.of_draft(visit, draft))


def _form(visit: Visit, writing: Writing, problems: Problems | None = None) -> Response:
    shown = {"editor": editor.of(visit, writing, problems), "folder": "compose"}
    return visit.page("compose.html", shown, 400 if problems else 200)


# the deeds


async def send(visit: Visit) -> Response:
    """Sends what was written. If it can't be, nothing is lost and the editor says why."""
    return _done(visit, _typed(visit), None)


async def reply(visit: Visit) -> Response:
    """The same in a conversation: with nothing but a text it answers the last message's sender, and with
    `all` everyone who got that.
    """
    return _done(visit, _typed(visit), None)


async def schedule(visit: Visit) -> Response:
    """Has it sent later: at the wall time `at` ("2025-10-22T08:00"), or at the fields `date` and `time`."""
    wall = visit.field("at") or f"{visit.field('date')}T{visit.field('time')}"
    due_at = at_wall(wall, visit.zone)
    if due_at is None:
        return _again(visit, _typed(visit), {"schedule": "Choose a date and a time."})
    return _done(visit, _typed(visit), due_at)


def _done(visit: Visit, writing: Writing, due_at: int | None) -> Response:
    """Hands a mail in, now or for later, in one transaction with the draft that it goes through.

    A form whose draft is gone was sent before, as by a second click: it does not go out twice.
    """
    if visit.field("draft") != writing.draft_id:
        return _again(visit, writing, {"": _GONE})
    try:
        with visit.world.tx():
            draft = _kept(visit, writing)
            if due_at is None:
                done: Message | Sending = store.hand_in(visit.world, visit.person, draft)
            else:
                done = store.schedule(visit.world, visit.person, draft, due_at)
    except (GoogleError, mime.BadHeader) as error:
        return _again(visit, writing, _problems(error))
    message = done if isinstance(done, Message) else _waiting(visit, done)
    name = message.rfc822_id.strip("<>") if message else ""
    path = f"/t/{writing.thread_id}" if writing.thread_id and writing.kind != "new" else "/"
    return redirect(visit.request, f"{path}?{urlencode({'sent': name})}")


def _waiting(visit: Visit, sending: Sending) -> Message | None:
    draft = store.draft_in(visit.world, visit.person.id, sending.draft_id)
    return store.message_in(visit.world, visit.person.id, draft.message_id) if draft else None


def _again(visit: Visit, writing: Writing, problems: Problems) -> Response:
    """The editor once more. What a draft or files would lose is kept in a draft first."""
    if writing.draft_id or visit.files:
        try:
            writing = _with_draft(writing, _kept(visit, writing))
        except (GoogleError, mime.BadHeader) as error:
            problems = {**problems, **_problems(error)}
    if writing.kind != "new" and store.thread_in(visit.world, visit.person.id, writing.thread_id):
        thread = thread_of(visit, writing.thread_id)
        return thread_page(visit, thread, 400, writing=writing, problems=problems)
    return _form(visit, writing, problems)


async def save(visit: Visit) -> Response:
    """Keeps what was written as a draft, with the files that came. Scripts are told of it in JSON."""
    writing = _typed(visit)
    by_script = "x-autosave" in visit.request.headers
    try:
        draft = _kept(visit, writing)
    except (GoogleError, mime.BadHeader) as error:
        problems = _problems(error)
        if by_script:
            return JSONResponse({"problem": " ".join(problems.values())}, 400)
        return _again(visit, writing, problems)
    if not by_script:
        return redirect(visit.request, _path_of(visit, draft))
    files = pages.render(visit.request, "_files.html", files=editor.files_of(writing))
    path = visit.request.scope.get("root_path", "") + _path_of(visit, draft)
    return JSONResponse({"draft": draft.id, "path": path, "files": files})


async def discard(visit: Visit) -> Response:
    """Removes what was being written; the notice about it can bring it back."""
    draft = store.draft_in(visit.world, visit.person.id, visit.field("draft"))
    if draft is not None and store.sending_of(visit.world, draft) is None:
        store.discard_draft(visit.world, draft)
    thread_id = visit.field("thread") or visit.request.path_params.get("thread_id", "")
    there = thread_id and store.thread_in(visit.world, visit.person.id, thread_id)
    query = f"?{urlencode({'discarded': draft.id})}" if draft is not None else ""
    return redirect(visit.request, (f"/t/{thread_id}" if there else "/") + query)


# what they share


def _typed(visit: Visit) -> Writing:
    """What the form holds, on the base of the draft or the answer that it belongs to."""
    draft = store.draft_in(visit.world, visit.person.id, visit.field("draft"))
    if draft is not None and store.sending_of(visit.world, draft) is None:
        return composing.typed(visit, composing.of_draft(visit, draft))
    about = _about(visit)
    if about is None:
        return composing.typed(visit, Writing(sender=visit.field("from")))
    kind = next((each for each in answering.KINDS if each == visit.field("kind")), None)
    kind = kind or ("all" if visit.field("all") else "reply")
    return composing.typed(visit, answering.answer(visit, about, kind))


def _about(visit: Visit) -> Message | None:
    """The message that is answered: the one that the form names, else the last of the path's conversation."""
    if "thread_id" in visit.request.path_params:
        thread = thread_of(visit)
        settled = thread.settled or thread.messages
        return next((each for each in settled if each.id == visit.field("about")), settled[-1])
    return store.message_in(visit.world, visit.person.id, visit.field("about"))


def _kept(visit: Visit, writing: Writing) -> Draft:
    """The mail as a draft. Raises BadHeader and what drafts raise."""
    if sum(len(each.content) for each in writing.files) > editor.MOST_ATTACHED:
        raise TooLarge()
    raw = composing.mail_of(visit, writing)
    thread_id = writing.thread_id if writing.kind != "new" else ""
    if thread_id and not store.thread_in(visit.world, visit.person.id, thread_id):
        thread_id = ""  # its conversation was deleted meanwhile
    draft = store.draft_in(visit.world, visit.person.id, writing.draft_id)
    if draft is None:
        return store.create_draft(visit.world, visit.person, raw, thread_id or None)
    return store.update_draft(visit.world, visit.person, draft, raw, thread_id or None)


def _with_draft(writing: Writing, draft: Draft) -> Writing:
    return replace(writing, draft_id=draft.id)


def _path_of(visit: Visit, draft: Draft) -> str:
    """Where a draft goes on being written: in its conversation, else on a page of its own."""
    message = store.message_in(visit.world, visit.person.id, draft.message_id)
    thread_id = message.thread_id if message else ""
    alone = len(store.thread_in(visit.world, visit.person.id, thread_id)) < 2
    return f"{'/compose' if alone else f'/t/{thread_id}'}?{urlencode({'draft': draft.id})}"


def _problems(error: GoogleError | mime.BadHeader) -> Problems:
    """What is wrong with a mail in the words of the page, under the name of the field that it is about."""
    if isinstance(error, mime.BadHeader):
        error = InvalidHeader(str(error))
    if isinstance(error, InvalidHeader):
        return {error.header.lower(): _SENTENCES.get(error.header, _ADDRESSES)}
    return _ISSUES.get(type(error), {"": error.message})
