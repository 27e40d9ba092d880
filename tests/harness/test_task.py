"""Declarations: what they make of names and docstrings, and the sentences that wrong ones get."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from harness.environment import Environment
from harness.evidence import End
from harness.guards import Along, TaskError
from harness.rails import Actor
from harness.task import Task
from tests.harness.toy import Box, Entry, Facts, seed
from tests.harness.toy_tasks import Count, environment, put_a_box


def made(**changes: Any) -> Task:
    given: dict[str, Any] = {
        "slug": "t",
        "surface": "api",
        "route": "POST /api/boxes",
        "writes": {Box},
        "actors": {"desk": "mira"},
        "instruction": "Put {label} there.",
    }
    return environment().task(**{**given, **changes})


def test_names_and_sentences_come_from_functions() -> None:
    task = put_a_box(environment())
    assert list(task.guards) == ["one-box", "due-that-day", "weighed", "logged-once"]
    assert task.guards["due-that-day"].sentence == "It is due on the day that was asked for."
    assert list(task.cheats) == ["another-day", "forged-without-a-weight"]
    assert task.cheats["another-day"].expected == {"due-that-day"}
    assert task.name == "toy/put-a-box"
    task.check()


def test_a_slug_comes_from_the_file_and_an_environments_from_its_folder() -> None:
    env = Environment(name="Toy", product="toy", facts=Facts, seed=seed)
    assert env.slug == "harness"
    task = env.task(surface="api", route="GET /", writes={Box}, actors={"desk": "mira"}, instruction="Look.")
    assert task.slug == "test-task"


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        (
            {"instruction": "Put {lable} there."},
            "instruction of t names 'lable'; the facts have due, label, mira, old",
        ),
        ({"actors": {"desk": "nobody"}}, "actor 'desk' of t names 'nobody'"),
        ({"actors": {}}, "t has no actors"),
        ({"inputs": {"a.txt": "paper"}}, "input 'a.txt' of t names 'paper'"),
        ({"writes": set()}, "t writes nothing"),
        ({"surface": "apis"}, "surface of t is browser, api or mcp, not 'apis'"),
        ({"answer": Facts}, "must be a pydantic model"),
    ],
)
def test_a_task_that_does_not_fit_its_facts_is_refused(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(TaskError, match=sentence):
        made(**changes)


def test_an_instruction_that_facts_cant_fill_in_is_told_with_its_place() -> None:
    facts = Facts(mira=None, old=None, due=None, label="a")  # type: ignore[arg-type]
    with pytest.raises(TaskError, match=r"\.py:\d+: the instruction can't be filled in: .*'nickname'"):
        made(instruction="Put it there, {mira.nickname}.").text(facts)


def test_what_comes_along_is_new_changed_or_gone() -> None:
    with pytest.raises(TaskError, match="is new, changed or gone, not 'added'"):
        Along("the box logs it", "added")


def test_a_guard_that_asks_for_what_there_is_not_is_refused() -> None:
    task = made()
    task.subject(Box, "one-box", lambda row, facts: True)

    def wrong(end: End, crate: Box) -> None:
        """It is in a crate."""

    with pytest.raises(TaskError, match="Guard 'wrong' asks for 'crate'; it can have end, facts, box"):
        task.guard(wrong)


def test_a_guard_may_ask_for_the_answer_only_if_there_is_one() -> None:
    def counted(answer: Count) -> None:
        """They were counted."""

    with pytest.raises(TaskError, match="asks for 'answer'"):
        made().guard(counted)
    assert made(answer=Count).guard(counted).params == ("answer",)


def test_a_guard_without_a_sentence_is_refused() -> None:
    def mute(end: End) -> None:
        assert end.now

    with pytest.raises(TaskError, match="'mute' needs a docstring"):
        made().guard(mute)


def test_a_cheat_must_be_async_and_ask_for_actors() -> None:
    guard = made().subject(Box, "one-box", lambda row, facts: True)

    async def wrong(clerk: Actor) -> None:
        """Asks for somebody else."""

    def sync(desk: Actor) -> None:
        """Does not wait."""

    with pytest.raises(TaskError, match="Cheat 'wrong' asks for 'clerk'; it can have desk, facts"):
        guard.cheat(wrong)
    with pytest.raises(TaskError, match="'sync' must be an async function"):
        guard.cheat(sync)  # type: ignore[arg-type]


def test_names_are_given_once() -> None:
    task = put_a_box(environment())

    def weighed(box: Box) -> None:
        """Again."""

    with pytest.raises(TaskError, match="has a guard 'weighed' already"):
        task.guard(weighed)
    with pytest.raises(TaskError, match="has an argument 'box' already"):
        task.subject(Box, "another", lambda row, facts: True)
    with pytest.raises(TaskError, match="has a task 'put-a-box' already"):
        put_a_box(task.env)


def test_a_subject_must_be_of_a_written_table_and_name_its_columns() -> None:
    with pytest.raises(TaskError, match="does not say that it writes Entry"):
        made().subject(Entry, "one-line", lambda row, facts: True)
    with pytest.raises(TaskError, match="Box has no column 'colour'"):
        made().subject(Box, "one-box", lambda row, facts: True, changed=("colour",))


def test_a_cheat_names_guards_that_there_are() -> None:
    task = put_a_box(environment())

    @task.guards["weighed"].cheat(also={"no-such-guard": "it would"})
    async def odd(desk: Actor) -> None:
        """Does something odd."""

    with pytest.raises(TaskError, match="Cheat 'odd' of put-a-box names 'no-such-guard' in also="):
        task.check()


def test_a_task_without_a_reference_cannot_be_proved() -> None:
    with pytest.raises(TaskError, match="has no reference"):
        made().check()


def test_a_subjects_table_does_not_come_along_whole() -> None:
    task = made(along={"toy_boxes": "boxes come and go"})
    task.subject(Box, "one-box", lambda row, facts: True)

    @task.reference
    async def honest(desk: Actor) -> None: ...

    with pytest.raises(TaskError, match="lets all of 'toy_boxes' come along"):
        task.check()
    task.along["toy_boxes"] = Along("closed by the way", operation="changed", columns=("closed_at",))
    task.check()


def test_facts_must_be_a_dataclass() -> None:
    with pytest.raises(TaskError, match="must be a dataclass"):
        Environment(name="Toy", product="toy", facts=dict, seed=seed)

    @dataclass(frozen=True)
    class Fine:
        """Nothing in it."""

    assert Environment(name="Toy", product="toy", facts=Fine, seed=seed).facts is Fine
