"""A task in the hands of a person: one page that says what is asked for, and takes it as done or given up.

It is all that this portal has: whoever does the task sees neither the world's changes nor its clock's keys.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from fakes.core.people import Person, password
from fakes.core.ui import kit_routes
from fakes.core.world import World
from harness.app import Server
from harness.fields import BadInput
from harness.portal.answer_form import fields_of, values_of
from harness.portal.app import behind_the_door, handlers
from harness.portal.forms import Form, form_of
from harness.portal.page import page, pages
from harness.portal.panels import phone_of
from harness.portal.snippets import chromium_flags
from harness.task import Task


@dataclass(frozen=True)
class Part:
    """Whom a person is in the task: a name of the task's, somebody of the world, and where their browser is.

    `proxy` is the lease's address for a browser of one's own, "" where windows are open already.
    """

    actor: str
    person: Person
    start: str
    proxy: str = ""

    @property
    def flags(self) -> str:
        """The flags of a Chromium that goes by the lease."""
        return chromium_flags(self.proxy)


class Assignment:
    """The page's state: whether it was started, and how it ended. It ends once.

    `laid_out` are the inputs as files on this machine, where windows of ours keep no downloads.
    """

    def __init__(
        self, task: Task, text: str, world: World, parts: Sequence[Part], inputs: dict[str, bytes],
        seconds: float, note: Callable[[str], None],
    ) -> None:  # fmt: skip
        self.task, self.text, self.world, self.parts, self.inputs = task, text, world, parts, inputs
        self.started, self.given_up = asyncio.Event(), ""
        self.laid_out: list[Path] = []
        self._note = note
        self._loop = asyncio.get_running_loop()
        self._until = self._loop.time() + seconds
        self._answer: asyncio.Future[Any] = self._loop.create_future()
        self.is_over = False

    @property
    def time_left(self) -> str:
        """How long until it ends by itself, in words."""
        minutes = round((self._until - self._loop.time()) / 60)
        return f"{minutes} minutes" if minutes > 1 else "a minute" if minutes == 1 else "less than a minute"

    def start(self) -> None:
        """Somebody begins."""
        if not self.started.is_set():
            self._note("started")
            self.started.set()

    def hand_in(self, answer: Any) -> BackgroundTask:
        """Done; what it returns ends the attempt, once the page that says so was sent."""
        self.is_over = True
        self._note("done")
        return BackgroundTask(self._end, answer)

    def give_up(self, why: str) -> BackgroundTask:
        """Given up; as `hand_in`."""
        self.is_over, self.given_up = True, f"given up: {why}" if why else "given up"
        self._note(self.given_up)
        return BackgroundTask(self._end, None)

    def abandon(self, why: str) -> None:
        """Given up in another way than on the page."""
        if not self.is_over:
            self.give_up(why)
            self._end_with(None)

    async def _end(self, answer: Any) -> None:
        self._end_with(answer)

    def _end_with(self, answer: Any) -> None:
        if not self._answer.done():
            self._answer.set_result(answer)

    async def finished(self) -> Any:
        """Waits until it is done or given up; returns the answer."""
        return await self._answer


def assignment_app(server: Server, assignment: Assignment) -> ASGIApp:
    """The page behind the door of a server."""
    routes = [
        Route("/", _show),
        Route("/open", _already_open),
        Route("/start", _start, methods=["POST"]),
        Route("/done", _done, methods=["POST"]),
        Route("/give-up", _give_up, methods=["POST"]),
        Route("/inputs/{name:path}", _input),
        pages.static(),
        *kit_routes(),
    ]
    app = Starlette(routes=routes, exception_handlers=handlers())
    app.state.assignment = assignment
    return behind_the_door(server, app)


def _assignment(request: Request) -> Assignment:
    found: Assignment = request.app.state.assignment
    return found


def _shown(
    request: Request, sent: Form | None = None, errors: dict[str, str] | None = None,
    then: BackgroundTask | None = None,
) -> Response:  # fmt: skip
    assignment = _assignment(request)
    task, world = assignment.task, assignment.world
    keys = [
        (part, password(world, part.person.email), phone_of(world, part.person.email))
        for part in assignment.parts
        if part.proxy
    ]
    answer = page(
        request, "assignment.html", 400 if errors else 200, assignment=assignment, task=task, keys=keys,
        fields=fields_of(task.answer) if task.answer else [], about=_about(task), sent=sent or {},
        errors=errors or {},
    )  # fmt: skip
    answer.background = then
    return answer


def _about(task: Task) -> str:
    """What the answer is, as its form says it."""
    return " ".join((task.answer.__doc__ or "").split()) if task.answer else ""


async def _show(request: Request) -> Response:
    return _shown(request)


async def _already_open(request: Request) -> Response:
    return RedirectResponse("/", 303)


async def _start(request: Request) -> Response:
    await form_of(request)
    _assignment(request).start()
    return RedirectResponse("/", 303)


async def _done(request: Request) -> Response:
    sent, assignment = await form_of(request), _under_way(request)
    if assignment.task.answer is None:
        return _shown(request, then=assignment.hand_in(None))
    values, errors = values_of(assignment.task.answer, sent)
    if errors:
        return _shown(request, sent, errors)
    return _shown(request, then=assignment.hand_in(values))


async def _give_up(request: Request) -> Response:
    sent = await form_of(request)
    return _shown(request, then=_under_way(request).give_up(sent.text("why")[:300]))


def _under_way(request: Request) -> Assignment:
    """The assignment, if it is under way. Raises BadInput."""
    assignment = _assignment(request)
    if assignment.is_over:
        raise BadInput("The task is over already.")
    if not assignment.started.is_set():
        raise BadInput("The task was not started yet.")
    return assignment


async def _input(request: Request) -> Response:
    """A file that comes with the task, to be kept rather than opened."""
    name = request.path_params["name"]
    content = _assignment(request).inputs.get(name)
    if content is None:
        raise HTTPException(404)
    disposition = f"attachment; filename*=UTF-8''{quote(Path(name).name)}"
    headers = {"Content-Disposition": disposition, "X-Content-Type-Options": "nosniff"}
    return Response(content, media_type="application/octet-stream", headers=headers)
