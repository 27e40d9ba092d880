"""What can be done to mail from a list or a conversation, each by the verb of the store that does it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fakes.gmail import store
from fakes.gmail.errors import InvalidTime
from fakes.gmail.rules.labels import (
    CATEGORIES,
    DRAFT,
    IMPORTANT,
    INBOX,
    OUT_OF_SIGHT,
    SCHEDULED,
    SENT,
    SPAM,
    STARRED,
    TRASH,
    UNREAD,
)
from fakes.gmail.rules.timing import at_wall
from fakes.gmail.schema import Message, Snooze

if TYPE_CHECKING:
    from fakes.gmail.web.visits import Visit


@dataclass(frozen=True)
class Chosen:
    """The messages that something is done to; `whole` if conversations were chosen, not single messages."""

    messages: list[Message]
    labels: dict[str, list[str]]
    whole: bool

    @property
    def ids(self) -> list[str]:
        """All of them."""
        return [message.id for message in self.messages]

    @property
    def threads(self) -> list[str]:
        """Their threads."""
        return list(dict.fromkeys(message.thread_id for message in self.messages))

    def having(self, *labels: str) -> list[str]:
        """The ids of those with one of these labels."""
        return [i for i in self.ids if set(labels).intersection(self.labels[i])]

    def lacking(self, *labels: str) -> list[str]:
        """The ids of those with none of them."""
        return [i for i in self.ids if not set(labels).intersection(self.labels[i])]

    def newest(self, *without: str) -> list[str]:
        """Of single messages all, of conversations the newest each that has none of these labels, or any."""
        if not self.whole:
            return self.ids
        found: dict[str, str] = {}
        plain = set(self.lacking(*without))
        for message in self.messages:  # oldest first
            if message.id in plain or message.thread_id not in found:
                found[message.thread_id] = message.id
        return list(found.values())


Deed = Callable[["Visit", Chosen], None]


def _relabel(visit: Visit, ids: Sequence[str], add: Sequence[str] = (), remove: Sequence[str] = ()) -> None:
    store.relabel(visit.world, visit.person.id, ids, add=add, remove=remove)


def _archive(visit: Visit, chosen: Chosen) -> None:
    store.archive(visit.world, visit.person.id, chosen.ids)


def _to_inbox(visit: Visit, chosen: Chosen) -> None:
    _wake(visit, chosen)
    _relabel(visit, chosen.lacking(DRAFT, SCHEDULED), [INBOX], OUT_OF_SIGHT)


def _spam(visit: Visit, chosen: Chosen) -> None:
    store.report_spam(visit.world, visit.person.id, chosen.lacking(DRAFT, SCHEDULED))


def _not_spam(visit: Visit, chosen: Chosen) -> None:
    store.not_spam(visit.world, visit.person.id, chosen.having(SPAM))


def _trash(visit: Visit, chosen: Chosen) -> None:
    store.trash(visit.world, visit.person.id, chosen.ids)


def _untrash(visit: Visit, chosen: Chosen) -> None:
    store.untrash(visit.world, visit.person.id, chosen.having(TRASH))


def _delete(visit: Visit, chosen: Chosen) -> None:
    """Only what lies in trash or spam goes for ever."""
    store.delete(visit.world, visit.person.id, chosen.having(*OUT_OF_SIGHT))


def _read(visit: Visit, chosen: Chosen) -> None:
    store.mark_read(visit.world, visit.person.id, chosen.ids)


def _unread(visit: Visit, chosen: Chosen) -> None:
    _relabel(visit, chosen.newest(SENT, DRAFT, SCHEDULED), [UNREAD])


def _star(visit: Visit, chosen: Chosen) -> None:
    _relabel(visit, chosen.newest(DRAFT, SCHEDULED), [STARRED])


def _unstar(visit: Visit, chosen: Chosen) -> None:
    _relabel(visit, chosen.ids, remove=[STARRED])


def _important(visit: Visit, chosen: Chosen) -> None:
    _relabel(visit, chosen.ids, [IMPORTANT])


def _unimportant(visit: Visit, chosen: Chosen) -> None:
    _relabel(visit, chosen.ids, remove=[IMPORTANT])


def _mute(visit: Visit, chosen: Chosen) -> None:
    store.mute(visit.world, visit.person.id, chosen.ids)


def _unmute(visit: Visit, chosen: Chosen) -> None:
    store.unmute(visit.world, visit.person.id, chosen.ids)


def _label(visit: Visit, chosen: Chosen) -> None:
    """Puts on what `label` and `add` name, and a new label `new`; takes off what `unlabel` names."""
    new = visit.field("new").strip()
    made = [_named(visit, new)] if new else []
    _relabel(visit, chosen.ids, [*visit.every("label"), *visit.every("add"), *made], visit.every("unlabel"))


def _named(visit: Visit, name: str) -> str:
    found = store.label_named(visit.world, visit.person.id, name)
    return (found or store.create_label(visit.world, visit.person.id, name)).id


def _unlabel(visit: Visit, chosen: Chosen) -> None:
    _relabel(visit, chosen.ids, remove=visit.every("label"))


def _move(visit: Visit, chosen: Chosen) -> None:
    """Out of the inbox, or out of the label `from`, to a label, a tab, the inbox, spam or the trash."""
    label = (visit.every("label") or [""])[0]
    if label in _PLACES:
        return _PLACES[label](visit, chosen)
    if label in CATEGORIES:
        return _relabel(visit, chosen.ids, [label], [each for each in CATEGORIES if each != label])
    left = [each for each in visit.every("from") if each != label]
    _wake(visit, chosen)
    _relabel(visit, chosen.ids, [label], [INBOX, *OUT_OF_SIGHT, *left])


_PLACES: dict[str, Deed] = {INBOX: _to_inbox, SPAM: _spam, TRASH: _trash}


def _snooze(visit: Visit, chosen: Chosen) -> None:
    """Until the wall time in `until`. Raises InvalidTime."""
    until = at_wall((visit.every("until") or [""])[0], visit.zone)
    if until is None:
        raise InvalidTime()
    for thread_id in chosen.threads:
        store.snooze(visit.world, visit.person.id, thread_id, until)


def _wake(visit: Visit, chosen: Chosen) -> None:
    for thread_id in chosen.threads:
        found = visit.world.get(Snooze, visit.person.id, thread_id)
        if found is not None:
            store.unsnooze(visit.world, found)


def _discard(visit: Visit, chosen: Chosen) -> None:
    for message_id in chosen.having(DRAFT):
        draft = store.draft_of_message(visit.world, visit.person.id, message_id)
        if draft is not None:
            store.discard_draft(visit.world, draft)


DEEDS: dict[str, Deed] = {
    "archive": _archive, "inbox": _to_inbox, "spam": _spam, "not-spam": _not_spam, "trash": _trash,
    "untrash": _untrash, "delete": _delete, "read": _read, "unread": _unread, "star": _star,
    "unstar": _unstar, "important": _important, "unimportant": _unimportant, "mute": _mute,
    "unmute": _unmute, "label": _label, "unlabel": _unlabel, "move": _move, "snooze": _snooze,
    "unsnooze": _wake, "discard": _discard,
}  # fmt: skip
"""What forms name as `do`."""
FINAL = frozenset(("delete", "discard", "unsnooze", "inbox"))
"""What the notice offers no way back from."""
