"""Resumable uploads, as Google's APIs take them: a session is begun, then bytes come in order, in as many
requests as it takes, and the last one gets what the method answers
(developers.google.com/workspace/drive/api/guides/manage-uploads#resumable).

A session is a row, with its bytes so far: a fork takes it along, a restart loses nothing. It belongs to who
began it and lasts a week of the run clock. What an API makes of the bytes is its own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fakes.core.google.errors import BadRequest, NotFound
from fakes.core.ids import BASE62
from fakes.core.store import Row

if TYPE_CHECKING:
    from fakes.core.people import Person
    from fakes.core.world import World

LASTS = 7 * 24 * 3_600_000
UNIT = 256 * 1024
"""Bytes of which all requests but the last send a multiple; what is beyond that is not kept."""
_RANGE = re.compile(r"bytes\s+(?:(\d{1,18})-(\d{1,18})|\*)/(\d{1,18}|\*)", re.IGNORECASE)


class UploadSession(Row, table="uploads", key="id", journaled=False, judged=False, hashed=False):
    """An upload under way: `method` is the API's, `owner` whose things it is for, `resource` the JSON that
    came first. `total` and `answer` are None until they are known.
    """

    id: str
    service: str
    method: str
    person_id: str
    owner: str
    resource: bytes
    media_type: str
    total: int | None
    received: int
    expires_at: int
    answer: str | None


class UploadPiece(
    Row, table="upload_pieces", key=("upload", "at"), journaled=False, judged=False, hashed=False
):
    """Bytes of an upload, from the offset `at` on."""

    upload: str
    at: int
    content: bytes


TABLES: tuple[type[Row], ...] = (UploadSession, UploadPiece)


@dataclass(frozen=True)
class Uploaded:
    """An upload that is complete: the JSON that came first, what it was said to be, its bytes."""

    resource: bytes
    media_type: str
    content: bytes


@dataclass(frozen=True)
class Range:
    """What a Content-Range header says: where the bytes begin and end (None: a question), how many in all."""

    first: int | None
    last: int | None
    total: int | None


def content_range(header: str) -> Range:
    """A Content-Range header. Raises BadRequest."""
    found = _RANGE.fullmatch(header.strip())
    if found is None or (found[1] and int(found[1]) > int(found[2])):
        raise BadRequest("Failed to parse Content-Range header.")
    total = None if found[3] == "*" else int(found[3])
    if not found[1]:
        return Range(None, None, total)
    return Range(int(found[1]), int(found[2]), total)


def begin(
    world: World, person: Person, *, service: str, method: str, owner: str, resource: bytes, media_type: str,
    total: int | None,
) -> UploadSession:  # fmt: skip
    """Begins a session for bytes that are still to come."""
    with world.tx() as tx:
        upload_id = world.ids.text("upload", tx.seq("upload"), prefix="AJRb", length=60, alphabet=BASE62)
        return tx.insert(UploadSession(
            id=upload_id, service=service, method=method, person_id=person.id, owner=owner, resource=resource,
            media_type=media_type, total=total, received=0, expires_at=world.now() + LASTS, answer=None,
        ))  # fmt: skip


def session(world: World, person: Person, *, service: str, method: str, upload_id: str) -> UploadSession:
    """The session with this id. Raises NotFound for another's, another method's, and one that is over."""
    found = world.get(UploadSession, upload_id)
    mine = found is not None and (found.service, found.method, found.person_id) == (
        service, method, person.id,
    )  # fmt: skip
    if found is None or not mine or found.expires_at <= world.now():
        raise NotFound()
    return found


def take(world: World, found: UploadSession, given: Range, content: bytes) -> UploadSession:
    """Keeps the bytes of one request; those that came before are passed over.

    Raises BadRequest where the range and the bytes do not fit each other, or what was said before.
    """
    total = _total(found, given)
    if given.first is None or given.last is None:
        return _noted(world, found, total, found.received, b"")
    if len(content) != given.last - given.first + 1:
        raise BadRequest(
            f"Invalid request.  There were {len(content)} byte(s) in the request body.  There should have "
            f"been {given.last - given.first + 1} byte(s) (starting at offset {given.first} and ending at "
            f"offset {given.last}) according to the Content-Range header."
        )
    if given.first > found.received:
        raise BadRequest(
            "Invalid request.  According to the Content-Range header, the upload offset is "
            f"{given.first} byte(s), which exceeds already uploaded size of {found.received} byte(s)."
        )
    fresh = content[found.received - given.first :]
    if total is None or given.last + 1 < total:
        fresh = fresh[: len(fresh) // UNIT * UNIT]
    return _noted(world, found, total, found.received + len(fresh), fresh)


def _total(found: UploadSession, given: Range) -> int | None:
    total = found.total if given.total is None else given.total
    is_beyond = given.last is not None and total is not None and given.last >= total
    if is_beyond or found.total not in (None, total):
        raise BadRequest("Invalid request.  The total size in the Content-Range header does not fit.")
    return total


def _noted(
    world: World, found: UploadSession, total: int | None, received: int, fresh: bytes
) -> UploadSession:
    if (total, received) == (found.total, found.received):
        return found
    with world.tx() as tx:
        if fresh:
            tx.insert(UploadPiece(upload=found.id, at=found.received, content=fresh))
        return tx.update(found, total=total, received=received)


def is_complete(found: UploadSession) -> bool:
    """Whether all bytes are there."""
    return found.total is not None and found.received >= found.total


def uploaded(world: World, found: UploadSession) -> Uploaded:
    """What was uploaded."""
    pieces = world.all(UploadPiece, "WHERE upload = ? ORDER BY at", (found.id,))
    return Uploaded(found.resource, found.media_type, b"".join(piece.content for piece in pieces))


def finish(world: World, found: UploadSession, answer: str) -> None:
    """Keeps what the method answered, for who asks again, and lets the bytes go."""
    with world.tx() as tx:
        tx.update(found, answer=answer)
        tx.execute("DELETE FROM upload_pieces WHERE upload = ?", (found.id,))


def cancel(world: World, found: UploadSession) -> None:
    """Ends a session."""
    with world.tx() as tx:
        tx.execute("DELETE FROM upload_pieces WHERE upload = ?", (found.id,))
        tx.delete(found)
