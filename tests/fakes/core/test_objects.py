"""Stored objects: sizes and digests are read off the bytes, names are safe."""

from __future__ import annotations

import hashlib

import pytest

from fakes.core.objects import StoredObject, open_slot, put_bytes, safe_name
from fakes.core.world import World


def test_bytes_arrive_with_size_and_digest(world: World) -> None:
    with world.tx() as tx:
        slot = open_slot(tx, service="toy", name="a.txt", media_type="text/plain", owner=None, now=1)
        assert (slot.byte_size, slot.content) == (None, None)
        put_bytes(tx, slot, b"hello", now=2)
    stored = world.get(StoredObject, slot.id)
    assert stored is not None and stored.content == b"hello" and stored.byte_size == 5
    assert stored.sha256 == hashlib.sha256(b"hello").hexdigest()


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("../../etc/passwd", "passwd"),
        ("C:\\temp\\q3.pdf", "q3.pdf"),
        ("...", "unnamed"),
        ("", "unnamed"),
        ("a\x00b\nc.txt", "a_b_c.txt"),
        ("résumé (1).txt", "résumé (1).txt"),
        ("x" * 300, "x" * 120),
    ],
)
def test_names_are_made_safe(given: str, kept: str) -> None:
    assert safe_name(given) == kept
