"""Measures what was chosen, each kind by the module that knows how."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from harness.bench import exchanges, mailboxes, plays, start, worlds
from harness.bench.lines import Line, Plan, Say, Unmeasured

_Measure = Callable[[Sequence[str], Plan, Say], Iterator[Line | Unmeasured]]

KINDS: dict[str, _Measure] = {
    "world": worlds.measure,
    "gateway gmail mcp desk live portal": exchanges.measure,
    "mailbox": mailboxes.measure,
    "prove": plays.measure,
    "browser": plays.measure,
    "serve": start.measure,
}
"""Who measures what, by the first words of the names."""


def measure(names: Sequence[str], plan: Plan, say: Say) -> tuple[list[Line], list[str]]:
    """The lines of these subjects in their order, and a sentence for each that could not be measured."""
    lines: list[Line] = []
    failed: list[str] = []
    for words, kind in KINDS.items():
        wanted = [name for name in names if name.split(".")[0] in words.split()]
        if not wanted:
            continue
        try:
            for found in kind(wanted, plan, say):
                if isinstance(found, Line):
                    lines.append(found)
                else:
                    failed.append(str(found))
        except Exception as error:  # the others are still worth measuring
            failed.append(f"{', '.join(wanted)}: {type(error).__name__}: {error}")
    return sorted(lines, key=lambda line: names.index(line.name)), failed
