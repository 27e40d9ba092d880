"""A small world with one product of its own, for the kernel's tests."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterator
from datetime import date
from typing import Any

import pytest

from fakes.core.people import Person
from fakes.core.seeding import Seed, build_base
from fakes.core.service import Service
from fakes.core.store import Row
from fakes.core.world import Genesis, World, open_world

from .toy_port import Served, started

AT = 1_761_053_400_000  # 2025-10-21 09:30 in New York


class Note(Row, table="toy_notes", indexes=("owner, seq",)):
    """A note."""

    id: str
    seq: int
    owner: str | None
    text: str | None
    day: date | None
    done: bool | None
    photo: bytes | None


def remember(world: World, payload: dict[str, Any]) -> None:
    """Handles planned work: writes a note, or fails when told to."""
    with world.tx() as tx:
        add_note(tx, world, text=payload.get("text"))
    if payload.get("fail"):
        raise RuntimeError("told to fail")


def add_note(tx: Any, world: World, **values: Any) -> Note:
    """Adds a note with these values, the others empty."""
    row = {"owner": None, "text": None, "day": None, "done": None, "photo": None, **values}
    return tx.insert(Note(id=tx.new_id("note", prefix="nt_"), seq=tx.seq("note"), **row))  # type: ignore[no-any-return]


toy = Service(
    name="toy",
    title="Toy",
    summary="Keeps notes.",
    kind="site",
    tables=(Note,),
    routes=list,
    due={"remember": remember},
)


def seed(w: Seed) -> Person:
    """One person and one note."""
    add_note(w.tx, w.world, text="seeded", day=w.day(-1))
    return w.person("mira@harborlight.example", "Mira Okafor", "Operator")


@pytest.fixture(scope="session")
def base() -> bytes:
    return build_base({"toy": toy}, Genesis(seed=1, secret=b"s" * 32, at_ms=AT), seed).image


@pytest.fixture
def world(base: bytes) -> Iterator[World]:
    opened = open_world("main", {"toy": toy}, image=base)
    yield opened
    opened.close()


@pytest.fixture
def nothing_logged(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Neither the server nor the loop may complain."""
    caplog.set_level(logging.WARNING)
    yield
    assert [r.getMessage() for r in caplog.get_records("call")] == []


@pytest.fixture
async def served() -> AsyncIterator[Served]:
    async with started() as served:
        yield served
