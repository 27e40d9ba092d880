"""What becomes of a mail that arrives in somebody's mailbox. The caller has a transaction open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fakes.gmail.rules.categories import category_of
from fakes.gmail.rules.labels import INBOX, UNREAD
from fakes.gmail.rules.mime import Letter
from fakes.gmail.schema import Message, Source
from fakes.gmail.store.filing import file_copy, thread_for

if TYPE_CHECKING:
    from fakes.core.journal import Tx
    from fakes.core.people import Person
    from fakes.core.world import World


def arrive(tx: Tx, world: World, person: Person, letter: Letter, source: Source) -> Message:
    """Files a received mail: into the thread that it answers, under its category."""
    labels = (INBOX, UNREAD, category_of(letter))
    return file_copy(tx, world, person.id, letter, source, labels, thread_for(world, person.id, letter))
