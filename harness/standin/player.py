"""A person as a stand-in plays them: what plays ask of an actor, over nothing but a command's variables."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, NoReturn

import httpx

from fakes.core.people import Person
from harness.chromium import find_chromium, launch_args
from harness.rails.actor import is_address
from harness.rails.environ import variable
from harness.rails.forge import PlayError
from harness.rails.mcp import Told, ToolClient
from harness.rails.verbs import Verbs, is_expected
from harness.standin.stage import Stage, say

if TYPE_CHECKING:
    from playwright.async_api import FilePayload, Page, Playwright

SECONDS = 30.0  # that a page or an answer may take: its browser is new, and the machine may be busy


class Client(Verbs):
    """One service by program. An error status raises PlayError, unless it is one of those in `expect`."""

    def __init__(self, player: Player, service: str) -> None:
        name = variable(service)
        self._base = player.variable(f"{name}_BASE_URL")
        token = player.stage.of_actor(player.name, f"{name}_TOKEN")
        self._headers = {"authorization": f"Bearer {token}"} if token else {}
        self._http, self._name = player.http, player.name

    async def request(
        self, method: str, path: str, *, expect: int | Iterable[int] | None = None,
        headers: dict[str, str] | None = None, **content: Any,
    ) -> httpx.Response:  # fmt: skip
        """Sends a request; `json=`, `params=` … as in httpx."""
        url = path if path.startswith("http://") else f"{self._base}/{path.lstrip('/')}"
        sent = {**self._headers, **{name.lower(): value for name, value in (headers or {}).items()}}
        answer = await self._http.request(method, url, headers=sent, **content)
        say("tool", f"{self._name}: {method} {path}")
        say("result", f"{answer.status_code} {answer.text[:200]}")
        if not is_expected(answer, expect):
            raise PlayError(f"{self._name}: {method} {path} was answered {answer.status_code}.")
        return answer


class Player:
    """An actor without a world behind it: `forge` is not to be had."""

    def __init__(self, stage: Stage, name: str, person: Person, product: str) -> None:
        self.stage, self.name, self.person, self.product = stage, name, person, product
        self.http = httpx.AsyncClient(timeout=SECONDS, trust_env=False, verify=False)  # it is all plain http
        client = Client(self, product)
        self.request, self.get, self.post = client.request, client.get, client.post
        self.put, self.patch, self.delete = client.put, client.patch, client.delete
        self._page: Page | None = None

    def variable(self, name: str) -> str:
        """What the rail gave this actor by that name. Raises PlayError."""
        found = self.stage.of_actor(self.name, name)
        if found is None:
            raise PlayError(f"{self.name} was given no {name}.")
        return found

    def api(self, service: str) -> Client:
        """Another service by program."""
        return Client(self, service)

    def toolset(self, service: str) -> ToolClient:
        """A service's tools."""
        name = variable(service)
        token = self.stage.of_actor(self.name, f"{name}_TOKEN")
        return ToolClient(self.http, self.variable(f"{name}_MCP_URL"), token, self.name)

    async def tools(self) -> Sequence[Mapping[str, Any]]:
        """What the product's tools are."""
        say("tool", f"{self.name}: tools/list")
        return await self.toolset(self.product).tools()

    async def call(self, tool: str, /, *, may_be_refused: bool = False, **arguments: Any) -> Told:
        """Calls one of them. Raises PlayError where it refuses, unless it may."""
        told = await self.toolset(self.product).call(tool, arguments)
        say("tool", f"{self.name}: {tool}")
        say("result", told.text[:200])
        if told.refused and not may_be_refused:
            raise PlayError(f"{self.name}: {tool} refused: {told.text[:300]}")
        return told

    @property
    def forge(self) -> NoReturn:
        """No command can write rows past the product."""
        raise PlayError(f"{self.name} can't forge rows from outside.")

    @asynccontextmanager
    async def step(self, name: str) -> AsyncIterator[None]:
        """A stretch of the play, told by its name."""
        say("said", f"{self.name}: {name}")
        yield

    def input(self, name: str) -> bytes:
        """A file of the task, from the workspace."""
        return (self.stage.workspace / name).read_bytes()

    def upload(self, name: str, media_type: str = "text/plain") -> FilePayload:
        """The same as Playwright's `set_input_files` takes it."""
        return {"name": name, "mimeType": media_type, "buffer": self.input(name)}

    # in a browser

    @property
    def has_page(self) -> bool:
        """Whether it sits at a browser."""
        return self._page is not None

    @property
    def page(self) -> Page:
        """The page; only in browser tasks. Raises PlayError."""
        if self._page is None:
            raise PlayError(f"{self.name} has no page here.")
        return self._page

    def url(self, path: str, service: str | None = None) -> str:
        """The address of a page."""
        pages = self.variable(f"{variable(service or self.product)}_PAGES")
        return path if is_address(path) else pages + path

    async def goto(self, path: str, service: str | None = None) -> Page:
        """Opens a page. Raises PlayError when it is answered with an error status."""
        answer = await self.page.goto(self.url(path, service))
        if answer is not None and answer.status >= 400:
            raise PlayError(f"{self.name}: the page {path} was answered {answer.status}.")
        return self.page

    async def open_browser(self, playwright: Playwright) -> None:
        """Starts a Chromium of its own behind the lease's proxy, signed in by the file of cookies."""
        proxy = self.variable("PARACOSM_PROXY")
        browser = await playwright.chromium.launch(
            executable_path=find_chromium(), args=launch_args(), proxy={"server": proxy}
        )
        context = await browser.new_context(
            storage_state=self.variable("PARACOSM_STORAGE"), base_url=self.url(""),
            timezone_id=self.person.zone, locale="en-US",
        )  # fmt: skip
        context.set_default_timeout(SECONDS * 1000)
        self._page = await context.new_page()
        self._page.on("framenavigated", lambda frame: say("tool", f"{self.name}: opens {frame.url}"))
