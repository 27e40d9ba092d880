"""The pump: sends what leaves the worlds of a server to real receivers, one task for all worlds.

Each attempt is claim, send, record (`delivering`). Lanes go on side by side, a few to one receiver, so a
receiver that hangs holds up nothing but what is its own. What `callbacks` does not allow is kept, with the
sentence that says so. No redirect is followed, no proxy of the environment is used, and an answer is read up
to a limit in bytes and in time.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from fakes.core import callbacks, delivering
from fakes.core.callbacks import NotReachable, Receiver
from fakes.core.clock import wall_ms
from fakes.core.delivering import DELAYS, Begun, Head, Outcome
from fakes.core.outbox import NotSendable, Post
from fakes.core.world import Subscription, World
from fakes.core.worlds import Worlds

if TYPE_CHECKING:
    import httpx

log = logging.getLogger("paracosm")
PATIENCE = 10.0  # seconds for an attempt, from dialling to the end of the answer
ANSWER = 2048  # bytes of an answer that are kept; more is not read
AT_ONCE = 32  # attempts under way
TO_ONE = 4  # of them to one receiver
AGENT = "Paracosm"
GLANCE = 5.0  # seconds until the pump looks again, if nothing wakes it


class _Bell(Subscription):
    """Wakes the pump when something was put into a world's outbox, or its pump was turned."""

    def __init__(self, world: World, ring: Callable[[], None]) -> None:
        super().__init__(world)
        self._ring = ring

    def put(self, tables: frozenset[str]) -> None:
        """Called with each commit's tables."""
        if tables & {"outbox", "deliveries", "world"}:
            self._ring()


class Pump:
    """Sends for those of `worlds` whose pump is on, between `start` and `stop`.

    `port` gives the server's own port, where no delivery goes: a lease's address there is a browser's.
    """

    def __init__(
        self, worlds: Worlds, port: Callable[[], int], *, delays: tuple[int, ...] = DELAYS,
        patience: float = PATIENCE,
    ) -> None:  # fmt: skip
        self._worlds, self._port, self._delays, self._patience = worlds, port, delays, patience
        self._woken = asyncio.Event()
        self._bells: dict[World, _Bell] = {}
        self._sending: set[asyncio.Task[None]] = set()
        self._receivers: Counter[str] = Counter()
        self._task: asyncio.Task[None] | None = None
        self._clients: dict[str, httpx.AsyncClient] = {}

    def start(self) -> None:
        """Begins to send; again does nothing."""
        if self._task is None:
            self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """Ends; what is under way is cut off, and sent again by the next start."""
        tasks = [*self._sending, *filter(None, [self._task])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for bell in self._bells.values():
            bell.close()
        self._bells.clear()
        self._task = None
        for client in self._clients.values():
            await client.aclose()
        self._clients.clear()

    def wake(self) -> None:
        """Has the pump look at once: a world was made, or its pump turned on."""
        self._woken.set()

    async def _run(self) -> None:
        while True:
            self._woken.clear()
            pause = self._round()
            with suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await self._woken.wait()

    def _round(self) -> float:
        """Begins every attempt that is due and has room; returns the seconds until the next is due."""
        now, pause = wall_ms(), GLANCE
        for world in self._on():
            try:
                for head in delivering.heads(world):
                    if head.due_ms > now:
                        pause = min(pause, (head.due_ms - now) / 1000)
                    elif len(self._sending) < AT_ONCE and self._receivers[head.receiver] < TO_ONE:
                        self._begin(world, head, now)
            except Exception:  # one broken world must not stop the others' deliveries
                log.exception("what leaves world %s could not be sent", world.name)
        return max(pause, 0.01)

    def _on(self) -> list[World]:
        """The worlds whose pump is on; each gets a bell, for as long as it is open."""
        on = [world for world in map(self._worlds.get, self._worlds.names()) if world.pump_on]
        for world in on:
            if world not in self._bells:
                self._bells[world] = _Bell(world, self.wake)
        for world in [world for world in self._bells if world.is_closed]:
            self._bells.pop(world).close()
        return on

    # one attempt

    def _begin(self, world: World, head: Head, now: int) -> None:
        claimed = delivering.claim(world, head.id, now, self._check, self._delays)
        if claimed is None:
            self.wake()  # its lane may go on
            return
        self._receivers[head.receiver] += 1
        task = asyncio.create_task(self._deliver(world, claimed))
        self._sending.add(task)
        task.add_done_callback(lambda done: self._ended(done, head.receiver))

    def _check(self, url: str) -> None:
        """Raises NotSendable for where nothing may go, such as to this server: it would come from nobody."""
        try:
            found = callbacks.receiver(url)
        except NotReachable as refusal:
            raise NotSendable(str(refusal)) from None
        if found.port == self._port() and not found.listed:
            raise NotSendable(f"{url} is this server itself, and nothing is sent there. Give your program's.")

    async def _deliver(self, world: World, claimed: Begun) -> None:
        try:
            outcome = await self._attempt(claimed.post)
        except BaseException:
            claimed.life.discard(claimed.id)
            raise
        delivering.record(world, claimed, outcome, wall_ms(), self._delays)

    def _ended(self, task: asyncio.Task[None], receiver: str) -> None:
        self._sending.discard(task)
        self._receivers[receiver] -= 1
        if not self._receivers[receiver]:
            del self._receivers[receiver]
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("what came of a delivery could not be noted", exc_info=error)
        self.wake()

    async def _attempt(self, post: Post) -> Outcome:
        import httpx

        answer = _Answer()
        try:
            async with asyncio.timeout(self._patience):
                await self._send(post, answer)
        except TimeoutError:
            answer.error = f"Not answered whole within {self._patience:g} seconds."
        except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as error:
            answer.error = f"{type(error).__name__}: {error}".rstrip(": ")
        return answer.outcome()

    async def _send(self, post: Post, answer: _Answer) -> None:
        import httpx

        found = callbacks.receiver(post.url)
        addresses = found.dial or (found.host,)
        for address in addresses:
            try:
                await self._dial(post, found, address, answer)
            except httpx.ConnectError:
                if address == addresses[-1]:
                    raise
            else:
                return

    async def _dial(self, post: Post, found: Receiver, address: str, answer: _Answer) -> None:
        import httpx

        client = await self._client(found.scheme)
        url = httpx.URL(post.url)
        headers = {"Host": url.netloc.decode("ascii"), "Accept-Encoding": "identity", "User-Agent": AGENT}
        dialled = url.copy_with(host=address) if found.dial else url
        request = client.stream(
            "POST", dialled, headers=headers | post.headers, content=post.content,
            extensions={"sni_hostname": found.host},
        )  # fmt: skip
        async with request as response:
            answer.status = response.status_code
            async for chunk in response.aiter_raw():
                answer.body += chunk
                if len(answer.body) >= ANSWER:
                    break

    async def _client(self, scheme: str) -> httpx.AsyncClient:
        """The client for http, or for https: reading the system's certificates takes a while."""
        import httpx

        if scheme not in self._clients:
            verify: Any = False
            if scheme == "https":
                verify = await asyncio.to_thread(httpx.create_ssl_context, trust_env=False)
            once = httpx.Limits(max_connections=None, max_keepalive_connections=0)
            made = httpx.AsyncClient(trust_env=False, timeout=None, limits=once, verify=verify)
            self._clients.setdefault(scheme, made)
        return self._clients[scheme]


class _Answer:
    """What has come back so far."""

    def __init__(self) -> None:
        self.status: int | None = None
        self.body = b""
        self.error: str | None = None

    def outcome(self) -> Outcome:
        """Taken is what was answered whole with 2xx: who dies in mid-answer may have done nothing."""
        taken = self.error is None and self.status is not None and 200 <= self.status < 300
        error = self.error if taken or self.error else f"Answered {self.status}."
        text = self.body[:ANSWER].decode("utf-8", "replace") if self.status is not None else None
        return Outcome(taken, self.status, error, text)
