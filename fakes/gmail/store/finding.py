"""A search as SQL: one walk, newest first, of the index that has the least to walk.

Words that must be there make one MATCH over the index of words, whose rows are numbered by place, so that a
walk of it is in order and a page ends it. A label that fewer messages carry is walked instead. What else is
asked is a condition on each message on the way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from typing import Any as Anything
from zoneinfo import ZoneInfo

from fakes.gmail.rules.labels import INBOX, SENT, SPAM, TRASH
from fakes.gmail.rules.matching import is_called
from fakes.gmail.rules.places import first_place
from fakes.gmail.rules.search.moments import PACIFIC, instant_of
from fakes.gmail.rules.search.nodes import (
    All,
    Any,
    Labelled,
    Named,
    Node,
    Not,
    OwnLabels,
    Query,
    Received,
    Sized,
    WithId,
    all_of,
    any_of,
)
from fakes.gmail.store.mailbox import MOST_COUNTED
from fakes.gmail.store.own_labels import own_labels
from fakes.gmail.store.wording import is_wordy, match_of
from fakes.gmail.store.words import owner_word

if TYPE_CHECKING:
    from fakes.core.world import World

_OUT_OF_SIGHT = f"IN ('{SPAM}', '{TRASH}')"


@dataclass
class Selection:
    """FROM and WHERE over a table `x`, the columns that hold a message's id and its place in the walk."""

    sql: str
    params: list[Anything]
    message_id: str = "x.id"
    place: str = "x.place"

    def of(self, column: str) -> str:
        """A column of the message itself, whatever is walked."""
        if self.message_id == "x.id":
            return f"x.{column}"
        return f"(SELECT m.{column} FROM gmail_messages m WHERE m.id = {self.message_id})"

    def has_label(self, which: str) -> str:
        """Whether the message has a label that is `which`."""
        # the plus: a message has few labels, and walking them costs less than a probe for each one asked for
        rows = f"FROM gmail_message_labels h WHERE h.message_id = {self.message_id} AND +h.label {which}"
        return f"EXISTS (SELECT 1 {rows})"

    def where(self, condition: str, params: Sequence[Anything]) -> None:
        """Keeps what meets a condition too."""
        self.sql += f" AND {condition}"
        self.params += params


def selection(world: World, owner: str, query: Query) -> Selection:
    """What a query selects in a mailbox."""
    return _Compiler(world, owner).selection(query)


class _Compiler:
    def __init__(self, world: World, owner: str) -> None:
        self._world, self._owner = world, owner
        self._mine = owner_word(owner)

    def selection(self, query: Query) -> Selection:
        tree = self._named(query.tree)
        parts = tree.parts if isinstance(tree, All) else (tree,)
        found, begun = self._beginning(parts)
        for part in sorted(parts, key=lambda part: not is_wordy(part)):
            if part not in begun:
                found.where(*self._condition(part, found))
        if query.in_sight:
            found.where(f"NOT {found.has_label(_OUT_OF_SIGHT)}", ())
        return found

    def _beginning(self, parts: Sequence[Node]) -> tuple[Selection, Sequence[Node]]:
        """The walk to begin with, and the parts that it makes sure of."""
        if ids := [part for part in parts if isinstance(part, WithId)]:
            walk = "FROM gmail_messages x INDEXED BY gmail_messages_2 WHERE x.owner = ? AND x.rfc822_id = ?"
            return Selection(walk, [self._owner, ids[0].rfc822_id]), ids[:1]
        words = [part for part in parts if is_wordy(part)]
        without = [part for part in parts if isinstance(part, Not) and is_wordy(part.part)]
        label = self._rarest([part for part in parts if isinstance(part, Labelled)])
        match = match_of(self._mine, words, (part.part for part in without))
        if label is not None and not (words and self._are_rarer(match, label)):
            walk = "FROM gmail_message_labels x WHERE x.owner = ? AND x.label = ?"
            return Selection(walk, [self._owner, label.label], "x.message_id"), [label]
        if words or without:
            walk = (
                "FROM gmail_search s CROSS JOIN gmail_messages x INDEXED BY gmail_messages_0"
                " ON x.owner = ? AND x.place = s.rowid WHERE gmail_search MATCH ?"
            )
            return Selection(walk, [self._owner, match], place="s.rowid"), [*words, *without]
        return Selection("FROM gmail_messages x WHERE x.owner = ?", [self._owner]), []

    def _rarest(self, labels: list[Labelled]) -> Labelled | None:
        if len(labels) < 2:
            return labels[0] if labels else None
        return min(labels, key=lambda each: (self._rarity(each.label), each.label in (INBOX, SENT)))

    def _rarity(self, label: str) -> int:
        sql = "SELECT 1 FROM gmail_message_labels WHERE owner = ? AND label = ? LIMIT ?"
        return self._count(sql, (self._owner, label, MOST_COUNTED))

    def _are_rarer(self, match: str, label: Labelled) -> bool:
        """Whether the index of words finds fewer messages than carry a label."""
        sql = "SELECT 1 FROM gmail_search WHERE gmail_search MATCH ? LIMIT ?"
        return self._count(sql, (match, MOST_COUNTED)) <= self._rarity(label.label)

    def _count(self, sql: str, params: Sequence[Anything]) -> int:
        return int(self._world.select(f"SELECT count(*) FROM ({sql})", params)[0][0])

    def _named(self, node: Node) -> Node:
        """The node with own labels by their ids; one that there is not is nothing."""
        match node:
            case Named():
                labels = own_labels(self._world, self._owner)
                return any_of(Labelled(each.id) for each in labels if is_called(each.name, node.name))
            case Not():
                return Not(self._named(node.part))
            case All():
                return all_of(map(self._named, node.parts))
            case Any():
                return any_of(map(self._named, node.parts))
        return node

    def _condition(self, node: Node, found: Selection) -> tuple[str, Sequence[Anything]]:
        """A node as a condition on `x`."""
        if is_wordy(node):
            match = match_of(self._mine, [node])
            words = "SELECT rowid FROM gmail_search WHERE gmail_search MATCH ?"
            return f"{found.of('place')} IN ({words})", [match]
        match node:
            case All() | Any():
                return self._group(node, found)
            case Not():
                sql, params = self._condition(node.part, found)
                return f"NOT ({sql})", params
            case Labelled():
                return found.has_label("= ?"), [node.label]
            case OwnLabels():
                return found.has_label("GLOB 'Label_*'"), []
            case Sized():
                return _sized(node, found)
            case WithId():
                return f"{found.of('rfc822_id')} = ?", [node.rfc822_id]
            case Received():
                return self._received(node, found)
        raise AssertionError(node)

    def _group(self, node: All | Any, found: Selection) -> tuple[str, Sequence[Anything]]:
        if not node.parts:
            return ("1" if isinstance(node, All) else "0"), []
        conditions = [self._condition(part, found) for part in node.parts]
        joint = " AND " if isinstance(node, All) else " OR "
        params = [each for _, more in conditions for each in more]
        return f"({joint.join(f'({sql})' for sql, _ in conditions)})", params

    def _received(self, node: Received, found: Selection) -> tuple[str, Sequence[Anything]]:
        now, zone = self._world.now(), zone_of(self._world)
        place = "s.rowid" if found.place == "s.rowid" else found.of("place")
        bounds = [
            (sign, first_place(instant_of(moment, now, zone)))
            for sign, moment in ((">=", node.since), ("<", node.until))
            if moment is not None
        ]
        return " AND ".join(f"{place} {sign} ?" for sign, _ in bounds), [bound for _, bound in bounds]


def zone_of(world: World) -> ZoneInfo:
    """The zone whose midnights dates in searches are: Pacific time, or what the world was set to."""
    found = world.select("SELECT zone FROM gmail_search_zone LIMIT 1")
    return ZoneInfo(found[0][0] if found else PACIFIC)


def _sized(node: Sized, found: Selection) -> tuple[str, Sequence[Anything]]:
    size = found.of("size")
    if node.over is not None:
        return f"{size} > ?", [node.over]
    return f"{size} < ?", [node.under]
