"""Sessions at real pages: what is recorded of them, and that the draft plays again what was done."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from copy import copy
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.async_api import Page, async_playwright
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from fakes.core.service import route
from harness.cli import run
from harness.discovery import find_task
from harness.generated import regrade
from harness.qualify import attempts_on
from harness.rails import BrowserActor, BrowserRail
from harness.recording.draft import draft
from harness.recording.naming import Naming
from harness.recording.session import Recording, recording
from harness.recording.timeline import Action, Locator
from harness.task import Task
from tests.harness import toy
from tests.harness.toy_tasks import environment, put_by_page

if TYPE_CHECKING:
    from playwright.async_api import Browser

ROOT = Path(__file__).parents[3]
ODD = """<!doctype html><html lang=en><title>Odd</title>
<form><input placeholder="Search" name=q></form>
<label><input type=checkbox> Keep it</label>
<fieldset><legend>Size</legend><label><input type=radio name=s> Small</label>
<label><input type=radio name=s> Large</label></fieldset>
<label>Colours <select multiple><option value=r>Red<option value=>Blue<option value=g>Green</select></label>
<label>Day <input type=date></label> <label for=d>Days</label><input id=d type=number>
<table><tr><td>Box A<td><button>Drop</button><tr><td>Box B<td><button>Drop</button></table>
<button>Save</button> <button>Save and file</button>
<button aria-label="Close"><svg width=9 height=9></svg></button>
<p><button>Twin</button><button>Twin</button> <a href="#x"><b>Go</b> <span hidden>not</span> there</a>
<div contenteditable=true aria-label="Notes">old</div>
<span style="cursor:pointer">Unfold</span> <details><summary>More</summary>Inside</details>
<button data-testid="x1" style="width:9px;height:9px"></button><i id=bare style="cursor:pointer">&nbsp;</i>
<iframe title="Mail" sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
 srcdoc="<a href='/two' target='_blank'>Open it</a>"></iframe></html>"""
ELEMENTS = (
    "input, select, button, a, summary, [contenteditable], [style*=pointer], td, fieldset, table, h1, label"
)


async def _odd(request: Request) -> Response:
    return HTMLResponse(ODD)


async def _two(request: Request) -> Response:
    return HTMLResponse("<!doctype html><html lang=en><title>Two</title><button>Yes</button></html>")


SERVICES = {
    "toy": replace(
        toy.SERVICES["toy"],
        routes=lambda: [*toy.routes(), route("GET", "/odd", _odd), route("GET", "/two", _two)],
    )
}


@pytest.fixture
def task() -> Task:
    return put_by_page(environment())


@pytest.fixture
async def recorded(task: Task, browser: Browser) -> AsyncIterator[Recording]:
    async with recording(task, browser, services=SERVICES) as made:
        yield made


def desk_of(made: Recording) -> BrowserActor:
    desk = made.attempt.actors["desk"]
    assert isinstance(desk, BrowserActor)
    return desk


def reference_from(source: str, task: Task, module: dict[str, Any]) -> Task:
    """A copy of the task whose reference is the draft, as its author would paste it."""
    copied = copy(task)
    copied.the_reference = None
    given = {**module, "task": copied, "BrowserActor": BrowserActor}
    exec(compile(f"from __future__ import annotations\n{source}", "draft.py", "exec"), given)
    return copied


async def test_every_locator_finds_its_element_alone(page: Page) -> None:
    await page.set_content(ODD.replace("<h1>", ""))
    names = (files("harness.recording") / "static" / "names.js").read_text()
    script = f"""() => {{ {names}
      window.elements = [...document.querySelectorAll({ELEMENTS!r})];
      return window.elements.map((each) => locatorOf(each)); }}"""
    ways = await page.evaluate(script)
    assert len(ways) > 25 and {way["by"] for way in ways} == {
        "role", "label", "placeholder", "text", "testid", "css"
    }  # fmt: skip
    for n, way in enumerate(ways):
        call = call_on(Locator.read(way, []))
        found = eval(f"page{call}", {"page": page})
        assert await found.count() == 1, call
        same = await found.evaluate("(element, n) => element === window.elements[n]", n)
        assert same, call


def calls_of(source: str) -> list[str]:
    """What a draft does. Two pages report by ways of their own, so a play that does not pause between them
    may be told in another order.
    """
    return sorted(line.strip() for line in source.split("\n") if "await" in line)


def call_on(locator: Locator) -> str:
    """What a draft calls on a page to find this."""
    action = Action("click", "desk", 0, locator)
    line = draft([action], ["desk"], Naming(None), {}, "toy").splitlines()[-1]
    return line.strip().removeprefix("await desk.page").removesuffix(".click()")


async def at_an_odd_page(desk: BrowserActor) -> None:
    """Something of everything."""
    page = desk.page
    await page.goto(desk.url("/odd"))
    await page.get_by_text("Keep it").click()
    await page.get_by_label("Large").check()
    await page.get_by_label("Colours").select_option(["g", "Blue"])
    await page.get_by_label("Day", exact=True).fill("2025-10-26")
    await page.get_by_label("Days").press_sequentially("12")
    await page.get_by_role("button", name="Drop").nth(1).click()
    await page.get_by_role("button", name="Save", exact=True).click()
    await page.get_by_role("button", name="Twin").nth(1).click()
    await page.get_by_label("Notes").fill("new")
    await page.get_by_text("Unfold").click()
    await page.get_by_text("More").click()
    await page.keyboard.press("Control+Shift+K")
    await page.keyboard.press("j")
    async with page.expect_popup() as opened:
        await page.frame_locator("iframe").get_by_role("link").click()
    second = await opened.value
    await second.get_by_role("button", name="Yes").click()
    async with page.expect_navigation():
        await page.get_by_placeholder("Search").fill("lamps")
        await page.get_by_placeholder("Search").press("Enter")
    await page.goto(desk.url("/"))
    await page.get_by_label("Label").fill("Lamps")
    await page.get_by_label("Due").fill("2025-10-26")
    async with page.expect_navigation():
        await page.get_by_role("button", name="Put").click()


ODD_DRAFT = '''
    """Recorded in a browser: to be read through, its steps to be named."""
    async with desk.step("boxes"):
        await desk.goto("/odd")
        await desk.page.get_by_label("Keep it").check()
        await desk.page.get_by_label("Large").check()
        await desk.page.get_by_label("Colours").select_option(["Blue", "g"])
        await desk.page.get_by_label("Day", exact=True).fill(facts.due.isoformat())
        await desk.page.get_by_label("Days").fill("12")
        await desk.page.get_by_role("row").filter(has_text="Box B").get_by_role("button", name="Drop").click()
        await desk.page.get_by_role("button", name="Save", exact=True).click()
        await desk.page.get_by_role("button", name="Twin", exact=True).nth(1).click()
        await desk.page.get_by_label("Notes").fill("new")
        await desk.page.get_by_text("Unfold").click()
        await desk.page.get_by_text("More").click()
        await desk.page.keyboard.press("Control+Shift+K")
        await desk.page.keyboard.press("j")
        async with desk.page.expect_popup() as opened:
            await desk.page.frame_locator('iframe[title="Mail"]').get_by_role("link", name="Open it").click()
        desk_page_2 = await opened.value
        await desk_page_2.get_by_role("button", name="Yes").click()
        await desk.page.get_by_placeholder("Search").fill("lamps")
        async with desk.page.expect_navigation():
            await desk.page.get_by_placeholder("Search").press("Enter")
        await desk.goto("/")
        await desk.page.get_by_label("Label").fill(facts.label)
        await desk.page.get_by_label("Due").fill(facts.due.isoformat())
        async with desk.page.expect_navigation():
            await desk.page.get_by_role("button", name="Put").click()
'''


async def test_a_draft_does_again_what_was_done(recorded: Recording, task: Task, browser: Browser) -> None:
    """A draft that is played is recorded as itself."""
    await at_an_odd_page(desk_of(recorded))
    made = await recorded.result()
    assert made.outcome == "passed"
    head, _, body = made.source.partition(" -> None:")
    assert body == ODD_DRAFT and head.endswith("async def recorded(desk: BrowserActor, facts: Facts)")
    again = reference_from(made.source, task, vars(toy))
    async with recording(again, browser, services=SERVICES) as second:
        assert again.the_reference is not None
        await second.attempt.play(again.the_reference)
        assert second.attempt.error == ""
        assert calls_of((await second.result()).source) == calls_of(made.source)


async def test_a_session_at_the_desk_becomes_a_reference_that_passes(browser: Browser) -> None:
    task = find_task("claims_desk/audit-the-quarterly-statement")
    async with recording(task, browser) as made:
        desk = desk_of(made)
        page = desk.page
        assert made.inputs()["q3-statement.txt"] == desk.input("q3-statement.txt")
        await page.goto(desk.url("/ledger"))
        await page.get_by_label("Kind of paper").select_option("statement")
        await page.get_by_label("File").set_input_files(desk.upload("q3-statement.txt"))
        await page.get_by_role("button", name="Send in").click()
        await page.get_by_text("q3-statement.txt is in").wait_for()
        await page.get_by_role("button", name="Start audit of q3-statement.txt").click()
        await page.get_by_role("heading", name="New York, Q3").wait_for()
        found = await made.result()
    assert (found.outcome, found.missing) == ("passed", ())
    assert re.findall(r'step\("(.*)"\)', found.source) == ["upload confirm", "documents audit"]
    copied = reference_from(found.source, task, vars(sys.modules[task.the_reference.function.__module__]))  # type: ignore[union-attr]
    async with attempts_on(task.env, browser=BrowserRail(browser)) as attempts:
        async with attempts.open(copied) as attempt:
            assert copied.the_reference is not None
            await attempt.play(copied.the_reference)
            graded = regrade(attempts, copied, attempt.evidence())
    assert graded.passed, graded


async def test_closing_the_last_page_ends_a_recording(recorded: Recording) -> None:
    await desk_of(recorded).page.close()
    await recorded.closed()
    assert (await recorded.result()).outcome.startswith("failed, refused by ")


# the command


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (
            "claims_desk/record-the-determination",
            "is played by api, and what is recorded is",
        ),
        ("claims_desk/audit-the-quarterly-statement", "There is no display to open a browser on"),
        ("claims_desk/audit-the-quarterly-statement --out README.md", "There is a file README.md already"),
        ("claims_desk/audit-the-quarterly-statement --out no/x.py", "there is no folder no"),
        ("claims_desk", "'claims_desk' names no single task"),
    ],
)
def test_a_recording_put_wrongly_is_one_sentence(
    line: str, says: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(ROOT)
    assert run(["record", *line.split()]) == 2
    said = capsys.readouterr()
    assert says in said.err and said.err.count("\n") == 1


async def test_a_browser_without_a_window_is_driven_by_devtools(tmp_path: Path) -> None:
    out = tmp_path / "draft.py"
    line = ["record", "claims_desk/audit-the-quarterly-statement", "--headless", "--out", str(out)]
    process = subprocess.Popen(
        [sys.executable, "-m", "harness.cli", *line], cwd=ROOT, text=True,
        stdin=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdin is not None and process.stderr is not None
    said = _until(process.stderr.readline, "recording; ")
    address = next(line.split()[1] for line in said if line.startswith("devtools "))
    async with async_playwright() as playwright:
        browser = await playwright.chromium.connect_over_cdp(address)
        page = browser.contexts[0].pages[0]
        await page.goto(page.url + "ledger")
        await page.get_by_label("Kind of paper").select_option("notice")
    process.stdin.write("\n")
    process.stdin.flush()
    remarks = process.stderr.read()
    assert process.wait(30) == 0
    process.stdin.close()
    process.stderr.close()
    assert remarks.startswith("2 actions; the guards say of their end: failed, refused by ")
    assert out.read_text().splitlines()[3:] == [
        '    await desk.goto("/ledger")',
        '    await desk.page.get_by_label("Kind of paper").select_option("notice")',
    ]


def _until(read: Callable[[], str], beginning: str) -> list[str]:
    lines: list[str] = []
    while not (lines and lines[-1].startswith(beginning)):
        lines.append(read())
        assert lines[-1], lines
    return lines
