"""The guards that every task has: nothing else changed, and what was written came by the named surface."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from fakes.core.journal import Change
from fakes.core.requests import LoggedRequest
from harness.evidence import STRAYED, End, Seat
from harness.guards import Along, Subject
from harness.task import Task

SHOWN = 3


def nothing_else_changed(task: Task, end: End, facts: Any, refused: Collection[str]) -> None:
    """Asserts that each change is a subject's, comes `along`, or is for a guard that owns the table to
    refuse.

    New and removed rows of an owned table are always its owner's; of rows that were changed there, those
    where the owner did refuse.
    """
    extra = extra_changes(task, end, facts, refused)
    assert not extra, _list([_describe(change) for change in extra])


def extra_changes(task: Task, end: End, facts: Any, refused: Collection[str]) -> list[Change]:
    """The changes that `nothing_else_changed` complains of."""
    return [c for c in end.changes if end.judged(c.table) and not _is_allowed(task, end, facts, refused, c)]


def _is_allowed(task: Task, end: End, facts: Any, refused: Collection[str], change: Change) -> bool:
    left = _columns_beyond_subjects(task, end, facts, change)
    if left is not None and not left:
        return True
    if _is_owned(task, change, refused):
        return True
    along = task.along.get(change.table)
    return along is not None and comes_along(along, end, facts, change, left)


def _columns_beyond_subjects(task: Task, end: End, facts: Any, change: Change) -> frozenset[str] | None:
    """The changed columns that belong to no subject; None: the row is no subject at all."""
    left: frozenset[str] | None = None
    for subject in task.subjects_by_argument.values():
        named = _subject_columns(subject, end, facts, change)
        if named is not None:
            left = (change.columns if left is None else left) - named
    return left


def _subject_columns(subject: Subject, end: End, facts: Any, change: Change) -> frozenset[str] | None:
    if change.table != subject.table or change.after is None:
        return None
    is_new = change.before is None
    if is_new != (subject.changed is None) or not subject.where(end.row(change.table, change.after), facts):
        return None
    return change.columns if is_new else frozenset(subject.changed or ())


def _is_owned(task: Task, change: Change, refused: Collection[str]) -> bool:
    owners = [guard for guard in task.guards.values() if change.table in guard.owns]
    if change.before is None or change.after is None:
        return bool(owners)
    return any(guard.name in refused for guard in owners)


def operation(change: Change) -> str:
    """What became of the row: "new", "gone" or "changed"."""
    return "new" if change.before is None else "gone" if change.after is None else "changed"


def comes_along(
    along: Along, end: End, facts: Any, change: Change, left: frozenset[str] | None = None
) -> bool:
    """Whether a change is one that `along` names; `left` are the columns in question (None: all)."""
    if along.operation not in (None, operation(change)):
        return False
    columns = change.columns if left is None else left
    if operation(change) == "changed" and along.columns is not None and not columns <= set(along.columns):
        return False
    return along.where is None or bool(
        along.where(end.row(change.table, change.after or change.before or {}), facts)
    )


def _describe(change: Change) -> str:
    key = ", ".join(map(str, change.key))
    if operation(change) == "changed":
        return f"{change.table} {key} was changed in {', '.join(sorted(change.columns))}"
    return f"{change.table} {key} is {operation(change)}"


def by_the_named_surface(task: Task, end: End) -> None:
    """Asserts that every write to a declared table came from an actor's own lease, with that actor's
    credential, through the declared surface.

    And that no browser opened files of this machine, where tasks and graders may lie.
    """
    wrong = [f"{refusal['path']} was opened" for refusal in end.refusals if refusal["reason"] == STRAYED]
    for change, why in foreign_changes(task, end):
        wrong.append(f"{_describe(change)} {why}")
    assert not wrong, _list(wrong)


def foreign_changes(task: Task, end: End) -> list[tuple[Change, str]]:
    """The changes that `by_the_named_surface` complains of, each with who else made it."""
    written = [change for change in end.changes if change.table in task.written_tables]
    return [(change, why) for change in written for why in _foreign_writers(task, end, change)]


def _foreign_writers(task: Task, end: End, change: Change) -> list[str]:
    found = []
    for number in dict.fromkeys(change.requests):
        request = None if number is None else end.request(number)
        why = "by no request" if request is None else _foreign(task, end, request)
        if why:
            found.append(why)
    return found


def _foreign(task: Task, end: End, request: LoggedRequest) -> str | None:
    seat = next((seat for seat in end.actors.values() if seat.lease == request.lease), None)
    asked = f"by {request.method} {request.path}"
    if seat is None:
        return f"{asked} from no actor's lease, as {request.person or 'nobody known'}"
    if not _is_own(request, seat):
        return f"{asked} as {request.person or 'nobody known'}, from the lease of {seat.person}"
    if request.surface != task.surface:
        return f"{asked} through {request.surface}, not {task.surface}"
    if task.surface == "browser" and (seat.medium != "browser" or request.mode is None):
        return f"{asked}, which no page sent"
    return None


def _is_own(request: LoggedRequest, seat: Seat) -> bool:
    """Whether whoever the credential belongs to is the person of this seat.

    A public link belongs to whom it was mailed; one that names nobody may be anybody's, as may a request
    without any credential: there the lease alone says who it was.
    """
    if request.person is not None:
        return request.person.lower() == seat.person.lower()
    return request.credential is None or request.credential.startswith("link:")


def _list(parts: list[str]) -> str:
    more = f" and {len(parts) - SHOWN} more" if len(parts) > SHOWN else ""
    return "; ".join(parts[:SHOWN]) + more
