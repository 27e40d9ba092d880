"""Mail put into one mailbox by its owner's program, as if it had arrived or just as it is; none is sent."""

from __future__ import annotations

from collections.abc import Sequence
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

from fakes.gmail.errors import InvalidLabel
from fakes.gmail.rules.categories import category_of
from fakes.gmail.rules.labels import CATEGORIES, CHAT, DRAFT, INBOX, SPAM
from fakes.gmail.rules.mime import Letter
from fakes.gmail.rules.trace import is_flagged
from fakes.gmail.schema import Message
from fakes.gmail.store.filing import file_copy, keep_source, take_out, thread_for
from fakes.gmail.store.labelling import check_label
from fakes.gmail.store.outgoing import read_letter, thread_to_join

if TYPE_CHECKING:
    from fakes.core.people import Person
    from fakes.core.world import World

MOST_BYTES = 150 * 1024 * 1024
_NEVER = frozenset((DRAFT, CHAT))


def insert(
    world: World, person: Person, raw: bytes, *, labels: Sequence[str] = (), thread_id: str | None = None,
    by_header: bool = False, deleted: bool = False,
) -> Message:  # fmt: skip
    """Puts a mail in as it is, under these labels, as IMAP APPEND does (reference of messages.insert).

    It joins the thread named on the conditions of `send`, else that of a mail that it answers. It was
    received now, or `by_header` when its Date header says; `deleted`, it is gone again at once, as what only
    an archive shows. Raises what `send` raises for a mail and its thread, InvalidLabel, LabelNotFound.
    """
    letter = read_letter(raw, lenient=True, most=MOST_BYTES)
    return _put_in(world, person, letter, labels, thread_id, by_header, deleted)


def import_mail(
    world: World, person: Person, raw: bytes, *, labels: Sequence[str] = (), thread_id: str | None = None,
    by_header: bool = True, deleted: bool = False, never_spam: bool = False,
) -> Message:  # fmt: skip
    """The same with what arriving mail goes through: its category, and spam that was marked as such on the
    way unless `never_spam` (reference of messages.import). Filters are for mail that comes by itself.
    """
    letter = read_letter(raw, lenient=True, most=MOST_BYTES)
    given = set(labels)
    if not given.intersection(CATEGORIES):
        given.add(category_of(letter))
    if is_flagged(letter.raw) and not never_spam:
        given = (given | {SPAM}) - {INBOX}
    return _put_in(world, person, letter, sorted(given), thread_id, by_header, deleted)


def _put_in(
    world: World, person: Person, letter: Letter, labels: Sequence[str], thread_id: str | None,
    by_header: bool, deleted: bool,
) -> Message:  # fmt: skip
    for label in labels:
        if label in _NEVER:
            raise InvalidLabel(label)
        check_label(world, person.id, label)
    thread = thread_to_join(world, person, letter, thread_id) if thread_id else None
    received_at = _dated(letter) if by_header else None
    with world.tx() as tx:
        thread = thread or thread_for(world, person.id, letter)
        source = keep_source(tx, letter)
        filed = file_copy(tx, world, person.id, letter, source, labels, thread, received_at=received_at)
        if deleted:
            take_out(tx, world, person.id, [filed])
        return filed


def _dated(letter: Letter) -> int | None:
    """When the Date header says (UTC ms); None where it says nothing that can be read."""
    try:
        return max(0, int(parsedate_to_datetime(letter.header("Date")).timestamp() * 1000))
    except (ValueError, TypeError, OverflowError):
        return None
