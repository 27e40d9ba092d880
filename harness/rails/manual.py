"""The `manual` rail: a person does the task in a browser that the harness opened, and presses Done beside it.

The browser is the lease's, signed in as the task's actor. The page with the task, Done and Give up is another
window's: it opens by a one-time link, and no lease reaches it.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from harness.attempt import Attempt
from harness.driven import Driven
from harness.driver import Driver
from harness.inputs import lay_out
from harness.rails.browser import BrowserActor
from harness.rails.transcript import NAME, Transcript

if TYPE_CHECKING:
    from harness.portal.assignment import Assignment


class NotDone(Exception):
    """A person did not do the task; the sentence says how that came."""


def _say(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


def by_person(driver: Driver, say: Callable[[str], None] = _say) -> Callable[[Driven], Awaitable[None]]:
    """Lets a person act, for `timeout` seconds at most; `say` tells them where to look.

    Nobody can do a task of another surface by hand, nor a code task: such an attempt is not run, and neither
    is one that nobody started.
    """

    async def drive(attempt: Driven) -> None:
        if not isinstance(attempt, Attempt) or attempt.rail != "browser":
            error = NotDone("It is no task for a browser, and that is where a person works.")
            attempt.fail(error, "not-run", str(error))
            return
        transcript = Transcript()
        async with _handed_out(attempt, driver.timeout, transcript, say) as assignment:
            await attempt.drive(assignment.finished, driver.timeout)
        _conclude(attempt, assignment, driver.timeout)
        transcript.add("exit", attempt.error or attempt.ended)
        attempt.keep(NAME, transcript.content())

    return drive


def _conclude(attempt: Attempt, assignment: Assignment, seconds: float) -> None:
    """How it ended, where that was not by Done."""
    if assignment.given_up:
        attempt.fail(NotDone(assignment.given_up), "error", assignment.given_up)
    elif attempt.ended == "time-out" and not assignment.started.is_set():
        said = f"nobody started it within {seconds:g} seconds"
        attempt.fail(NotDone(said), "not-run", said)


@asynccontextmanager
async def _handed_out(
    attempt: Attempt, seconds: float, transcript: Transcript, say: Callable[[str], None]
) -> AsyncIterator[Assignment]:
    """The task's page is open as long as the context lasts, and the windows too, if there are some."""
    from harness.portal.assignment import Assignment, Part, assignment_app

    actors = [actor for actor in attempt.actors.values() if isinstance(actor, BrowserActor)]
    windows = actors[0].screen.windows
    parts = [Part(a.name, a.person, a.url("/"), "" if windows else _proxy(a)) for a in actors]
    inputs = {name: actors[0].input(name) for name in actors[0].inputs}
    text = attempt.task.text(attempt.base.facts)
    transcript.add("told", text)
    assignment = Assignment(
        attempt.task, text, attempt.world, parts, inputs, seconds, lambda said: transcript.add("person", said)
    )
    server, before = attempt.server, attempt.server.gateway.portal
    server.show(lambda _: assignment_app(server, assignment))
    link = server.door.link(server.url)
    say(f"task {attempt.task.name}: {text}")
    try:
        if windows:
            async with _windows(actors, link, assignment):
                say("It is in a window of its own; press Start there, and Done when you are through.")
                yield assignment
        else:
            _direct(actors, link, say)
            yield assignment
    finally:
        server.gateway.portal = before


def _proxy(actor: BrowserActor) -> str:
    return f"http://{actor.place.lease.address}:{actor.place.port}"


def _direct(actors: Sequence[BrowserActor], link: str, say: Callable[[str], None]) -> None:
    """Where there is no display: says how to get at the task's page, and at the browsers."""
    say(f"page {link}")
    devtools = actors[0].screen.devtools
    if devtools:
        say(f"devtools {devtools} (a Chromium without a window, signed in)")
    for actor in actors:
        say(f"proxy {_proxy(actor)} (or a browser of your own, as {actor.person.name}: the page says how)")


@asynccontextmanager
async def _windows(actors: Sequence[BrowserActor], link: str, assignment: Assignment) -> AsyncIterator[None]:
    """The task's page in a window beside those of the actors, which show the product once it was started.

    Whoever closes the task's window gives up.
    """
    browser = actors[0].context.browser
    assert browser is not None
    with TemporaryDirectory(prefix="paracosm-inputs-") as folder:  # a window of ours keeps no downloads
        assignment.laid_out = lay_out(assignment.inputs, Path(folder))
        context = await browser.new_context(no_viewport=True)
        page = await context.new_page()
        page.on("close", lambda _: assignment.abandon("the task's window was closed"))
        await page.goto(link)
        await page.bring_to_front()
        going = asyncio.create_task(_go_when_started(actors, assignment))
        try:
            yield
        finally:
            assignment.is_over = True  # that we close the window is no giving up
            going.cancel()
            await asyncio.gather(going, return_exceptions=True)
            await context.close()


async def _go_when_started(actors: Sequence[BrowserActor], assignment: Assignment) -> None:
    await assignment.started.wait()
    for actor in actors:
        await actor.goto("/", raises=False)
        await actor.page.bring_to_front()
