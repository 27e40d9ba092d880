"""Stored objects: the bytes behind uploads and attachments, with their size and digest."""

from __future__ import annotations

import hashlib
import re

from fakes.core.journal import Tx
from fakes.core.store import Row

_UNSAFE = re.compile(r"[^\w.,()\[\] +@=-]+")


class StoredObject(Row, table="storage", key="id", indexes=("service, name",)):
    """Bytes kept for a service. Before the bytes have arrived `content`, `byte_size` and `sha256` are None.
    """

    id: str
    seq: int
    service: str
    name: str
    media_type: str
    owner: str | None
    byte_size: int | None
    sha256: str | None
    content: bytes | None
    created_at: int
    stored_at: int | None


def safe_name(name: str) -> str:
    """A file name without folders, control characters or a leading dot; at most 120 characters."""
    bare = name.replace("\\", "/").rsplit("/", 1)[-1]
    clean = _UNSAFE.sub("_", bare).strip(" .")[:120]
    return clean or "unnamed"


def open_slot(
    tx: Tx, *, service: str, name: str, media_type: str, owner: str | None, now: int
) -> StoredObject:
    """A place for bytes that are still to come."""
    seq = tx.seq("object")
    slot = StoredObject(
        id=tx.new_id("object", prefix="obj_", length=20), seq=seq, service=service, name=safe_name(name),
        media_type=media_type, owner=owner, byte_size=None, sha256=None, content=None,
        created_at=now, stored_at=None,
    )  # fmt: skip
    return tx.insert(slot)


def put_bytes(tx: Tx, slot: StoredObject, content: bytes, now: int) -> StoredObject:
    """Stores the bytes of a slot with their size and SHA-256 (hex)."""
    digest = hashlib.sha256(content).hexdigest()
    return tx.update(slot, content=content, byte_size=len(content), sha256=digest, stored_at=now)
