"""A conversation: its messages, the oldest first, and what is being written in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode, urlsplit

from starlette.exceptions import HTTPException
from starlette.responses import Response

from fakes.core.forms import local_path
from fakes.core.ui.filters import instant
from fakes.gmail import store
from fakes.gmail.rules.labels import DRAFT, INBOX, MUTED, SCHEDULED, SENT, SNOOZED, SPAM, TRASH, UNREAD
from fakes.gmail.schema import Draft, Message, Snooze
from fakes.gmail.web import answering, composing, editor, messages, sendings
from fakes.gmail.web.lists import snooze_presets
from fakes.gmail.web.visits import Visit, redirect

_NOT_SENT = frozenset((DRAFT, SCHEDULED))
_NO_LISTS = ("/t/", "/m/", "/compose", "/sign-in", "/settings", "/schedule", "/discard", "/drafts/save")
Labels = Mapping[str, list[str]]


@dataclass(frozen=True)
class Thread:
    """A conversation, its labels by message, and which of its messages were unread when it was opened."""

    messages: list[Message]
    labels: Labels
    unread: frozenset[str] = frozenset()

    @property
    def id(self) -> str:
        """The thread's id."""
        return self.messages[0].thread_id

    @property
    def settled(self) -> list[Message]:
        """The messages that came or were sent."""
        return [each for each in self.messages if not _NOT_SENT & set(self.labels[each.id])]

    @property
    def marks(self) -> set[str]:
        """All labels of its messages."""
        return {label for labels in self.labels.values() for label in labels}


async def show(visit: Visit) -> Response:
    """A conversation. Opening it marks it read; the page's refreshing itself does not.

    `open` names the messages to show open beside the unread and the last one ("all": every one), `reply`,
    `all` and `forward` the message to answer, `draft` the draft to go on with; `after` asks for what has come
    since that place.
    """
    thread = thread_of(visit)
    if visit.request.method == "GET" and "x-live" not in visit.request.headers:
        store.mark_read(visit.world, visit.person.id, sorted(thread.unread))
    if not thread.settled and not visit.query("after"):
        return _alone(visit, thread)
    return thread_page(visit, thread, writing=_writing(visit, thread))


def thread_of(visit: Visit, thread_id: str = "") -> Thread:
    """The conversation with this id, else the one in the path. Raises HTTPException 404."""
    thread_id = thread_id or visit.request.path_params["thread_id"]
    found = store.thread_in(visit.world, visit.person.id, thread_id)
    if not found:
        raise HTTPException(404)
    labels = store.labels_of(visit.world, [message.id for message in found])
    unread = frozenset(message_id for message_id, names in labels.items() if UNREAD in names)
    return Thread(found, labels, unread)


def _alone(visit: Visit, thread: Thread) -> Response:
    """A draft that belongs to no conversation has its own page; one that waits is shown until it is sent."""
    draft = store.draft_of_message(visit.world, visit.person.id, thread.messages[-1].id)
    if draft is not None and store.sending_of(visit.world, draft) is None:
        return redirect(visit.request, f"/compose?{urlencode({'draft': draft.id})}")
    return thread_page(visit, thread)


def _writing(visit: Visit, thread: Thread) -> composing.Writing | None:
    """What the query asks to be written."""
    draft = store.draft_in(visit.world, visit.person.id, visit.query("draft"))
    if draft is not None and store.sending_of(visit.world, draft) is None:
        return composing.of_draft(visit, draft)
    for kind in answering.KINDS:
        about = next((each for each in thread.messages if each.id == visit.query(kind)), None)
        if about is not None:
            return answering.answer(visit, about, kind)
    return None


def thread_page(
    visit: Visit,
    thread: Thread,
    status: int = 200,
    *,
    writing: composing.Writing | None = None,
    problems: composing.Problems | None = None,
) -> Response:
    """The page of a conversation, with the editor for what is being written in it."""
    after = int(visit.query("after")) if visit.query("after").isdecimal() else None
    here = [each for each in thread.settled if after is None or each.place > after]
    hidden = _hidden(visit, thread, here)
    shown = [each for each in here if each not in hidden]
    opened = _opened(visit, thread, shown)
    rows = [_shown(visit, thread, each, each.id in opened) for each in shown]
    waiting = [card for each in thread.messages if (card := _waiting(visit, thread, each, writing))]
    last = thread.settled[-1] if thread.settled else None
    context = {
        **_state(visit, thread),
        "messages": [] if after is not None else rows,
        "newer": rows if after is not None else [],
        "waiting": waiting,
        "live_src": _live_src(thread, after, last, writing),
        "opened": ",".join(each.id for each in shown if each.id in opened),
        "hidden_count": len(hidden),
        "last": last,
        "reply_all": last is not None and bool(answering.answer_to(visit, last)[1]),
        "editor": editor.of(visit, writing, problems) if writing else None,
        "folder": "",
        "list": _list_of(visit),
        "snooze_presets": snooze_presets(visit),
    }
    return visit.page("thread.html", context, status)


def _hidden(visit: Visit, thread: Thread, here: Sequence[Message]) -> list[Message]:
    """Deleted messages of a conversation that is not deleted as a whole."""
    deleted = [each for each in here if TRASH in thread.labels[each.id]]
    asked = visit.query("deleted") or len(deleted) == len(thread.settled)
    return [] if asked else deleted


def _opened(visit: Visit, thread: Thread, shown: Sequence[Message]) -> set[str]:
    asked = visit.query("open")
    if asked == "all":
        return {each.id for each in shown}
    return {*thread.unread, *asked.split(","), *(each.id for each in shown[-1:])}


def _shown(visit: Visit, thread: Thread, message: Message, is_open: bool) -> dict[str, object]:
    show = messages.open_of if is_open else messages.line_of
    shown = show(visit, message, thread.labels[message.id])
    return {**shown, "unread": message.id in thread.unread, "from_here": from_here(thread.messages, message)}


def from_here(thread: Sequence[Message], message: Message) -> list[str]:
    """The ids of a message of a thread and of all that came after it."""
    return [each.id for each in thread if each.place >= message.place]


def _list_of(visit: Visit) -> str:
    """The list that the conversation was opened from: the page before, if it was one; else the inbox."""
    before = urlsplit(visit.request.headers.get("referer", ""))
    own = before.netloc == visit.request.headers.get("host", "")
    path = before.path.removeprefix(visit.request.scope.get("root_path", ""))
    if not own or path.startswith(_NO_LISTS):
        return "/"
    return local_path(f"{path}?{before.query}" if before.query else path)


def _waiting(
    visit: Visit, thread: Thread, message: Message, writing: composing.Writing | None
) -> dict[str, object] | None:
    """A draft of the conversation, or a mail that goes out later, that is not in the editor."""
    draft: Draft | None = None
    if _NOT_SENT & set(thread.labels[message.id]):
        draft = store.draft_of_message(visit.world, visit.person.id, message.id)
    if draft is None or draft.id in (visit.query("draft"), writing.draft_id if writing else ""):
        return None
    sending = store.sending_of(visit.world, draft)
    return {
        "draft_id": draft.id,
        "to": messages.told_addresses(visit, message.recipients),
        "snippet": message.snippet,
        "time": instant(message.received_at, visit.zone),
        "sending": sendings.told(visit, sending) if sending else "",
        "message": messages.open_of(visit, message, []) if sending else None,
    }


def _live_src(
    thread: Thread, after: int | None, last: Message | None, writing: composing.Writing | None
) -> str:
    """Where the page asks for what has come since."""
    place = after if after is not None else (last.place if last else 0)
    draft = {"draft": writing.draft_id} if writing and writing.draft_id else {}
    return f"/t/{thread.id}?{urlencode({'after': place, **draft})}"


def _state(visit: Visit, thread: Thread) -> dict[str, object]:
    """What holds of the conversation as a whole."""
    marks, owner = thread.marks, visit.person.id
    snooze = visit.world.get(Snooze, owner, thread.id) if SNOOZED in marks else None
    own = store.own_labels(visit.world, owner)
    newer, older = store.neighbours(visit.world, owner, thread.id, INBOX if INBOX in marks else SENT)
    return {
        "subject": thread.messages[0].subject or "(no subject)",
        "thread_id": thread.id,
        "labels": [label for label in own if label.id in marks],
        "own_labels": [(label, label.id in marks) for label in own],
        "in_inbox": INBOX in marks,
        "in_spam": SPAM in marks,
        "in_trash": TRASH in marks and all(TRASH in each for each in thread.labels.values()),
        "muted": MUTED in marks,
        "snoozed": instant(snooze.until_at, visit.zone) if snooze else "",
        "newer_thread": newer,
        "older_thread": older,
    }
