"""Filters: what is done with mail that comes in. Those that match a mail all apply, in no order
(support.google.com/mail/answer/6579).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING

from fakes.core.ids import BASE62
from fakes.gmail.errors import (
    CriteriaTooLong,
    FilterExists,
    InvalidLabel,
    MissingAction,
    MissingCriteria,
    TooManyFilters,
    UnrecognizedForwarding,
)
from fakes.gmail.rules.filtering import catches, seen_of
from fakes.gmail.rules.labels import CHAT, DRAFT, SENT
from fakes.gmail.schema import Filter
from fakes.gmail.store.labelling import has_label
from fakes.gmail.store.relaying import may_forward

if TYPE_CHECKING:
    from fakes.core.people import Person
    from fakes.core.world import World
    from fakes.gmail.rules.mime import Letter

MOST_FILTERS = 1000
LONGEST_CRITERIA = 1500
_NOT_BY_FILTER = frozenset((SENT, DRAFT, CHAT))


@dataclass(frozen=True)
class Wanted:
    """A filter as somebody asks for it; the columns of Filter that they choose."""

    sender: str = ""
    recipient: str = ""
    subject: str = ""
    query: str = ""
    negated_query: str = ""
    has_attachment: bool | None = None
    exclude_chats: bool | None = None
    size: int | None = None
    size_comparison: str = ""
    add_labels: str = ""
    remove_labels: str = ""
    forward: str = ""

    @classmethod
    def of(cls, row: Filter) -> Wanted:
        """The same of a stored filter."""
        return cls(**{field.name: getattr(row, field.name) for field in fields(cls)})

    @property
    def has_criteria(self) -> bool:
        """Whether it asks for anything of a mail."""
        texts = any(text.strip() for text in self.texts)
        return texts or bool(self.has_attachment) or bool(self.size_comparison)

    @property
    def texts(self) -> tuple[str, ...]:
        """Its criteria that are searches."""
        return self.sender, self.recipient, self.subject, self.query, self.negated_query


@dataclass(frozen=True)
class Done:
    """What filters do to a mail: labels put on and taken off, and where it is sent on to."""

    add: tuple[str, ...] = ()
    remove: tuple[str, ...] = ()
    forward: tuple[str, ...] = ()


def apply(world: World, person: Person, letter: Letter, address: str, labels: Collection[str]) -> Done:
    """What the filters of this person do to a mail that arrives at an address, with these labels."""
    rows = filters_of(world, person.id)
    if not rows:
        return Done()
    seen = seen_of(letter, delivered_to=address, labels=labels, received_at=world.now())
    found = [row for row in rows if catches(row, seen, person.email)]
    add = {label for row in found for label in row.add_labels.split() if has_label(world, person.id, label)}
    remove = {label for row in found for label in row.remove_labels.split()} - add
    forward = dict.fromkeys(row.forward for row in found if row.forward)
    to = tuple(each for each in forward if may_forward(world, person.id, each))
    return Done(tuple(sorted(add)), tuple(sorted(remove)), to)


def filters_of(world: World, owner: str) -> list[Filter]:
    """A person's filters, oldest first."""
    return world.all(Filter, "WHERE owner = ? ORDER BY seq", (owner,))


def filter_of(world: World, owner: str, filter_id: str) -> Filter | None:
    """The filter with this id, if it is this person's."""
    return world.get(Filter, owner, filter_id)


def create_filter(world: World, owner: str, wanted: Wanted) -> Filter:
    """Adds a filter. Mail that is there already stays as it is.

    Raises MissingCriteria, CriteriaTooLong, MissingAction, InvalidLabel, UnrecognizedForwarding,
    FilterExists, TooManyFilters.
    """
    _check(world, owner, wanted)
    if world.count(Filter, "WHERE owner = ?", (owner,)) >= MOST_FILTERS:
        raise TooManyFilters()
    with world.tx() as tx:
        seq = tx.seq("gmail_filter")
        filter_id = world.ids.text("gmail_filter", seq, prefix="ANe1Bm", length=30, alphabet=BASE62)
        return tx.insert(Filter(owner=owner, id=filter_id, seq=seq, **asdict(wanted)))


def change_filter(world: World, row: Filter, wanted: Wanted) -> Filter:
    """Makes another filter of it, with the same id; as it was, it writes nothing. The API has no such call.

    Raises as `create_filter` does.
    """
    _check(world, row.owner, wanted, but=row.id)
    if wanted == Wanted.of(row):
        return row
    with world.tx() as tx:
        return tx.update(row, **asdict(wanted))


def _check(world: World, owner: str, wanted: Wanted, but: str = "") -> None:
    if not wanted.has_criteria:
        raise MissingCriteria()
    if sum(map(len, wanted.texts)) > LONGEST_CRITERIA:
        raise CriteriaTooLong()
    add, remove = wanted.add_labels.split(), wanted.remove_labels.split()
    if not (add or remove or wanted.forward):
        raise MissingAction()
    for label in (*add, *remove):
        if label in _NOT_BY_FILTER or not has_label(world, owner, label):
            raise InvalidLabel(label)
    if wanted.forward and not may_forward(world, owner, wanted.forward):
        raise UnrecognizedForwarding()
    if any(wanted == Wanted.of(row) for row in filters_of(world, owner) if row.id != but):
        raise FilterExists()


def delete_filter(world: World, row: Filter) -> None:
    """Removes a filter."""
    with world.tx() as tx:
        tx.delete(row)
