"""The matrix of routes and tables: what plays wrote, who grades it, and lists that are not true."""

from __future__ import annotations

import json
from typing import Any

import pytest

from harness.cli import run
from harness.environment import Environment, NotGradable
from harness.gradable import UNPLAYED, Gradable, gradable
from harness.rails import Actor
from tests.harness.toy import SERVICES, Facts, seed
from tests.harness.toy_tasks import put_a_box

CLOSE = "POST /api/boxes/{id}/close"


async def matrix(*not_gradable: NotGradable, broken: bool = False) -> Gradable:
    env = Environment(
        name="Toy", product="toy", facts=Facts, seed=seed, slug="toy", not_gradable=not_gradable
    )
    task = put_a_box(env)
    if broken:

        @task.variant
        async def that_does_nothing(desk: Actor) -> None: ...

    return await gradable(env, services=SERVICES)


async def test_what_plays_wrote_and_who_grades_it() -> None:
    found = await matrix(NotGradable(CLOSE, "Nobody can see that a box is closed."))
    assert [(r.route, r.tables, r.graded_by, r.why) for r in found.routes] == [
        ("POST /boxes", (), (), UNPLAYED),
        ("POST /api/boxes", ("toy_boxes", "toy_log"), ("put-a-box",), ""),
        (CLOSE, (), (), "Nobody can see that a box is closed. (open)"),
    ]
    assert [(t.table, t.routes, t.graded_by, t.along) for t in found.tables] == [
        ("toy_boxes", ("POST /api/boxes",), ("put-a-box",), ""),
        ("toy_log", ("POST /api/boxes",), ("put-a-box",), ""),  # a guard owns it
    ]
    assert found.problems == ()


async def test_a_list_that_is_not_true_is_told() -> None:
    found = await matrix(
        NotGradable("POST /api/boxes", "It was not."),
        NotGradable("POST /api/boxes/{id}", "There is nothing to see."),
        NotGradable("GET /api/boxes", "Reads leave nothing."),
        NotGradable(CLOSE, "It was not.", "closed: it is seen now"),
    )
    assert found.problems == (
        "POST /api/boxes is listed as not gradable, and is graded by put-a-box: close the entry.",
        "POST /api/boxes/{id} is listed as not gradable, and is no route of the product.",
    )
    assert next(r.why for r in found.routes if r.route == CLOSE) == f"{UNPLAYED} (closed: it is seen now)"


async def test_a_play_that_does_not_pass_is_told() -> None:
    [problem] = (await matrix(broken=True)).problems
    assert problem == "toy/put-a-box: that-does-nothing does not pass: logged-once, one-box."


# the command


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Gradable:
    """A matrix that the command finds."""
    import asyncio

    found = asyncio.run(matrix(NotGradable("POST /api/boxes", "It was not.")))

    async def find(env: Environment) -> Gradable:
        return found

    monkeypatch.setattr("harness.gradable.gradable", find)
    return found


def test_it_is_printed_for_people_and_for_programs(
    told: Gradable, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["gradable", "claims_desk"]) == 1
    shown = capsys.readouterr().out
    assert "POST /api/boxes/{id}/close" in shown and "1 of 3 write routes graded" in shown
    assert "✗ POST /api/boxes is listed as not gradable, and is graded by put-a-box" in shown
    assert run(["gradable", "claims_desk", "--json"]) == 1
    read: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert read["routes"][1] == {
        "route": "POST /api/boxes", "tables": ["toy_boxes", "toy_log"], "graded_by": ["put-a-box"], "why": "",
    }  # fmt: skip
    assert read["problems"] == list(told.problems)


@pytest.mark.parametrize("target", ["nowhere", "claims_desk/record-the-determination"])
def test_a_wrong_target_is_one_sentence(target: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["gradable", target]) == 2
    assert capsys.readouterr().err.count("\n") == 1
