"""Many mails at once, for a world that is being seeded: their rows are written together, and so are their
words.

What is left is as if each had been delivered by itself, to the last id. A mail of which more may come than
copies and rows of the outbox is delivered by itself.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from fakes.core.capabilities import OutgoingMail
from fakes.core.people import Person
from fakes.gmail.rules.addresses import is_address
from fakes.gmail.rules.categories import category_of
from fakes.gmail.rules.labels import INBOX, SENT, UNREAD
from fakes.gmail.rules.mime import Letter
from fakes.gmail.rules.threads import bare_subject
from fakes.gmail.schema import Message, MessageLabel, Source
from fakes.gmail.store import words
from fakes.gmail.store.addresses import domain_of, is_ours
from fakes.gmail.store.carrying import hand_out
from fakes.gmail.store.composed import Composer
from fakes.gmail.store.filing import MESSAGE_ID, SOURCE_ID, copied, thread_for
from fakes.gmail.store.history import ADDED, UNLABELLED
from fakes.gmail.store.labelling import mark_read
from fakes.gmail.store.post import deliver
from fakes.gmail.store.tallying import Tally

if TYPE_CHECKING:
    from fakes.core.journal import Tx
    from fakes.core.world import World

_SOMETHING_FOLLOWS = (
    "SELECT EXISTS (SELECT 1 FROM gmail_filters) OR EXISTS (SELECT 1 FROM gmail_watches)"
    " OR EXISTS (SELECT 1 FROM gmail_settings WHERE forwarding_enabled OR vacation_enabled)"
    " OR EXISTS (SELECT 1 FROM gmail_message_labels WHERE label = 'MUTED')"
)
_SPAMMERS = (
    "SELECT DISTINCT m.sender FROM gmail_message_labels l JOIN gmail_messages m ON m.id = l.message_id"
    " WHERE l.label = 'SPAM'"
)


@dataclass(frozen=True)
class Posted:
    """A mail, the instant (UTC ms) at which it was sent, and whether all who got it have read it."""

    mail: OutgoingMail
    at: int
    read: bool = False


class Filling:
    """Delivers mails in the order in which they are put; what is put is stored by `write`."""

    def __init__(self, tx: Tx, world: World) -> None:
        self._tx, self._world = tx, world
        self._people: dict[str, Person | None] = {}
        self._ours: dict[str, bool] = {}
        self._composer = Composer(world, self._person)
        self._begin()

    def _begin(self) -> None:
        self._sources: list[Source] = []
        self._messages: list[Message] = []
        self._labels: list[tuple[Any, ...]] = []
        self._words: list[tuple[Any, ...]] = []
        self._threads: dict[tuple[str, str], Message] = {}
        self._tally = Tally(self._world)
        self._is_plain = not self._world.select(_SOMETHING_FOLLOWS)[0][0]
        self._spammers = {row[0] for row in self._world.select(_SPAMMERS)}

    def put(self, posted: Posted) -> str:
        """Delivers a mail; returns its Message-ID. Raises MailRefused as `deliver` does."""
        return self._together(posted) if self._is_simple(posted.mail) else self._by_itself(posted)

    def write(self) -> None:
        """Stores what was put."""
        tx = self._tx
        tx.insert_all(self._sources)
        tx.insert_all(self._messages)
        tx.execute_many(MessageLabel.__table__.insertion, self._labels)
        self._tally.write(tx)
        words.index_all(tx, sorted(self._words))  # out of order, each would be written by itself
        self._begin()

    # by itself

    def _is_simple(self, mail: OutgoingMail) -> bool:
        """Whether nothing comes of a mail but copies for people and rows of the outbox."""
        addresses = [each.lower() for each in (*mail.to, *mail.cc)]
        return (
            self._is_plain
            and bool(addresses)
            and not mail.bcc
            and is_address(mail.sender)
            and mail.sender not in self._spammers
            and len({*addresses, mail.sender.lower()}) == len(addresses) + 1
            and all(map(self._is_known, addresses))
            and not any(name.lower() == "x-spam-flag" for name in mail.headers)
        )

    def _is_known(self, address: str) -> bool:
        return is_address(address) and (self._person(address) is not None or not self._is_ours(address))

    def _person(self, address: str) -> Person | None:
        address = address.lower()
        if address not in self._people:
            self._people[address] = self._world.person(address)
        return self._people[address]

    def _is_ours(self, address: str) -> bool:
        domain = domain_of(address)
        if domain not in self._ours:
            self._ours[domain] = is_ours(self._world, address)
        return self._ours[domain]

    def _by_itself(self, posted: Posted) -> str:
        self.write()
        with self._world.at_time(posted.at):
            message_id = deliver(self._world, posted.mail)
            if posted.read:
                for copy in self._world.all(Message, "WHERE rfc822_id = ? ORDER BY seq", (message_id,)):
                    mark_read(self._world, copy.owner, [copy.id])
        self._begin()
        return message_id

    # together

    def _together(self, posted: Posted) -> str:
        mail, at = posted.mail, posted.at
        message_id = f"<{self._tally.new_id('gmail_rfc822', length=24)}@{domain_of(mail.sender)}>"
        sender = self._person(mail.sender)
        letter = self._composer.letter(mail, at, message_id, sender)
        source = Source(id=self._tally.new_id("gmail_source", **SOURCE_ID), raw=letter.raw, text=letter.text)
        self._sources.append(source)
        if sender is not None:
            self._file(posted, letter, source, sender.id, (SENT,))
        received = tuple(sorted((INBOX, UNREAD, category_of(letter))))
        for address in (*letter.to, *letter.cc):
            person = self._person(address.email)
            if person is not None:
                self._file(posted, letter, source, person.id, received, address.email)
            else:
                hand_out(self._tx, letter, source, address.email, at)
        return message_id

    def _file(
        self, posted: Posted, letter: Letter, source: Source, owner: str, labels: tuple[str, ...],
        address: str = "",
    ) -> None:  # fmt: skip
        thread = self._thread(owner, letter)
        message = copied(
            owner, letter, source, thread, message_id=self._tally.new_id("gmail_message", **MESSAGE_ID),
            seq=self._tally.seq("gmail_message"), received_at=posted.at, delivered_to=address,
        )  # fmt: skip
        self._messages.append(message)
        self._threads[owner, letter.message_id] = message
        opened = posted.read and UNREAD in labels
        for label in labels:
            if not (opened and label == UNREAD):
                self._labels.append((message.id, label, owner, message.thread_id, message.place))
        self._words.append(words.entry(message, letter))
        self._tally.note(message, ADDED, " ".join(labels))
        if opened:
            self._tally.note(message, UNLABELLED, UNREAD)
        self._tally.count(owner, int(thread is None))

    def _thread(self, owner: str, letter: Letter) -> str | None:
        for reference in reversed(letter.references):
            there = self._threads.get((owner, reference))
            if there is not None and bare_subject(there.subject) == bare_subject(letter.subject):
                return there.thread_id
            found = thread_for(self._world, owner, replace(letter, references=(reference,)))
            if found is not None:
                return found
        return None
