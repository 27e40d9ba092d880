"""What a proof holds and what it finds wanting, on a toy."""

from __future__ import annotations

import asyncio
from itertools import count

import pytest

from fakes.core.seeding import Seed
from harness.environment import Environment
from harness.evidence import End
from harness.proof import TaskProof, last_line
from harness.qualify import attempts_on, prove_environment
from harness.rails import Actor
from harness.task import Task
from tests.harness.toy import SERVICES, Box, Entry, Facts, seed
from tests.harness.toy_tasks import environment, post, put_a_box


async def prove(task: Task, *, quick: bool = False) -> TaskProof:
    proof = await prove_environment(task.env, [task], services=SERVICES, quick=quick)
    return proof.tasks[0]


async def test_a_sound_task_is_proved() -> None:
    env = environment()
    put_a_box(env)
    proof = await prove_environment(env, services=SERVICES)
    assert proof.problems == []
    assert proof.held
    assert last_line([proof]) == "Graders proved 3/3 · 4/4 guards needed · 2 generated refused · 1 date"
    assert proof.tasks[0].variants_held == 1
    assert proof.tasks[0].probes > 20


async def test_a_cheat_that_too_few_guards_refuse_is_a_problem() -> None:
    task = put_a_box(environment())

    @task.guards["weighed"].cheat(also={"logged-once": "there is no line for it"})
    async def a_box_of_nothing(desk: Actor, facts: Facts) -> None:
        """Puts it there without a weight, through the product."""
        await post(desk, facts, weight=None)

    proof = await prove(task, quick=True)
    assert not proof.held
    assert proof.proved == 3 and proof.total == 4
    assert proof.problems == [
        "toy/put-a-box: cheat a-box-of-nothing is to be refused by logged-once and weighed, and was by "
        "weighed (no message)."
    ]


async def test_a_cheat_that_a_standing_guard_refuses_too_is_a_problem() -> None:
    task = put_a_box(environment())

    @task.guards["one-box"].cheat
    async def another_label(desk: Actor, facts: Facts) -> None:
        """Puts up a box with a label of its own."""
        await desk.post("/api/boxes", json={"label": "Chairs", "weight": 1})

    [problem] = (await prove(task, quick=True)).problems
    assert "cheat another-label is to be refused by one-box alone, and was by one-box (no new row" in problem
    assert "nothing-else-changed (toy_boxes" in problem


async def test_a_cheat_that_passes_is_a_problem() -> None:
    task = put_a_box(environment())

    @task.guards["weighed"].cheat
    async def honest_work(desk: Actor, facts: Facts) -> None:
        """Does what was asked."""
        await post(desk, facts)

    [problem] = (await prove(task, quick=True)).problems
    assert problem.endswith("cheat honest-work is to be refused by weighed alone, and was by no guard.")


async def test_a_play_that_breaks_is_a_problem() -> None:
    task = put_a_box(environment())

    @task.guards["one-box"].cheat
    async def by_a_wrong_address(desk: Actor) -> None:
        """Asks for a page that is not there."""
        await desk.post("/api/crates", json={})

    [problem] = (await prove(task, quick=True)).problems
    assert "by-a-wrong-address did not come to its end: tests/harness/test_qualify.py:" in problem
    assert ": PlayError: desk: POST /api/crates was answered 404" in problem


async def test_a_guard_that_raises_is_a_grader_error_and_no_refusal() -> None:
    task = put_a_box(environment())

    @task.guard
    def light(box: Box) -> None:
        """It weighs less than a hundred."""
        assert box.weight < 100  # type: ignore[operator]

    proof = await prove(task)
    raising = [problem for problem in proof.problems if "makes guard light raise TypeError" in problem]
    assert all("tests/harness/test_qualify.py:" in problem for problem in raising)
    assert any("cheat forged-without-a-weight" in problem for problem in raising)
    assert any("probe 'toy_boxes" in problem and "weight nulled'" in problem for problem in raising)
    assert not proof.held


async def test_a_guard_that_never_ends_is_a_grader_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness.grade.GUARD_SECONDS", 0.05)
    task = put_a_box(environment())

    @task.guard
    def endless(box: Box) -> None:
        """It goes on for ever."""
        while True:
            pass

    proof = await prove(task, quick=True)
    assert any("makes guard endless raise TimeoutError" in problem for problem in proof.problems)


async def test_a_guard_that_decides_by_chance_is_found_out() -> None:
    task = put_a_box(environment())
    turns = count()

    @task.guard
    def now_and_then(box: Box) -> None:
        """It passes every other time."""
        assert next(turns) % 2 == 0

    proof = await prove(task, quick=True)
    assert any("is graded otherwise the second time" in problem for problem in proof.problems)


async def test_an_honest_play_forges_nothing() -> None:
    task = put_a_box(environment())
    honest = task.the_reference
    assert honest is not None

    @task.variant
    async def by_forging(desk: Actor, facts: Facts) -> None:
        await honest.function(desk, facts)
        desk.forge.update(desk.forge.one(Box), weight=3)

    proof = await prove(task, quick=True)
    assert any("only cheats forge rows" in problem for problem in proof.problems)


async def test_near_misses_and_columns_that_nobody_looks_at_are_listed() -> None:
    proof = await prove(put_a_box(environment()))
    looked_at = {fact.partition(".")[2] for fact in proof.loose}
    assert all(fact.startswith("toy_boxes.") for fact in proof.unguarded)
    assert not looked_at & {fact.partition(".")[2] for fact in proof.unguarded}


async def test_a_guard_that_never_decides_is_listed_as_not_needed() -> None:
    task = put_a_box(environment())

    @task.guard
    def due_some_day(box: Box) -> None:
        """It is due."""
        assert box.due is not None

    proof = await prove(task)
    assert proof.needless == ["due-some-day"]
    assert [problem for problem in proof.problems if "raise" in problem] == []


async def test_what_must_fail_and_passes_is_a_problem() -> None:
    task = environment().task(
        slug="leave-it", surface="api", route="POST /api/boxes", writes={Box}, actors={"desk": "mira"},
        along={"toy_log": "the log"}, instruction="Do not touch the old box.",
    )  # fmt: skip

    @task.guard(owns={Box})
    def old_box_is_there(end: End, facts: Facts) -> None:
        """The old box stands where it stood."""
        assert not end.gone(Box)

    @task.reference
    async def honest(desk: Actor, facts: Facts) -> None:
        await post(desk, facts)

    problems = (await prove(task, quick=True)).problems
    for what in (
        "the pristine world",
        "an agent that does nothing",
        "an agent that only says",
        "an empty world",
    ):
        assert any(f": {what}" in problem and "passes; a guard must ask" in problem for problem in problems)


async def test_a_reference_by_another_route_is_a_problem() -> None:
    task = put_a_box(environment())
    task.route = "PUT /api/boxes"
    [problem] = (await prove(task, quick=True)).problems
    assert problem.endswith("the reference does not write by PUT /api/boxes but by POST /api/boxes.")


async def test_a_step_that_may_be_done_twice_escapes() -> None:
    task = environment().task(
        slug="some-boxes", surface="api", route="POST /api/boxes", writes={Box}, actors={"desk": "mira"},
        along={"toy_log": "the log"}, instruction="Put some {label} on the shelf.",
    )  # fmt: skip
    task.subjects(Box, "some-boxes-of-it", lambda row, facts: row.label == facts.label)

    @task.reference
    async def honest(desk: Actor, facts: Facts) -> None:
        async with desk.step("put"):
            await post(desk, facts)

    proof = await prove(task)
    assert {(g.kind, g.outcome) for g in proof.generated} == {("dropped", "refused"), ("twice", "escaped")}
    assert proof.problems == [
        "toy/some-boxes: ESCAPED: step 'put' done twice, and the task passes; a guard must notice."
    ]


async def test_a_step_whose_repetition_changes_nothing_is_harmless() -> None:
    task = environment().task(
        slug="close-the-old-box", surface="api", route="POST /api/boxes/{id}/close", writes={Box},
        actors={"desk": "mira"}, instruction="Close {old.label}.",
    )  # fmt: skip
    task.subject(Box, "closed", lambda row, facts: row.id == facts.old.id, changed=("closed_at",))

    @task.guard
    def closed_now(box: Box, end: End) -> None:
        """It was closed at the time it was closed."""
        assert box.closed_at == end.now

    @task.reference
    async def honest(desk: Actor, facts: Facts) -> None:
        async with desk.step("close"):
            await desk.post(f"/api/boxes/{facts.old.id}/close")

    proof = await prove(task)
    assert proof.held and proof.needless == []
    assert [(g.kind, g.outcome) for g in proof.generated] == [("dropped", "refused"), ("twice", "harmless")]


async def test_a_play_may_not_hang() -> None:
    task = put_a_box(environment())
    async with attempts_on(task.env, services=SERVICES) as attempts, attempts.open(task) as attempt:
        await attempt.drive(lambda: _forever(attempt.actors["desk"]), timeout=0.05)
        evidence = attempt.evidence()
        assert attempts.server.worlds.names() == ["p1"]
    assert evidence.ended == "time-out" and evidence.error == "not done after 0.05 seconds"
    assert attempts.server.worlds.names() == [] and attempts.server.leases.all() == []


async def _forever(desk: Actor) -> None:
    await asyncio.sleep(30)


async def test_entries_are_the_owning_guards_to_refuse() -> None:
    task = put_a_box(environment())

    @task.guards["logged-once"].cheat
    async def a_second_line(desk: Actor, facts: Facts) -> None:
        """Adds a line of its own to the log, signed by nobody."""
        box_id = await post(desk, facts)
        desk.forge.insert(Entry(id=50, box_id=box_id, by=""))

    assert (await prove(task, quick=True)).problems == []


async def test_a_seed_that_makes_another_world_each_time_is_told() -> None:
    weights = count(1)

    def drawing(w: Seed) -> Facts:
        facts = seed(w)
        w.tx.update(facts.old, weight=next(weights))
        return facts

    env = Environment(name="Toy", product="toy", facts=Facts, seed=drawing, slug="toy")
    proof = await prove(put_a_box(env))
    assert any("the seed makes another world each time" in problem for problem in proof.problems)
