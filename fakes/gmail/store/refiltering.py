"""A filter done to mail that is there already: Gmail's "also apply filter to matching conversations"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fakes.gmail.rules.filtering import query_of
from fakes.gmail.rules.labels import CATEGORIES, DRAFT, INBOX, SCHEDULED, TRASH
from fakes.gmail.store.labelling import relabel
from fakes.gmail.store.listing import Listing, Position, list_messages, list_threads
from fakes.gmail.store.mailbox import labels_of

if TYPE_CHECKING:
    from fakes.core.people import Person
    from fakes.core.world import World
    from fakes.gmail.schema import Filter

_AT_ONCE = 500


def caught(world: World, person: Person, row: Filter, *, limit: int) -> Listing:
    """The conversations with mail that a filter, stored or not, would take, outside of spam and trash."""
    return list_threads(world, person.id, query_of(row, person.email), limit=limit)


def apply_to_mail(world: World, person: Person, row: Filter) -> int:
    """Puts a filter's labels on the mail that it would take, and takes others off; returns of how many
    conversations. Nothing is sent on, and drafts stay as they are.

    Raises InvalidLabel or LabelNotFound.
    """
    add, remove = _labels(row)
    ids, threads = _taken(world, person, row)
    with world.tx():
        for at in range(0, len(ids), _AT_ONCE) if add or remove else ():
            relabel(world, person.id, ids[at : at + _AT_ONCE], add=add, remove=remove)
    return len(threads)


def _labels(row: Filter) -> tuple[list[str], list[str]]:
    """What is put on and taken off: trash takes mail from the inbox, a category from its old one."""
    add, remove = row.add_labels.split(), row.remove_labels.split()
    if TRASH in add:
        remove.append(INBOX)
    if set(add) & set(CATEGORIES):
        remove += [category for category in CATEGORIES if category not in add]
    return add, remove


def _taken(world: World, person: Person, row: Filter) -> tuple[list[str], set[str]]:
    """The messages, and their threads."""
    ids: list[str] = []
    threads: set[str] = set()
    query = query_of(row, person.email)
    before: Position | None = None
    while True:
        page = list_messages(world, person.id, query, limit=_AT_ONCE, before=before)
        labels = labels_of(world, [message_id for message_id, _ in page.refs])
        for message_id, thread_id in page.refs:
            if not {DRAFT, SCHEDULED}.intersection(labels[message_id]):
                ids.append(message_id)
                threads.add(thread_id)
        before = page.next
        if before is None:
            return ids, threads
