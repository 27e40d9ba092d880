"""Evidence whose worlds and journal do not fit together counts for nothing, whatever its digests say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from fakes.core.world import open_world
from harness import app, discovery
from harness.bundle import pack
from harness.cli import run
from harness.evidence import Evidence, EvidenceError
from harness.grade import grade
from harness.probes import probe
from harness.qualify import attempts_on
from harness.task import Task
from tests.harness.toy import SERVICES
from tests.harness.toy_tasks import environment, post, put_a_box

SAID = "the worlds and the journal of this bundle do not agree: "


@pytest.fixture
def task() -> Task:
    return put_a_box(environment())


@pytest.fixture
async def evidence(task: Task) -> Evidence:
    async with attempts_on(task.env, services=SERVICES) as attempts, attempts.open(task) as attempt:
        desk, facts = attempt.actors["desk"], attempt.base.facts
        box = await post(desk, facts)
        await desk.post(f"/api/boxes/{box}/close")
        return attempt.evidence()


def edited(image: bytes, sql: str) -> bytes:
    """A world that was written past its journal."""
    world = open_world("edited", SERVICES, image=image)
    with world.kernel_write():
        world.con.execute(sql)
    try:
        return world.image()
    finally:
        world.con.close()


async def test_evidence_as_it_was_taken_agrees(evidence: Evidence, task: Task) -> None:
    assert grade(evidence, task, SERVICES).passed


EDITS = [
    ("UPDATE toy_boxes SET weight = 7 WHERE id != 'box_old'", "toy_boxes box_"),
    ("UPDATE toy_boxes SET weight = 7 WHERE id = 'box_old'", "toy_boxes box_old"),
    ("DELETE FROM toy_boxes WHERE id = 'box_old'", "toy_boxes box_old"),
    ("INSERT INTO toy_log VALUES (77, 'box_old', 'me')", "toy_log 77"),
    ("UPDATE people SET name = 'Somebody'", "people per_"),
    ("DELETE FROM journal WHERE tbl = 'toy_log'", "toy_log 1"),
    ("DELETE FROM journal WHERE seq = (SELECT max(seq) FROM journal)", "toy_boxes box_"),
    ("UPDATE journal SET after = replace(after, 'null', '7') WHERE tbl = 'toy_boxes'", "toy_boxes box_"),
    ("UPDATE world SET value = '0' WHERE name = 'pristine_hash'", "the pristine hash"),
]


@pytest.mark.parametrize(("sql", "named"), EDITS)
async def test_a_world_that_was_edited_is_void(evidence: Evidence, task: Task, sql: str, named: str) -> None:
    graded = grade(replace(evidence, after=edited(evidence.after, sql)), task, SERVICES)
    assert graded.state == "void" and not graded.passed and not graded.all_passed
    assert graded.void.startswith(f"{SAID}{named}")
    assert {verdict.state for verdict in graded.verdicts} == {"not judged"}
    assert len(graded.verdicts) == len(task.guards) + len(task.standing)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (lambda e: replace(e, pristine_hash="0"), "the pristine hash"),
        (lambda e: replace(e, baseline=e.baseline + 1), "the baseline, toy_boxes box_"),
        (lambda e: replace(e, before=edited(e.before, "DELETE FROM toy_boxes")), "toy_boxes box_old"),
        (lambda e: replace(e, before=e.after), "the baseline, "),
    ],
)
async def test_so_is_another_world_before(
    evidence: Evidence, task: Task, change: Callable[[Evidence], Evidence], named: str
) -> None:
    graded = grade(change(evidence), task, SERVICES)
    assert graded.state == "void" and graded.void.startswith(f"{SAID}{named}")


async def test_what_is_no_world_can_not_be_graded(evidence: Evidence, task: Task) -> None:
    damaged = bytearray(evidence.after)
    damaged[4096:] = bytes(len(damaged) - 4096)
    for after in (b"", b"no database at all", bytes(damaged)):
        with pytest.raises(EvidenceError, match="can't be (opened|read)"):
            grade(replace(evidence, after=after), task, SERVICES)


async def test_probes_may_change_worlds(evidence: Evidence, task: Task) -> None:
    assert not any(graded.void for _, graded in probe(task, evidence, SERVICES))


async def test_the_command_says_so_and_never_passes(
    evidence: Evidence, task: Task, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.setattr(discovery, "environment_names", lambda: ["toy"])
    monkeypatch.setattr(discovery, "load_environment", lambda name: task.env)
    monkeypatch.setattr(app, "discover_services", lambda: SERVICES)
    forged = replace(evidence, after=edited(evidence.after, EDITS[0][0]))
    file = tmp_path / "forged.zip"
    file.write_bytes(pack(forged, grade(evidence, task, SERVICES)))  # its digests are right
    assert run(["grade", str(file)]) == run(["grade", str(file), "--guard", "weighed"]) == 1
    said = capsys.readouterr()
    assert f"void: {SAID}toy_boxes box_" in said.out
    assert "The verdict was 'passed' when the bundle was made." in said.err
    file.write_bytes(pack(replace(evidence, after=b"no database at all")))
    assert run(["grade", str(file)]) == 2
    assert capsys.readouterr().err.startswith("The world 'after' of this evidence can't be opened: ")
