"""The index of words, by which searches find messages; it follows from the stored mails alone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from fakes.gmail.rules.mime import Letter, read
from fakes.gmail.rules.search.texts import texts_of
from fakes.gmail.rules.search.words import spaced
from fakes.gmail.schema import Message, Source

if TYPE_CHECKING:
    from fakes.core.journal import Tx
    from fakes.core.world import World

_COLUMNS = "owner, sender, recipients, cc, bcc, subject, body, files, list, delivered, marks"
_INDEX = f"INSERT INTO gmail_search (rowid, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"


def owner_word(owner: str) -> str:
    """A mailbox's owner as one word of the index: no letter that parts words there."""
    return owner.replace("_", "")


def index(tx: Tx, message: Message, letter: Letter) -> None:
    """Enters a message."""
    tx.execute(_INDEX, entry(message, letter))


def index_all(tx: Tx, entries: Iterable[tuple[str | int, ...]]) -> None:
    """Enters many."""
    tx.execute_many(_INDEX, entries)


def entry(message: Message, letter: Letter) -> tuple[str | int, ...]:
    """A message as the index takes it."""
    texts = texts_of(letter, message.delivered_to)
    return (message.place, owner_word(message.owner), *map(spaced, texts.values()))


def forget(tx: Tx, message: Message) -> None:
    """Takes a message out."""
    tx.execute("DELETE FROM gmail_search WHERE rowid = ?", (message.place,))


def reindex(world: World, tx: Tx) -> None:
    """Makes the index anew from the stored mails."""
    tx.execute("INSERT INTO gmail_search (gmail_search) VALUES ('delete-all')")
    letters: dict[str, Letter] = {}
    for message in world.all(Message, "ORDER BY seq"):
        if message.source_id not in letters:
            source = world.get(Source, message.source_id)
            letters[message.source_id] = read(source.raw if source else b"", lenient=True)
        index(tx, message, letters[message.source_id])
