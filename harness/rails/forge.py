"""Rows written past the product, journaled as a request of an actor: how a play forges what a cheat would."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from fakes.core.requests import RequestRecord, acting
from fakes.core.store import Params, R, Row
from fakes.core.world import World
from harness.steps import Steps


class PlayError(Exception):
    """Something in a play went otherwise than the play expects."""


class Forge:
    """Writes rows as a request that the product never saw, so that guards of content decide."""

    def __init__(self, world: World, steps: Steps, record: RequestRecord) -> None:
        self._world, self._steps, self._record = world, steps, record

    def sent(self, **changes: Any) -> Forge:
        """The same, with other traits of the request: `route=`, `credential=`, `person=`, `surface=` …"""
        return Forge(self._world, self._steps, replace(self._record, **changes))

    def _record_now(self) -> RequestRecord:
        if self._steps.honest:
            raise PlayError("an honest play goes through the product; only cheats forge rows")
        self._steps.use()
        return replace(self._record)

    def insert(self, row: R) -> R:
        """Adds a row."""
        with acting(self._record_now()) as record, self._world.tx() as tx:
            row = tx.insert(row)
        self._world.finish(record)
        return row

    def update(self, row: R, **columns: Any) -> R:
        """Sets columns of a row; returns it as it is then."""
        with acting(self._record_now()) as record, self._world.tx() as tx:
            row = tx.update(row, **columns)
        self._world.finish(record)
        return row

    def delete(self, row: Row) -> None:
        """Removes a row."""
        with acting(self._record_now()) as record, self._world.tx() as tx:
            tx.delete(row)
        self._world.finish(record)

    def all(self, row: type[R], tail: str = "", params: Params = ()) -> list[R]:
        """Rows as they are stored; `tail` is what follows FROM."""
        return self._world.all(row, tail, params)

    def one(self, row: type[R], tail: str = "", params: Params = ()) -> R:
        """The first row that `tail` finds. Raises PlayError when there is none."""
        found = self._world.one(row, tail, params)
        if found is None:
            raise PlayError(f"There is no {row.__table__.name} {tail} {tuple(params)!r} to forge from.")
        return found

    def get(self, row: type[R], *key: Any) -> R | None:
        """The row with this key, or None."""
        return self._world.get(row, *key)
