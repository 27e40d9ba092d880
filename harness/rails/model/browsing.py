"""The tools of a task that is done in a browser: the page as text with a ref at each element, and hands.

Everything that changes something answers with the page as it is then, once what it set off has come to rest.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

import pydantic

from harness.attempt import Attempt
from harness.rails.actor import is_address
from harness.rails.browser import BrowserActor
from harness.rails.model.sight import Window
from harness.rails.model.tools import Form, Tool, ToolFailed, tool
from harness.rails.model.turns import Outcome

if TYPE_CHECKING:
    from playwright.async_api import Locator

PATIENCE = 5_000  # ms that an element may take
_REF = re.compile(r"[a-z0-9]{1,24}")


class Seat(Form):
    """Whose browser."""

    actor: str = ""


class Goto(Seat):
    """Where to."""

    path: str = pydantic.Field(description="A path of the service, such as /inbox, or a whole address.")
    service: str = ""


class At(Seat):
    """An element."""

    ref: str = pydantic.Field(description="The element's ref in the newest snapshot, such as e12.")


class Type(At):
    """What to type where."""

    text: str = pydantic.Field(description="What the field holds then; what it held before is gone.")
    submit: bool = pydantic.Field(default=False, description="Press Enter afterwards.")


class Select(At):
    """What to choose where."""

    values: list[str] = pydantic.Field(min_length=1, description="Options, by their text or value.")


class Press(Seat):
    """A key."""

    key: str = pydantic.Field(description="A key or a combination: Enter, Escape, Control+A.")
    ref: str = pydantic.Field(default="", description="Which element gets it; else the one in focus.")


class Upload(At):
    """A file for a field."""

    name: str = pydantic.Field(description="The name of one of the task's inputs.")


class Browsers:
    """The tools of browsers, one for each actor. `keep` takes screenshots."""

    def __init__(self, attempt: Attempt, keep: Callable[[bytes], str]) -> None:
        self._attempt, self._keep = attempt, keep
        actors = {n: actor for n, actor in attempt.actors.items() if isinstance(actor, BrowserActor)}
        self._windows = {name: Window(actor) for name, actor in actors.items()}

    def tools(self) -> Sequence[Tool]:
        """All of them; their arguments name services and actors of this attempt."""
        product = self._attempt.task.env.product
        who = {"actor": list(self._windows)}
        where = {**who, "service": list(self._attempt.world.services)}
        made = [
            tool("browser_snapshot", "Read the page: elements with their refs.", Seat, self._look, who),
            tool("browser_goto", f"Open a page; without a service, {product}'s.", Goto, self._goto, where),
            tool("browser_click", "Click an element.", At, self._click, who),
            tool("browser_type", "Fill a text field.", Type, self._type, who),
            tool("browser_select", "Choose in a list.", Select, self._select, who),
            tool("browser_press", "Press a key.", Press, self._press, who),
            tool("browser_screenshot", "See the page as a picture.", Seat, self._shoot, who),
        ]
        if self._attempt.task.inputs:
            says = "Give a file field one of the task's inputs."
            made.append(tool("browser_upload", says, Upload, self._upload, who))
        return made

    def _window(self, given: Seat) -> Window:
        found = self._windows.get(given.actor or next(iter(self._windows)))
        if found is None:
            raise ToolFailed(f"There is no actor {given.actor!r}; there are {', '.join(self._windows)}.")
        return found

    async def _look(self, given: Seat) -> Outcome:
        return Outcome(await self._window(given).read())

    async def _goto(self, given: Goto) -> Outcome:
        services = self._attempt.world.services
        if given.service and given.service not in services:
            raise ToolFailed(f"There is no service {given.service!r}; there are {', '.join(services)}.")
        window = self._window(given)
        path = given.path if is_address(given.path) else f"/{given.path.lstrip('/')}"
        url = window.actor.url(path, given.service or None)
        return await self._do(window, lambda: window.page.goto(url, timeout=2 * PATIENCE))

    async def _click(self, given: At) -> Outcome:
        window = self._window(given)
        return await self._do(window, lambda: _at(window, given.ref).click(timeout=PATIENCE))

    async def _type(self, given: Type) -> Outcome:
        window = self._window(given)
        field = _at(window, given.ref)
        if given.submit:
            await _tried(field.fill(given.text, timeout=PATIENCE))
            return await self._do(window, lambda: field.press("Enter", timeout=PATIENCE))
        await _tried(field.fill(given.text, timeout=PATIENCE))
        return Outcome("It is filled in.")

    async def _select(self, given: Select) -> Outcome:
        window = self._window(given)
        return await self._do(
            window, lambda: _at(window, given.ref).select_option(given.values, timeout=PATIENCE)
        )

    async def _press(self, given: Press) -> Outcome:
        window = self._window(given)
        if given.ref:
            return await self._do(window, lambda: _at(window, given.ref).press(given.key, timeout=PATIENCE))
        return await self._do(window, lambda: window.page.keyboard.press(given.key))

    async def _upload(self, given: Upload) -> Outcome:
        window = self._window(given)
        if given.name not in window.actor.inputs:
            raise ToolFailed(
                f"The task gives no file {given.name!r}; it gives {', '.join(window.actor.inputs)}."
            )
        return await self._do(window, lambda: _send_in(window, given))

    async def _shoot(self, given: Seat) -> Outcome:
        window = self._window(given)
        image = await _tried(window.page.screenshot(timeout=2 * PATIENCE))
        return Outcome(f"The page {window.page.url}, kept as {self._keep(image)}.", image=image)

    async def _do(self, window: Window, act: Callable[[], Awaitable[object]]) -> Outcome:
        """Acts, waits until the page is at rest, and reads it."""
        await _tried(act())
        await window.rest()
        await self._attempt.settle()
        return Outcome(await window.read())


def _at(window: Window, ref: str) -> Locator:
    if not _REF.fullmatch(ref):
        raise ToolFailed(f"{ref!r} is no ref: take one from the snapshot, such as e12.")
    return window.page.locator(f"aria-ref={ref}")


async def _send_in(window: Window, given: Upload) -> None:
    """A file field takes it; anything else is a button that opens a chooser."""
    field, file = _at(window, given.ref), window.actor.upload(given.name)
    if await field.evaluate("element => element.matches('input[type=file]')", timeout=PATIENCE):
        await field.set_input_files(file, timeout=PATIENCE)
        return
    async with window.page.expect_file_chooser(timeout=PATIENCE) as opened:
        await field.click(timeout=PATIENCE)
    await (await opened.value).set_files(file)


R = TypeVar("R")


async def _tried(act: Awaitable[R]) -> R:
    """What came of it. Raises ToolFailed, with what the browser says, where it could not be done."""
    from playwright.async_api import Error, TimeoutError

    try:
        return await act
    except TimeoutError as error:
        said = error.message
        missing = "waiting for locator" in said and "locator resolved" not in said
        why = "there is no such ref on the page any more: take a new snapshot" if missing else _told(said)
        raise ToolFailed(f"It was not done in time; {why}.") from None
    except Error as error:
        raise ToolFailed(f"It could not be done: {_told(error.message)}.") from None


def _told(said: str) -> str:
    """What a browser says, in a few lines."""
    lines = [line.strip(" -") for line in said.splitlines() if line.strip()]
    return " / ".join(lines[:8])[:600].rstrip(".")
