"""Opening a play: which row its refusal is about, and the portal's page that shows it."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from harness.cli import run
from harness.deciding import Place, deciding_row
from harness.evidence import End
from harness.opening import find_any, mark, opened
from harness.rails import Actor
from harness.rollout import UnknownPlay
from harness.task import Task
from tests.harness.toy import SERVICES, Box, Facts
from tests.harness.toy_tasks import environment, post, put_a_box

ROOT = Path(__file__).parents[2]


@pytest.fixture
def task() -> Task:
    """The toy's API task, with more ways to go wrong."""
    task = put_a_box(environment())
    box, logged = task.guards["one-box"], task.guards["logged-once"]

    @box.cheat
    async def none_at_all(desk: Actor, facts: Facts) -> None:
        """Puts another box there."""
        await desk.post("/api/boxes", json={"label": "Chairs", "weight": 2})

    @box.cheat
    async def twice(desk: Actor, facts: Facts) -> None:
        """Puts two there."""
        await post(desk, facts)
        await post(desk, facts)

    @logged.cheat
    async def close_the_old_one(desk: Actor, facts: Facts) -> None:
        """Does the work, and closes the box that was there."""
        await post(desk, facts)
        await desk.post(f"/api/boxes/{facts.old.id}/close")

    @task.guard
    def none_is_lighter(end: End, box: Box) -> None:
        """No box weighs less than the new one."""
        rows = end.all(Box, "ORDER BY weight")
        assert rows[0] == box, f"{rows[0].label} weighs {rows[0].weight}"

    @logged.cheat
    async def a_heavy_one(desk: Actor, facts: Facts) -> None:
        """Puts a box there that is heavier than the old one."""
        await post(desk, facts, weight=70)

    return task


@pytest.mark.parametrize(
    ("cheat", "guard", "label"),
    [
        ("another-day", "due-that-day", "Lamps"),
        ("forged-without-a-weight", "weighed", "Lamps"),
        ("none-at-all", "one-box", "Chairs"),
        ("twice", "one-box", "Lamps"),
        ("close-the-old-one", "nothing-else-changed", "Old"),
    ],
)
async def test_a_refusal_is_about_a_row_that_was_changed(
    task: Task, cheat: str, guard: str, label: str
) -> None:
    async with opened(task, task.cheats[cheat].play, services=SERVICES) as shown:
        decided = deciding_row(task, shown.evidence, shown.grade, guard, SERVICES)
        assert guard in shown.grade.refused and decided is not None
        found = shown.server.worlds.get(shown.world).get(Box, *decided.key)
        assert (decided.table, found and found.label) == ("toy_boxes", label)


async def test_of_several_guards_the_cheats_own_is_shown(task: Task) -> None:
    async with opened(task, task.cheats["another-day"].play, services=SERVICES) as shown:
        assert shown.guard == "due-that-day"
    async with opened(task, task.cheats["a-heavy-one"].play, services=SERVICES) as shown:
        assert shown.guard == "none-is-lighter"  # its own does not refuse it
        assert shown.decided is not None
        found = shown.server.worlds.get(shown.world).get(Box, *shown.decided.key)
        assert found is not None and found.label == "Lamps"  # the old one is what it was


async def test_traced_rows_pass_for_rows(task: Task) -> None:
    """What is watched must judge as what is not, or another row is named than the one that decided."""
    seen: list[object] = []

    @task.guard
    def alike(end: End, box: Box, facts: Facts) -> None:
        """Compares rows in every way that guards do."""
        (same,) = end.all(Box, "WHERE id = ?", (box.id,))
        (old,) = end.was(Box)
        alike = (same == box, old == facts.old, facts.old == old, {same: 1}[box], isinstance(old, Box))
        seen.append((*alike, old.values() == facts.old.values(), old.key()))
        raise AssertionError("to be looked at again")

    assert task.the_reference is not None
    async with opened(task, task.the_reference, services=SERVICES) as shown:
        assert shown.guard == "alike"
    assert len(seen) > 1 and set(seen) == {(True, True, True, 1, True, True, ("box_old",))}


async def test_a_play_that_passes_has_no_deciding_row() -> None:
    task = put_a_box(environment())
    async with opened(task, find_any(task, "reference"), services=SERVICES) as shown:
        assert (shown.grade.passed, shown.guard, shown.decided) == (True, None, None)
        assert shown.changes == "/worlds/p1/changes"
        with pytest.raises(UnknownPlay, match="has no play 'nothing'; it has another-day, forged"):
            find_any(task, "nothing")


async def test_its_link_opens_the_portal_where_the_row_is_marked(task: Task) -> None:
    async with opened(task, task.cheats["another-day"].play, services=SERVICES) as shown:
        async with httpx.AsyncClient(follow_redirects=True, trust_env=False) as browser:
            page = await browser.get(shown.link())
        assert page.status_code == 200 and page.url.path == "/worlds/p1/changes"
        assert shown.decided is not None
        marked = page.text[page.text.index('id="marked"') :]
        assert str(shown.decided.key[0]) in marked[: marked.index("</h3>")]


@pytest.mark.parametrize("to", ["//elsewhere.example/", "https://elsewhere.example/worlds/", "/\\\\x", ""])
async def test_a_link_leads_nowhere_but_to_a_world(task: Task, to: str) -> None:
    async with opened(task, find_any(task, "reference"), services=SERVICES) as shown:
        asked = {"key": shown.server.door.new_key(), "to": to}
        async with httpx.AsyncClient(trust_env=False) as browser:
            answer = await browser.get(f"{shown.server.url}/open", params=asked)
    assert (answer.status_code, answer.headers["location"]) == (303, "/")


def test_a_row_is_named_as_the_portal_reads_it() -> None:
    assert mark(Place("cd_notices", ("ntc_1",))) == "cd_notices/ntc_1"
    assert mark(Place("labels", ("m1", 2))) == 'labels/["m1", 2]'


# the command


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("claims_desk --open reference", "'claims_desk' names no single task"),
        ("--open reference", "--open plays a play of one task"),
        ("claims_desk/record-the-determination --open nothing", "has no play 'nothing'; it has the-other-w"),
        ("claims_desk/record-the-determination --open reference --dates", "play one date"),
        ("claims_desk/record-the-determination --open reference --port 70000", "'--port'"),
    ],
)
def test_a_play_that_is_put_wrongly_is_one_sentence(
    line: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["prove", *line.split()]) == 2
    said = capsys.readouterr()
    assert says in said.err and said.err.count("\n") == 1


def test_a_world_is_served_until_it_is_stopped() -> None:
    command = "prove claims_desk/record-the-determination --open the-other-whitfield".split()
    process = subprocess.Popen(
        [sys.executable, "-m", "harness.cli", *command], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    lines: list[str] = []
    while not (lines and lines[-1].startswith("changes ")):
        lines.append(process.stdout.readline())
        assert lines[-1], lines
    said = "".join(lines)
    assert re.match(r"ready http://127\.0\.0\.1:\d+\n", said)
    assert "the-other-whitfield: failed: right-claimant\n" in said
    assert re.search(r"right-claimant is about cd_notices ntc_\w+\n", said)
    link = re.search(r"portal (\S+)", said)
    assert link is not None
    opened = httpx.get(link[1], follow_redirects=False, trust_env=False)
    assert opened.status_code == 303
    assert opened.headers["location"].startswith("/worlds/p1/changes?mark=cd_notices%2Fntc_")
    process.send_signal(signal.SIGINT)
    assert process.wait(30) == 0
    process.stdout.close()
