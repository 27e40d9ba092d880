"""The steps of a play: named stretches that are left out or done twice, to see if the grader notices."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field


class StepDropped(Exception):
    """Ends a step that is being left out, at the first thing that it does."""

    def __init__(self, step: str) -> None:
        super().__init__(f"step {step!r} is being left out")
        self.step = step


@dataclass(frozen=True)
class StepDone:
    """A step that was gone through, with the numbers of the first and last request of the world meanwhile."""

    name: str
    actor: str
    after: int
    until: int


@dataclass
class Steps:
    """The steps of one attempt as they are taken; `drop` and `twice` name one to leave out or repeat.

    In an `honest` attempt nothing may be forged. `on_drop` is called once a step was left out.
    """

    drop: str | None = None
    twice: str | None = None
    honest: bool = False
    done: list[StepDone] = field(default_factory=list)
    dropped: bool = False
    repeated: int = 0
    on_drop: Callable[[], None] = lambda: None
    _open: list[str] = field(default_factory=list)
    _seen: dict[str, int] = field(default_factory=dict)

    def use(self) -> None:
        """An actor is about to do something. Raises StepDropped inside a step that is being left out."""
        if self.drop is not None and self.drop in self._open:
            self.dropped = True
            raise StepDropped(self.drop)

    @asynccontextmanager
    async def go(
        self,
        name: str,
        actor: str,
        newest: Callable[[], Awaitable[int]],
        again: Callable[[int, int], Awaitable[int]],
    ) -> AsyncIterator[None]:
        """One step.

        `newest` tells the newest request's number, `again` sends the writes after it once more.
        """
        self._seen[name] = self._seen.get(name, 0) + 1
        label = name if self._seen[name] == 1 else f"{name} {self._seen[name]}"
        after = await newest()
        self._open.append(label)
        try:
            yield
        except StepDropped as dropped:
            if dropped.step != label:
                raise
            self.on_drop()
        finally:
            self._open.remove(label)
        until = await newest()
        self.done.append(StepDone(label, actor, after, until))
        if self.twice == label:
            self.repeated = await again(after, until)
