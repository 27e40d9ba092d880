"""What a search asks for, as a tree: groups, and conditions on one message at the leaves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from fakes.gmail.rules.labels import OUT_OF_SIGHT
from fakes.gmail.rules.search.moments import Moment

COLUMNS = ("sender", "recipients", "cc", "bcc", "subject", "body", "files", "list", "delivered", "marks")
"""What the index of words keeps apart."""
ANYWHERE = ("sender", "recipients", "subject", "body", "files")
"""Where a plain word is looked for."""


@dataclass(frozen=True)
class Phrase:
    """Words one after the other, in one of `columns`."""

    columns: tuple[str, ...]
    words: tuple[str, ...]


@dataclass(frozen=True)
class Near:
    """Two phrases in one column, in any order, with at most `distance` words between them."""

    columns: tuple[str, ...]
    first: tuple[str, ...]
    second: tuple[str, ...]
    distance: int


@dataclass(frozen=True)
class Labelled:
    """A label, by its id."""

    label: str


@dataclass(frozen=True)
class Named:
    """A label of one's own, by its name as people type it: hyphens may stand for spaces and slashes."""

    name: str


@dataclass(frozen=True)
class OwnLabels:
    """Any label of one's own."""


@dataclass(frozen=True)
class Received:
    """Received from `since` on, and before `until`."""

    since: Moment | None = None
    until: Moment | None = None


@dataclass(frozen=True)
class Sized:
    """More than `over` bytes, or fewer than `under`."""

    over: int | None = None
    under: int | None = None


@dataclass(frozen=True)
class WithId:
    """A Message-ID header, in its angles."""

    rfc822_id: str


@dataclass(frozen=True)
class All:
    """Each part holds; of no parts, everything."""

    parts: tuple[Node, ...] = ()


@dataclass(frozen=True)
class Any:
    """One of the parts holds; of no parts, nothing."""

    parts: tuple[Node, ...] = ()


@dataclass(frozen=True)
class Not:
    """The part does not hold."""

    part: Node


Node = Phrase | Near | Labelled | Named | OwnLabels | Received | Sized | WithId | All | Any | Not
EVERYTHING, NOTHING = All(), Any()


def all_of(parts: Iterable[Node]) -> Node:
    """The parts together, without groups that hold one part or are everything."""
    flat: list[Node] = []
    for part in parts:
        flat += part.parts if isinstance(part, All) else (part,)
    return flat[0] if len(flat) == 1 else All(tuple(flat))


def any_of(parts: Iterable[Node]) -> Node:
    """One of the parts, without a group of one."""
    flat: list[Node] = []
    for part in parts:
        flat += part.parts if isinstance(part, Any) and part.parts else (part,)
    return flat[0] if len(flat) == 1 else Any(tuple(flat))


def leaves(node: Node) -> Iterator[Node]:
    """The conditions of a tree."""
    if isinstance(node, Not):
        yield from leaves(node.part)
    elif isinstance(node, All | Any):
        for part in node.parts:
            yield from leaves(part)
    else:
        yield node


@dataclass(frozen=True)
class Query:
    """A search: what must hold, and whether spam and trash are searched too."""

    tree: Node = EVERYTHING
    anywhere: bool = False

    def narrowed(self, labels: Iterable[str], *, anywhere: bool = False) -> Query:
        """The same with labels, by their ids, that must be there; `anywhere` opens spam and trash."""
        more = tuple(Labelled(label) for label in dict.fromkeys(labels))
        return Query(all_of((*more, self.tree)), self.anywhere or anywhere)

    @property
    def in_sight(self) -> bool:
        """Whether spam and trash stay out: unless they are asked for by name, or `anywhere`."""
        named = any(isinstance(leaf, Labelled) and leaf.label in OUT_OF_SIGHT for leaf in leaves(self.tree))
        return not (self.anywhere or named)
