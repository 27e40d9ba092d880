"""What is recorded of a browser: screenshots, and a trace if it is asked for, kept beside the evidence."""

from __future__ import annotations

import asyncio
import io
import json
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest

from fakes.core.world import World
from harness.bundle import Bundle, pack
from harness.grade import grade
from harness.qualify import attempts_on
from harness.rails import Actor, BrowserRail, Recording
from harness.rails.recorder import Recorder
from harness.rails.shots import MOST, Shots
from tests.harness.toy import SERVICES
from tests.harness.toy_tasks import environment, put_a_box, put_by_page

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page


class Pretended:
    """A page that shows what it is told to, and tells what happens to it."""

    url = "http://desk.p1.localhost/claims"

    def __init__(self, *pictures: bytes) -> None:
        self.pictures = list(pictures)
        self.handlers: dict[str, Any] = {}

    def on(self, event: str, handler: Any) -> None:
        self.handlers[event] = handler

    def is_closed(self) -> bool:
        return False

    async def screenshot(self, **options: Any) -> bytes:
        await asyncio.sleep(0)
        return self.pictures.pop(0)


class Quiet:
    """As much of a world as screenshots ask for."""

    class log:
        newest = 7


def shots_of(page: Pretended) -> Shots:
    shots = Shots(cast(World, Quiet()))
    shots.watch(cast("Page", page))
    return shots


async def close(shots: Shots, page: Pretended) -> list[bytes]:
    await shots.close([cast("Page", page)])
    return [shot.picture for shot in shots.taken]


async def load(page: Pretended) -> None:
    """A load, and the time to picture it."""
    page.handlers["load"](page)
    for _ in range(8):
        await asyncio.sleep(0)


async def test_a_picture_that_equals_the_one_before_is_not_kept() -> None:
    page = Pretended(b"a", b"a", b"b", b"a")
    shots = shots_of(page)
    for _ in range(3):
        await load(page)
    assert await close(shots, page) == [b"a", b"b", b"a"]


async def test_loads_while_a_picture_is_taken_are_one_more_picture() -> None:
    page = Pretended(b"a", b"b", b"c")
    shots = shots_of(page)
    for _ in range(4):
        page.handlers["load"](page)
    await load(page)
    assert page.pictures == [b"b", b"c"]
    assert await close(shots, page) == [b"a", b"b"]


async def test_of_many_pictures_first_and_last_stay_and_the_rest_is_thinned_out() -> None:
    page = Pretended(*[bytes([number]) for number in range(100)])
    shots = shots_of(page)
    for _ in range(99):
        await load(page)
    kept = await close(shots, page)
    assert (kept[0], kept[-1]) == (b"\0", bytes([99])) and MOST / 2 < len(kept) <= MOST
    assert kept == sorted(kept)


async def test_pictures_are_named_by_actor_and_told_of_in_an_index() -> None:
    page = Pretended(b"a")
    shots = shots_of(page)
    await close(shots, page)
    files = shots.files("desk")
    assert sorted(files) == ["shots/desk-001.jpg", "shots/desk.jsonl"]
    about = json.loads(files["shots/desk.jsonl"])
    assert about.pop("at_ms") >= 0
    assert about == {
        "file": "shots/desk-001.jpg", "request": 7, "host": "desk.p1.localhost", "path": "/claims",
    }  # fmt: skip


def test_a_run_records_screenshots_and_what_else_is_wanted() -> None:
    assert Recording.of_run(None) == Recording(shots=True)
    assert Recording.of_run("trace") == Recording(shots=True, trace=True)
    assert Recording.of_run("video") == Recording(shots=True, video=True)
    assert BrowserRail().recording == Recording()


async def test_a_browser_leaves_screenshots_and_a_trace_in_the_bundle(
    browser: Browser, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    env = environment()
    task = put_by_page(env)
    assert task.the_reference is not None
    rail = BrowserRail(browser, Recording(shots=True, trace=True))
    async with attempts_on(env, services=SERVICES, browser=rail) as attempts:
        async with attempts.open(task) as attempt:
            await attempt.play(task.the_reference)
            evidence = await attempt.concluded()
    assert list(tmp_path.iterdir()) == []
    read = Bundle(pack(evidence)).evidence(task, SERVICES)
    assert grade(read, task, SERVICES).passed
    pictures = [part for name, part in read.extras.items() if name.endswith(".jpg")]
    assert pictures and all(picture.startswith(b"\xff\xd8\xff") for picture in pictures)
    with zipfile.ZipFile(io.BytesIO(read.extras["trace/desk.zip"])) as trace:
        assert "trace.trace" in trace.namelist()


async def test_a_recording_that_breaks_fails_no_attempt(monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(actor: Actor) -> dict[str, bytes]:
        raise RuntimeError("the disk is full")

    monkeypatch.setattr(Actor, "collect", broken)
    task = put_a_box(environment())
    async with attempts_on(task.env, services=SERVICES) as attempts, attempts.open(task) as attempt:
        attempt.keep("transcript.jsonl", b"{}")
        evidence = await attempt.concluded()
    assert evidence.ended == "finished" and sorted(evidence.extras) == ["recording.txt", "transcript.jsonl"]
    assert b"the disk is full" in evidence.extras["recording.txt"]


async def test_what_is_too_large_is_told_of_instead(monkeypatch: pytest.MonkeyPatch) -> None:
    class Traced:
        class tracing:
            @staticmethod
            async def stop(path: Path) -> None:
                path.write_bytes(bytes(11))

    monkeypatch.setattr("harness.rails.recorder.LIMIT", 10)
    recorder = Recorder("écran/1", Recording(trace=True), cast(World, Quiet()))
    files = await recorder.collect(cast(Any, Traced()))
    recorder.close()
    assert files == {"trace/_cran_1.txt": b"It has 11 bytes, more than the 10 that are kept."}
