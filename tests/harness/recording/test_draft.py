"""From what pages told to a play: what caused what, steps, waits, and the calls."""

from __future__ import annotations

import ast
from typing import Any

import pytest

from harness.recording.draft import draft, step_name
from harness.recording.naming import Naming
from harness.recording.timeline import Asked, Did, Entry, Opened, Write, actions
from tests.harness.recording.test_naming import FACTS

HOME = "http://toy.p1.localhost:8080"
SERVICES = {"toy": "toy", "gmail": "gmail"}


def did(at: float, kind: str, name: str = "", page: int = 0, **more: Any) -> Did:
    locator = {"by": "label" if kind in ("fill", "select", "files") else "role", "text": name}
    locator |= {"role": "button"} if locator["by"] == "role" else {}
    told = {"kind": kind, "locator": locator if name else None, "frames": [], **more}
    return Did(at, "desk", page, told)


def went(at: float, path: str, page: int = 0, *, typed: bool = True, write: Write | None = None) -> Asked:
    url = path if path.startswith("http") else HOME + path
    return Asked(at, "desk", page, url, True, typed, write)


def wrote(at: float, route: str, status: int = 200) -> Asked:
    write = Write(route.split()[0], route, status)
    return Asked(at, "desk", 0, HOME + route.split()[1], False, False, write)


def play(*entries: Entry) -> list[str]:
    """The lines of a draft after its head, which are Python."""
    source = draft(actions(entries), ["desk", "manager"], Naming(FACTS), SERVICES, "toy")
    ast.parse(source)
    lines = source.splitlines()
    assert lines[:2] == [
        "@task.reference",
        "async def recorded(desk: BrowserActor, facts: Facts) -> None:",
    ]
    return [line.removeprefix("    ") for line in lines[3:]]


def test_each_write_ends_a_step_and_is_waited_for() -> None:
    told: list[Entry] = [
        went(1, "/ledger"),
        did(2, "select", "Kind", options=[{"value": "statement", "label": "Statement"}]),
        did(3, "files", "File", files=["q3.txt"]),
        did(4, "click", "Send in"),
        wrote(5, "POST /upload/start"),
        wrote(6, "PUT /upload/{id}"),
        did(7, "click", "Audit"),
        went(8, "/documents/1/audit", typed=False, write=Write("POST", "POST /documents/{id}/audit", 303)),
        did(9, "click", "Look"),
    ]
    assert play(*told) == [
        'async with desk.step("upload"):',
        '    await desk.goto("/ledger")',
        '    await desk.page.get_by_label("Kind").select_option("statement")',
        '    await desk.page.get_by_label("File").set_input_files(desk.upload("q3.txt"))',
        '    async with desk.page.expect_response("**/upload/**"):',
        '        await desk.page.get_by_role("button", name="Send in").click()',
        'async with desk.step("documents audit"):',
        "    async with desk.page.expect_navigation():",
        '        await desk.page.get_by_role("button", name="Audit").click()',
        'await desk.page.get_by_role("button", name="Look").click()',
    ]


def test_typing_is_kept_as_it_ended_and_a_refused_write_ends_no_step() -> None:
    told: list[Entry] = [
        went(1, "/"),
        went(2, "/boxes/box_71hq"),
        *(did(3 + n / 10, "fill", "Label", value="Lamps"[: n + 1]) for n in range(5)),
        did(4, "press", "Label", key="Enter"),
        wrote(5, "POST /boxes", 422),
        did(6, "fill", "Label", value="Lamps 2"),
        did(7, "press", key="Control+Enter"),
    ]
    assert play(*told) == [
        'await desk.goto(f"/boxes/{facts.box.id}")',
        'await desk.page.get_by_label("Label").fill(facts.title)',
        'async with desk.page.expect_response("**/boxes*"):',
        '    await desk.page.get_by_role("button", name="Label").press("Enter")',
        'await desk.page.get_by_label("Label").fill(f"{facts.title} 2")',
        'await desk.page.keyboard.press("Control+Enter")',
    ]


def test_a_page_that_a_click_opened_and_one_that_was_opened_by_hand() -> None:
    told: list[Entry] = [
        did(1, "click", "Open"),
        Opened(1, "desk", 1, 0),
        went(2, "/two", 1, typed=False),
        did(3, "click", "Yes", 1),
        Opened(3, "desk", 2, None),
        went(4, "http://gmail.p1.localhost:8080/?q=1", 2),
    ]
    assert play(*told) == [
        "async with desk.page.expect_popup() as opened:",
        '    await desk.page.get_by_role("button", name="Open").click()',
        "desk_page_2 = await opened.value",
        'await desk_page_2.get_by_role("button", name="Yes").click()',
        "desk_page_3 = await desk.context.new_page()",
        'await desk_page_3.goto(desk.url("/?q=1", "gmail"))',
    ]


def test_what_came_first_stands_first_however_it_was_told() -> None:
    later: list[Entry] = [
        wrote(5, "POST /b"),
        did(4, "click", "B"),
        went(1, "/"),
        wrote(3, "POST /a"),
        did(2, "click", "A"),
    ]
    assert [line for line in play(*later) if "step" in line] == [
        'async with desk.step("a"):',
        'async with desk.step("b"):',
    ]


def test_long_texts_are_cut_between_words() -> None:
    said = f"{FACTS.body} {'word ' * 40}end"
    lines = play(did(1, "fill", "Text", value=said))
    assert lines[0] == 'await desk.page.get_by_label("Text").fill(' and lines[-1] == ")"
    assert len(lines) > 3 and max(map(len, lines)) <= 106
    assert eval("".join(lines[1:-1]), {"facts": FACTS}) == said


def test_a_password_is_not_kept() -> None:
    [line] = play(did(1, "fill", "Password", secret=True))
    assert (
        line
        == 'await desk.page.get_by_label("Password").fill("")  # a password was typed here, and is not kept'
    )


@pytest.mark.parametrize(
    ("route", "name"),
    [
        ("POST /upload/confirm", "upload confirm"),
        ("POST /documents/{id}/audit", "documents audit"),
        ("PATCH /api/v1/fact-requests/{id}", "fact requests"),
        ("POST /", "post"),
    ],
)
def test_steps_are_named_after_routes(route: str, name: str) -> None:
    assert step_name(route) == name
