"""The index of words, by which searches find messages; it follows from the stored mails alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fakes.gmail.rules.addresses import Address
from fakes.gmail.rules.mime import Letter, read
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
    people = (*letter.to, *letter.cc, *letter.bcc)
    words = (
        message.place,
        owner_word(message.owner),
        f"{message.sender_name} {message.sender}",
        _people(people),
        _people(letter.cc),
        _people(letter.bcc),
        message.subject,
        letter.text,
        " ".join(letter.files),
        letter.header("List-Id"),
        letter.header("Delivered-To"),
        "",
    )
    tx.execute(_INDEX, words)


def _people(found: tuple[Address, ...]) -> str:
    return " ".join(f"{address.name} {address.email}" for address in found)


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
