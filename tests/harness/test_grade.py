"""Grades of attempts: subjects, standing guards, answers, and bundles that are graded again."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import apsw
import pytest

from fakes.core import auth
from harness.attempt import Attempts
from harness.bundle import Bundle, BundleError, pack
from harness.environment import Environment
from harness.evidence import End, Evidence, OpenEvidence
from harness.grade import Grade, grade
from harness.guards import Along, TaskError
from harness.qualify import attempts_on
from harness.rails import Actor, PlayError
from harness.task import Task
from tests.harness.toy import SERVICES, Box, Entry, Facts
from tests.harness.toy_tasks import Count, environment, post, put_a_box

Act = Callable[[Actor, Facts], Awaitable[Any]]


@pytest.fixture
def env() -> Environment:
    return environment()


@pytest.fixture
def task(env: Environment) -> Task:
    return put_a_box(env)


@pytest.fixture
async def attempts(env: Environment) -> AsyncIterator[Attempts]:
    async with attempts_on(env, services=SERVICES) as opened:
        yield opened


async def evidence_of(attempts: Attempts, task: Task, act: Act) -> Evidence:
    async with attempts.open(task) as attempt:
        attempt.answer = await act(attempt.actors["desk"], attempt.base.facts)
        return attempt.evidence()


async def graded(attempts: Attempts, task: Task, act: Act) -> Grade:
    return grade(await evidence_of(attempts, task, act), task, SERVICES)


def states(found: Grade) -> dict[str, str]:
    return {verdict.guard: verdict.state for verdict in found.verdicts}


async def nothing(desk: Actor, facts: Facts) -> None:
    """Does nothing."""


# subjects


async def test_every_guard_speaks_of_honest_work(attempts: Attempts, task: Task) -> None:
    found = await graded(attempts, task, post)
    assert found.passed and found.state == "passed"
    assert list(states(found)) == [*task.guards, "nothing-else-changed", "by-the-named-surface"]


async def test_without_a_subject_its_guards_are_not_judged(attempts: Attempts, task: Task) -> None:
    found = await graded(attempts, task, nothing)
    assert states(found)["one-box"] == "refused"
    assert states(found)["weighed"] == states(found)["due-that-day"] == "not judged"
    assert found.state == "failed"


async def test_two_subjects_are_their_own_guards_to_refuse(attempts: Attempts, task: Task) -> None:
    async def twice(desk: Actor, facts: Facts) -> None:
        await post(desk, facts)
        await post(desk, facts)

    found = await graded(attempts, task, twice)
    assert found.refused == {"one-box", "logged-once"}
    assert found.verdicts[0].message == "2 new rows of toy_boxes fit"


# nothing else changed


async def test_another_new_row_is_something_else(attempts: Attempts, task: Task) -> None:
    async def too_much(desk: Actor, facts: Facts) -> None:
        await post(desk, facts)
        desk.forge.insert(
            Box(id="box_2", seq=8, label="Extra", weight=1, due=None, fragile=False, closed_at=None)
        )

    found = await graded(attempts, task, too_much)
    assert found.refused == {"nothing-else-changed"}
    assert found.verdicts[-2].message == "toy_boxes box_2 is new"


async def test_a_changed_or_removed_row_is_something_else(attempts: Attempts, task: Task) -> None:
    async def relabel(desk: Actor, facts: Facts) -> None:
        await post(desk, facts)
        desk.forge.update(facts.old, label="Older", weight=4)

    async def remove(desk: Actor, facts: Facts) -> None:
        await post(desk, facts)
        desk.forge.delete(facts.old)

    changed, removed = await graded(attempts, task, relabel), await graded(attempts, task, remove)
    assert changed.verdicts[-2].message == "toy_boxes box_old was changed in label, weight"
    assert removed.verdicts[-2].message == "toy_boxes box_old is gone"
    assert changed.refused == removed.refused == {"nothing-else-changed"}


async def test_what_changes_back_is_no_change(attempts: Attempts, task: Task) -> None:
    async def there_and_back(desk: Actor, facts: Facts) -> None:
        await post(desk, facts)
        desk.forge.update(desk.forge.update(facts.old, label="Older"), label="Old")

    assert (await graded(attempts, task, there_and_back)).passed


async def test_of_a_changed_subject_only_named_columns_may_change(
    attempts: Attempts, env: Environment
) -> None:
    task = env.task(
        slug="close",
        surface="api",
        route="POST /api/boxes/{id}/close",
        writes={Box},
        actors={"desk": "mira"},
        instruction="Close it.",
    )
    task.subject(Box, "closed", lambda row, facts: row.id == facts.old.id, changed=("closed_at",))

    async def close(desk: Actor, facts: Facts) -> None:
        await desk.post(f"/api/boxes/{facts.old.id}/close")

    async def close_and_relabel(desk: Actor, facts: Facts) -> None:
        await close(desk, facts)
        desk.forge.update(facts.old, label="Older")

    assert (await graded(attempts, task, close)).passed
    assert (await graded(attempts, task, close_and_relabel)).refused == {"nothing-else-changed"}
    task.along["toy_boxes"] = Along("closing may relabel", operation="changed", columns=("label",))
    assert (await graded(attempts, task, close_and_relabel)).passed


async def test_what_comes_along_is_bounded(attempts: Attempts, env: Environment) -> None:
    task = env.task(
        slug="put",
        surface="api",
        route="POST /api/boxes",
        writes={Box},
        actors={"desk": "mira"},
        instruction="Put.",
    )
    task.subject(Box, "one-box", lambda row, facts: True)
    assert (await graded(attempts, task, post)).refused == {"nothing-else-changed"}
    for along, passes in (
        (Along("logged"), True),
        (Along("logged", operation="new"), True),
        (Along("logged", operation="changed"), False),
        (Along("logged", where=lambda row, facts: row.by == facts.mira.email), True),
        (Along("logged", where=lambda row, facts: row.by == "tom"), False),
    ):
        task.along["toy_log"] = along
        assert (await graded(attempts, task, post)).passed is passes, along


async def test_a_changed_row_of_an_owned_table_is_left_to_the_owner_only_if_it_refuses(
    attempts: Attempts, env: Environment
) -> None:
    task = env.task(
        slug="put",
        surface="api",
        route="POST /api/boxes",
        writes={Entry},
        actors={"desk": "mira"},
        instruction="Put.",
    )

    @task.guard(owns={Box})
    def old_box_untouched(end: End, facts: Facts) -> None:
        """The old box has its label."""
        assert [box.label for box in end.all(Box, "WHERE id = ?", (facts.old.id,))] == ["Old"]

    async def relabel(desk: Actor, facts: Facts) -> None:
        desk.forge.update(facts.old, label="Older")

    async def weigh(desk: Actor, facts: Facts) -> None:
        desk.forge.update(facts.old, weight=9)

    assert (await graded(attempts, task, relabel)).refused == {"old-box-untouched"}
    assert (await graded(attempts, task, weigh)).refused == {"nothing-else-changed"}


async def test_signing_in_is_no_change(attempts: Attempts, task: Task) -> None:
    found = await graded(attempts, task, nothing)
    assert states(found)["nothing-else-changed"] == "passed"


# by the named surface


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"surface": "browser", "mode": "navigate"}, "by POST /api/boxes through browser, not api"),
        ({"lease": None}, "by POST /api/boxes from no actor's lease, as mira@toy.example"),
        ({"lease": "lease-99"}, "by POST /api/boxes from no actor's lease, as mira@toy.example"),
        (
            {"person": "tom@toy.example"},
            "by POST /api/boxes as tom@toy.example, from the lease of mira@toy.example",
        ),
        (
            {"person": None, "credential": "session:ses_9"},
            "by POST /api/boxes as nobody known, from the lease of mira@toy.example",
        ),
        (
            {"person": "tom@toy.example", "credential": "link:req_1"},
            "by POST /api/boxes as tom@toy.example, from the lease of mira@toy.example",
        ),
    ],
)
async def test_a_write_by_another_way_is_refused(
    attempts: Attempts, task: Task, changes: dict[str, Any], why: str
) -> None:
    async def forged(desk: Actor, facts: Facts) -> None:
        box = Box(id="b", seq=5, label=facts.label, weight=1, due=facts.due, fragile=False, closed_at=None)
        desk.forge.sent(**changes).insert(box)
        desk.forge.insert(Entry(id=5, box_id="b", by="me"))

    found = await graded(attempts, task, forged)
    assert found.refused == {"by-the-named-surface"}
    assert found.verdicts[-1].message == f"toy_boxes b is new {why}"


@pytest.mark.parametrize(
    "changes",
    [
        {"person": None, "credential": "link:req_1"},
        {"person": "Mira@Toy.example", "credential": "link:req_1"},
        {"person": None, "credential": None},
    ],
)
async def test_a_public_link_and_no_log_in_at_all_go_by_the_lease(
    attempts: Attempts, task: Task, changes: dict[str, Any]
) -> None:
    async def by_link(desk: Actor, facts: Facts) -> None:
        box = Box(id="b", seq=5, label=facts.label, weight=1, due=facts.due, fragile=False, closed_at=None)
        desk.forge.sent(**changes).insert(box)
        desk.forge.insert(Entry(id=5, box_id="b", by="me"))

    assert (await graded(attempts, task, by_link)).passed


async def test_who_signs_in_as_another_person_is_refused_on_his_own_lease(
    attempts: Attempts, task: Task
) -> None:
    async with attempts.open(task) as attempt:
        tom, facts = attempt.world.person("tom@toy.example"), attempt.base.facts
        assert tom is not None
        token = auth.issue_token(attempt.world, tom, "toy")
        sent = {"label": facts.label, "due": facts.due.isoformat(), "weight": 2}
        headers = {"authorization": f"Bearer {token}"}
        await attempt.actors["desk"].post("/api/boxes", json=sent, headers=headers)
        found = grade(attempt.evidence(), task, SERVICES)
    assert found.refused == {"by-the-named-surface"}
    assert found.verdicts[-1].message.endswith("as tom@toy.example, from the lease of mira@toy.example")


async def test_a_write_by_no_request_is_refused(attempts: Attempts, task: Task) -> None:
    async with attempts.open(task) as attempt:
        await post(attempt.actors["desk"], attempt.base.facts)
        with attempt.world.tx() as tx:
            box = attempt.world.all(Box, "ORDER BY seq DESC")[0]
            tx.update(box, fragile=True)
        found = grade(attempt.evidence(), task, SERVICES)
    assert found.refused == {"by-the-named-surface"}
    assert found.verdicts[-1].message.endswith("is new by no request")


async def test_a_browser_task_asks_for_a_page(attempts: Attempts, env: Environment) -> None:
    task = env.task(
        slug="by-page",
        surface="browser",
        route="POST /boxes",
        writes={Box},
        actors={"desk": "mira"},
        instruction="Put.",
    )
    task.subject(Box, "one-box", lambda row, facts: True)
    box = Box(id="b", seq=5, label="x", weight=1, due=None, fragile=False, closed_at=None)
    for changes, passes in (({}, True), ({"mode": None}, False), ({"surface": "api"}, False)):
        async with attempts.open(task, rail="script") as attempt:
            attempt.actors["desk"].forge.sent(**changes).insert(box)
            assert grade(attempt.evidence(), task, SERVICES).passed is passes, changes


# what guards read


async def test_four_values_stay_four(attempts: Attempts, env: Environment) -> None:
    task = env.task(
        slug="four",
        surface="api",
        route="POST /api/boxes",
        writes={Box},
        actors={"desk": "mira"},
        instruction="Four.",
    )
    task.subjects(Box, "boxes-there", lambda row, facts: True)
    seen: list[Any] = []

    @task.guard
    def looks(boxs: list[Box]) -> None:
        """It looks."""
        seen.extend((box.weight, box.due) for box in boxs)

    async def forged(desk: Actor, facts: Facts) -> None:
        desk.forge.insert(Box(id="a", seq=5, label="", weight=None, due="", fragile=None, closed_at=None))  # type: ignore[arg-type]
        desk.forge.insert(Box(id="b", seq=6, label="", weight=0, due=None, fragile=None, closed_at=None))

    assert (await graded(attempts, task, forged)).passed
    assert seen == [(None, ""), (0, None)]


async def test_an_end_tells_what_was_and_who_wrote(attempts: Attempts, task: Task) -> None:
    async def act(desk: Actor, facts: Facts) -> None:
        await desk.get("/api/boxes")
        await post(desk, facts)
        desk.forge.update(facts.old, weight=4)

    evidence = await evidence_of(attempts, task, act)
    with OpenEvidence(evidence, SERVICES) as (before, after):
        end = End(before, after, evidence)
        [new], [(was, now)] = end.new(Box), end.changed(Box)
        assert (new.label, was.weight, now.weight) == ("Lamps", 3, 4)
        assert end.gone(Box) == []
        assert [
            len(rows) for rows in (end.was(Box), end.all(Box), end.all(Box, "WHERE id = ?", ("box_old",)))
        ] == [1, 2, 1]
        writer = end.writer(new)
        assert writer is not None
        assert (writer.route, writer.surface, writer.status) == ("POST /api/boxes", "api", 201)
        assert writer.person == "mira@toy.example" and writer.lease == end.actors["desk"].lease
        assert writer.credential == "token:tok_1"
        assert end.writer(evidence.facts.mira) is None
        assert [request.method for request in end.requests] == ["GET", "POST", "POST"]


async def test_an_end_cannot_be_written(attempts: Attempts, task: Task) -> None:
    evidence = await evidence_of(attempts, task, nothing)
    with OpenEvidence(evidence, SERVICES) as (before, after):
        End(before, after, evidence)
        with pytest.raises(apsw.Error), after.tx() as tx:
            tx.delete(evidence.facts.old)


async def test_a_hold_that_is_broken_voids_the_attempt(attempts: Attempts, task: Task) -> None:
    @task.hold
    def old_box_there(end: End, facts: Facts) -> None:
        """The old box was there."""
        assert not end.was(Box), "it was not"

    found = await graded(attempts, task, post)
    assert found.state == "void" and not found.passed and found.void == "old-box-there: it was not"


# answers


@pytest.mark.parametrize(
    ("given", "state", "refused"),
    [
        ({"boxes": 2}, "passed", set()),
        ('{"boxes": 2}', "passed", set()),
        (Count(boxes=2), "passed", set()),
        ({"boxes": 0}, "failed", {"counted"}),
        ({"boxes": None}, "failed", {"counted"}),
        (None, "failed", {"answer-as-asked"}),
        ("", "failed", {"answer-as-asked"}),
        ("two", "failed", {"answer-as-asked"}),
        ("[" * 20_000, "failed", {"answer-as-asked"}),
        ({"boxes": float("nan")}, "failed", {"answer-as-asked"}),
        ("__import__('os')", "failed", {"answer-as-asked"}),
    ],
)
async def test_an_answer_is_typed(
    attempts: Attempts, env: Environment, given: Any, state: str, refused: set[str]
) -> None:
    task = env.task(
        slug="count",
        surface="api",
        route="POST /api/boxes",
        writes={Box},
        actors={"desk": "mira"},
        answer=Count,
        along={"toy_log": "logged"},
        instruction="Put one there and count.",
    )
    task.subject(Box, "one-box", lambda row, facts: True)

    @task.guard
    def counted(answer: Count) -> None:
        """There are two boxes now."""
        assert answer.boxes == 2

    async def act(desk: Actor, facts: Facts) -> Any:
        await post(desk, facts)
        return given

    evidence = await evidence_of(attempts, task, act)
    for kept in (evidence, Bundle(pack(evidence)).evidence(task, SERVICES)):
        found = grade(kept, task, SERVICES)
        assert (found.state, set(found.refused)) == (state, refused)


# bundles


async def test_a_bundle_is_graded_the_same_offline(attempts: Attempts, task: Task) -> None:
    async def act(desk: Actor, facts: Facts) -> None:
        await post(desk, facts, weight=None)

    evidence = await evidence_of(attempts, task, act)
    first = grade(evidence, task, SERVICES)
    bundle = Bundle(pack(evidence, first))
    again = bundle.evidence(task, SERVICES)
    assert again == evidence
    assert grade(again, task, SERVICES) == first
    assert bundle.task_name == "toy/put-a-box" and bundle.other_revision(task) == ""
    assert bundle.manifest["verdicts"][2] == {"guard": "weighed", "state": "refused", "message": ""}
    assert bundle.manifest["versions"]["zone"] == "America/New_York"
    assert bundle.manifest["confined"] is False


async def test_a_bundle_names_another_revision_and_another_schema(attempts: Attempts, task: Task) -> None:
    content = pack(await evidence_of(attempts, task, post))
    other = Bundle(_with_versions(content, revision="0123"))
    assert other.other_revision(task).startswith(
        "The bundle was made for revision 0123 of toy/put-a-box; it is "
    )
    assert grade(other.evidence(task, SERVICES), task, SERVICES).passed
    with pytest.raises(BundleError, match="holds tables of schema version 0123"):
        Bundle(_with_versions(content, schema="0123")).evidence(task, SERVICES)


def _with_versions(content: bytes, **versions: str) -> bytes:
    with zipfile.ZipFile(io.BytesIO(content)) as old:
        parts = {name: old.read(name) for name in old.namelist()}
    manifest = json.loads(parts["manifest.json"])
    manifest["versions"].update(versions)
    parts["manifest.json"] = json.dumps(manifest).encode()
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as new:
        for name, part in parts.items():
            new.writestr(name, part)
    return held.getvalue()


@pytest.mark.parametrize("content", [b"", b"no zip", b"PK\x05\x06" + bytes(18)])
def test_what_is_no_bundle_is_refused(content: bytes) -> None:
    with pytest.raises(BundleError, match="This is no bundle of evidence"):
        Bundle(content)


# actors


async def test_an_error_status_is_a_play_error_unless_expected(attempts: Attempts, task: Task) -> None:
    async with attempts.open(task) as attempt:
        desk = attempt.actors["desk"]
        with pytest.raises(PlayError, match="desk: GET /api/crates was answered 404"):
            await desk.get("/api/crates")
        assert (await desk.get("/api/crates", expect=404)).status_code == 404
        with pytest.raises(PlayError, match="was answered 200"):
            await desk.get("/api/boxes", expect=404)
        with pytest.raises(PlayError, match="desk has no page: put-a-box is played by api"):
            _ = desk.page
        with pytest.raises(PlayError, match="There is no service 'gmail' here"):
            desk.api("gmail")


async def test_inputs_are_bytes_of_facts(attempts: Attempts, task: Task) -> None:
    async with attempts.open(task) as attempt:
        desk = attempt.actors["desk"]
        assert desk.input("label.txt") == b"Lamps"
        assert desk.upload("label.txt") == {"name": "label.txt", "mimeType": "text/plain", "buffer": b"Lamps"}
        with pytest.raises(TaskError, match="declares no input 'other.txt'"):
            desk.input("other.txt")


async def test_what_the_gateway_refused_is_evidence(attempts: Attempts, task: Task) -> None:
    async def stray(desk: Actor, facts: Facts) -> None:
        url = f"http://{desk.place.lease.address}:{desk.place.port}/w/main/api/boxes"
        await desk.get(url, expect=403)

    evidence = await evidence_of(attempts, task, stray)
    assert [refusal["path"] for refusal in evidence.refusals] == ["/w/main/api/boxes"]
