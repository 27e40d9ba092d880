"""Ids and secrets: the same for the same world, and never each other."""

from __future__ import annotations

from fakes.core import ids
from fakes.core.ids import HEX, Ids, Secrets


def test_the_same_seed_gives_the_same_ids() -> None:
    assert Ids(1).text("note", 1, prefix="nt_") == Ids(1).text("note", 1, prefix="nt_")
    assert Ids(1).text("note", 1) != Ids(2).text("note", 1)
    assert Ids(1).text("note", 1) != Ids(1).text("note", 2) != Ids(1).text("mail", 2)


def test_ids_take_the_vendors_shape() -> None:
    made = Ids(1).text("mail", 1, length=16, alphabet=HEX)
    assert len(made) == 16 and set(made) <= set(HEX)


def test_ten_thousand_ids_are_distinct() -> None:
    world = Ids(1)
    assert len({world.text("note", n, length=12) for n in range(10_000)}) == 10_000


def test_secrets_need_the_secret() -> None:
    assert Secrets(b"a").token("session", 1) != Secrets(b"b").token("session", 1)
    assert Secrets(b"a").digits("code", 1).isdigit() and len(Secrets(b"a").digits("code", 1)) == 6


def test_a_leases_address_is_loopback_and_not_the_servers() -> None:
    for _ in range(200):
        parts = [int(part) for part in ids.draw_address().split(".")]
        assert parts[0] == 127 and parts[1] >= 1 and 1 <= parts[3] <= 254


def test_comparison_and_digest() -> None:
    assert ids.same("x", "x") and not ids.same("x", "y")
    assert len(ids.digest("x")) == 64
