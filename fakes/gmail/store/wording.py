"""The language of the index of words (FTS5): which parts of a search it can answer, and how they are put."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fakes.gmail.rules.search.nodes import All, Any, Near, Node, Phrase


def is_wordy(node: Node) -> bool:
    """Whether the index of words can answer it alone: words, and groups of them that ask for some."""
    if isinstance(node, Phrase | Near):
        return True
    return isinstance(node, All | Any) and bool(node.parts) and all(map(is_wordy, node.parts))


def match_of(owner: str, wanted: Iterable[Node], unwanted: Iterable[Node] = ()) -> str:
    """The expression of all that is wanted and nothing that is not, in the mailbox of an owner's word."""
    match = " AND ".join([f'owner : "{owner}"', *map(_match, wanted)])
    without = " OR ".join(map(_match, unwanted))
    return f"({match}) NOT ({without})" if without else match


def _match(node: Node) -> str:
    match node:
        case Phrase():
            return f"{_columns(node.columns)} : {_quoted(node.words)}"
        case Near():
            near = f"NEAR({_quoted(node.first)} {_quoted(node.second)}, {node.distance})"
            return f"{_columns(node.columns)} : {near}"
        case All():
            return _joined(node.parts, " AND ")
        case Any():
            return _joined(node.parts, " OR ")
    raise AssertionError(node)


def _joined(parts: Iterable[Node], joint: str) -> str:
    return f"({joint.join(map(_match, parts))})"


def _columns(columns: Sequence[str]) -> str:
    return columns[0] if len(columns) == 1 else f"{{{' '.join(columns)}}}"


def _quoted(words: Sequence[str]) -> str:
    return f'"{" ".join(words)}"'
