"""Whether a task lets more come along than honest work needs."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fakes.core.journal import Change
from fakes.core.service import Service
from fakes.core.store import Row
from harness import sources
from harness.evidence import Evidence, OpenEvidence
from harness.guards import Along
from harness.proof import Flaw
from harness.standing import operation
from harness.task import Task


def wide(task: Task, honest: Sequence[Evidence], services: Mapping[str, Service]) -> Iterator[Flaw]:
    """The entries of `along` that let more pass than honest work leaves, each with the narrower one to write.

    What probes and cheats leave says nothing here: an entry must let through what honest plays do, no more.
    """
    changes: list[Change] = []
    for evidence in honest:
        with OpenEvidence(evidence, services) as (_, after):
            changes += after.diff(since=evidence.baseline)
            columns = {name: table.key[0] for name, table in after.tables.items()}
    plays = "the reference" if len(honest) == 1 else f"any of {len(honest)} honest plays"
    for table, along in task.along.items():
        place = sources.place_in(task, table)
        mine = [change for change in changes if change.table == table]
        narrow = _narrower(task, along, table, mine)
        where = _one_row(columns[table], along, mine, honest[0].facts)
        if not mine:
            yield Flaw(f"{place}: nothing of {table} changes in {plays}; delete it from along=.")
        elif narrow != along or where:
            said = _written(narrow, where)
            yield Flaw(f"{place}: along= lets more of {table} change than {plays} does; write {said}.")


def _narrower(task: Task, along: Along, table: str, changes: Sequence[Change]) -> Along:
    """The narrowest of its kind that lets these changes come along."""
    mine = [change for change in changes if along.operation in (None, operation(change))]
    kinds = {operation(change) for change in mine}
    said = kinds.pop() if len(kinds) == 1 else along.operation
    columns = along.columns
    if said == "changed":
        subjects = [s for s in task.subjects_by_argument.values() if s.table == table and s.changed]
        named = {name for subject in subjects for name in subject.changed or ()}
        seen = {name for change in mine if operation(change) == "changed" for name in change.columns} - named
        columns = tuple(sorted(seen)) if columns is None or not seen >= set(columns) else columns
    return dataclasses.replace(along, operation=said, columns=columns or None)


def _one_row(column: str, along: Along, changes: Sequence[Change], facts: Any) -> str:
    """`row.id == facts.claim.id`, where all the changes are of one old row that some fact knows of."""
    keys = {change.key for change in changes}
    if along.where is not None or len(keys) != 1 or any(change.before is None for change in changes):
        return ""
    [key] = keys
    known = (
        f"{path}.{name}" for path, row in _rows(facts, "facts") for name, value in row.values().items()
        if (value,) == key and (name in row.__table__.key or name.endswith("_id"))
    )  # fmt: skip
    found = next(known, "")
    return found and f"row.{column} == {found}"


def _rows(facts: Any, path: str) -> Iterator[tuple[str, Row]]:
    """The rows among facts, also those of cases within them, each with the path to it."""
    for field in dataclasses.fields(facts):
        held = getattr(facts, field.name)
        if isinstance(held, Row):
            yield f"{path}.{field.name}", held
        elif dataclasses.is_dataclass(held):
            yield from _rows(held, f"{path}.{field.name}")


def _written(along: Along, where: str) -> str:
    """As it is written in a task's file."""
    parts = [repr(along.reason).replace("'", '"')]
    parts += [f'operation="{along.operation}"'] if along.operation else []
    parts += [f"columns={along.columns!r}".replace("'", '"')] if along.columns else []
    parts += ["where=…"] if along.where else [f"where=lambda row, facts: {where}"] if where else []
    return f"Along({', '.join(parts)})"
