"""What is recorded of a browser beside the evidence: screenshots, a Playwright trace, a video."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from fakes.core.world import World
from harness.rails.shots import Shots

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Page

SIZE = {"width": 1280, "height": 720}
LIMIT = 64 << 20
"""Bytes of a trace or a video that a bundle takes; of a larger one, a line says that it is left out."""


@dataclass(frozen=True)
class Recording:
    """What to record of each browser. A trace holds what pages and requests held, sessions too."""

    shots: bool = False
    trace: bool = False
    video: bool = False

    @classmethod
    def of_run(cls, wanted: str | None) -> Recording:
        """What a run records: screenshots always, a `trace` or a `video` if that is wanted."""
        return cls(shots=True, trace=wanted == "trace", video=wanted == "video")


class Recorder:
    """Records one actor's context. Its files are in a folder of its own until they are collected."""

    def __init__(self, actor: str, recording: Recording, world: World) -> None:
        self._actor, self._recording = re.sub(r"[^\w.-]", "_", actor, flags=re.ASCII), recording
        self._folder = TemporaryDirectory(prefix="paracosm-") if recording.trace or recording.video else None
        self._shots = Shots(world) if recording.shots else None
        self._pages: list[Page] = []

    @property
    def options(self) -> dict[str, Any]:
        """What the context has to be opened with: a video begins with its page."""
        if not self._recording.video:
            return {}
        return {"record_video_dir": str(self._path("video")), "record_video_size": SIZE}

    def _path(self, name: str) -> Path:
        assert self._folder is not None
        return Path(self._folder.name) / name

    async def begin(self, context: BrowserContext) -> None:
        """Records this context, from its first page on."""
        if self._recording.trace:
            await context.tracing.start(screenshots=True, snapshots=True)
        context.on("page", self._watch)

    def _watch(self, page: Page) -> None:
        self._pages.append(page)
        if self._shots is not None:
            self._shots.watch(page)

    async def collect(self, context: BrowserContext) -> dict[str, bytes]:
        """All that was recorded, by the names that bundles give it. A context that is filmed is closed."""
        files: dict[str, bytes] = {}
        if self._shots is not None:
            await self._shots.close([page for page in self._pages if not page.is_closed()])
            files |= self._shots.files(self._actor)
        if self._recording.trace:
            files |= await self._trace(context)
        if self._recording.video:
            files |= await self._videos(context)
        return files

    async def _trace(self, context: BrowserContext) -> dict[str, bytes]:
        from playwright.async_api import Error

        path = self._path("trace.zip")
        try:
            await context.tracing.stop(path=path)
        except Error as error:
            return {f"trace/{self._actor}.txt": f"There is no trace: {error.message}".encode()}
        return _read(path, f"trace/{self._actor}", ".zip")

    async def _videos(self, context: BrowserContext) -> dict[str, bytes]:
        """A video a page; only once the context is closed are they whole."""
        from playwright.async_api import Error

        files: dict[str, bytes] = {}
        with suppress(Error):  # the browser has died: what there is of a video is kept
            await context.close()
        filmed = [page.video for page in self._pages if page.video is not None]
        for number, video in enumerate(filmed, 1):
            name = f"video/{self._actor}" + (f"-{number}" if number > 1 else "")
            try:
                files |= _read(Path(await video.path()), name, ".webm")
            except (Error, OSError) as error:
                files[f"{name}.txt"] = f"There is no video: {error}".encode()
        return files

    def close(self) -> None:
        """Removes what was not collected."""
        if self._folder is not None:
            self._folder.cleanup()


def _read(path: Path, name: str, suffix: str) -> dict[str, bytes]:
    size = path.stat().st_size
    if size > LIMIT:
        return {f"{name}.txt": f"It has {size} bytes, more than the {LIMIT} that are kept.".encode()}
    return {name + suffix: path.read_bytes()}
