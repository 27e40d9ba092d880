"""The model rail against a scripted endpoint: what a model can do, and what becomes of what it does wrong."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TYPE_CHECKING, Any

import pytest

from harness.bundle import Bundle
from harness.discovery import find_task
from harness.driver import Driver
from harness.evidence import Usage
from harness.rails import BrowserRail
from harness.rails.model import brief, by_model, endpoints
from harness.rollout import Rollout, rollout
from harness.task import Task
from tests.conftest import Serve
from tests.harness.rails.scripted import DONE, KEY, Answers, Dialect, Says, Script, Step, ref, use
from tests.harness.toy import SERVICES
from tests.harness.toy_tasks import Count, environment, put_a_box, put_by_page

if TYPE_CHECKING:
    from playwright.async_api import Browser

Play = Callable[..., Awaitable[Rollout]]
BOTH = pytest.mark.parametrize("dialect", ["openai", "anthropic"])
BOX = {"label": "Lamps", "due": "2025-10-26", "weight": 2}
PUT = use("http_request", method="POST", path="/api/boxes", json=BOX)


@pytest.fixture(autouse=True)
def _no_endpoint(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI", "ANTHROPIC"):
        monkeypatch.delenv(f"{name}_BASE_URL", raising=False)
        monkeypatch.delenv(f"{name}_API_KEY", raising=False)
    for name in ("PARACOSM_MODEL_DIALECT", "PARACOSM_PRICES", "HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(endpoints, "FIRST_WAIT", 0.0)


@pytest.fixture
async def played(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Play]:
    """Lets a scripted model try a task; fails with what the endpoint found wrong."""
    scripts: list[Script] = []

    async def play(
        task: Task, *steps: Step, dialect: Dialect = "openai", turns: int | None = None,
        model: str = "gpt-5", timeout: float = 60, browser: Browser | None = None,
    ) -> Rollout:  # fmt: skip
        script = Script(*steps)
        scripts.append(script)
        async with serve(script.app) as url:
            monkeypatch.setenv("PARACOSM_MODEL_DIALECT", dialect)
            monkeypatch.setenv("OPENAI_BASE_URL", f"{url}/v1")
            monkeypatch.setenv("ANTHROPIC_BASE_URL", url)
            for name in ("OPENAI", "ANTHROPIC"):
                monkeypatch.setenv(f"{name}_API_KEY", KEY)
            driver = Driver(rail="model", model=model, max_turns=turns, timeout=timeout)
            rail = BrowserRail(browser) if browser is not None else None
            services = SERVICES if task.env.slug == "toy" else None
            return await rollout(task, by_model(driver), services=services, browser=rail)

    yield play
    assert [problem for script in scripts for problem in script.problems] == []
    assert [script.left for script in scripts] == [0] * len(scripts)


@pytest.fixture
def task() -> Task:
    return put_a_box(environment())


def transcript(done: Rollout) -> list[dict[str, Any]]:
    return [json.loads(line) for line in Bundle(done.bundle).extras["transcript.jsonl"].splitlines()]


def texts(done: Rollout, kind: str) -> list[str]:
    return [line["text"] for line in transcript(done) if line["kind"] == kind]


# an honest model


@BOTH
async def test_a_model_does_a_task_of_the_claims_desk(played: Play, dialect: Dialect) -> None:
    task = find_task("claims_desk/record-the-determination")
    known: dict[str, str] = {}

    def look(told: list[str]) -> Says:
        assert "Dana Whitfield" in told[0] and "Mira Okafor" in told[0]
        known["paper"] = str(re.search(r"desk's documents as '([^']+)'", told[0])[1])  # type: ignore[index]
        paths = ("/api/documents", "/api/claims")
        return Says(calls=[("list_routes", {}), *(("http_request", {"path": path}) for path in paths)])

    def read(told: list[str]) -> Says:
        assert "POST /api/notices: Records a paper." in told[0]
        papers, claims = (json.loads(text.partition("\n\n")[2]) for text in told[1:3])
        paper = next(each for each in papers["documents"] if each["name"] == known["paper"])
        claim = next(each for each in claims["claims"] if each["claimant"]["name"] == "Dana Whitfield")
        known.update(document_id=paper["id"], claim_id=claim["id"])
        return use("http_request", path=f"/api/documents/{paper['id']}")

    def record(told: list[str]) -> Says:
        labels = {"notice_date": "Notice date", "mail_date": "Mail date", "printed_due": "Last day to reply"}
        found = {
            n: re.search(rf"{label}\W+(\d{{4}}-\d\d-\d\d)", told[0], re.I) for n, label in labels.items()
        }
        sent = {"type": "determination", "state": "NY", **{n: m[1] for n, m in found.items() if m}}
        sent |= {name: known[name] for name in ("document_id", "claim_id")}
        return use("http_request", method="POST", path="/api/notices", json=sent)

    done = await played(task, look, read, record, DONE, dialect=dialect, model="claude-sonnet-4-5-20250929")
    assert done.grade.state == "passed", done
    plain, written = (800, 0) if dialect == "openai" else (400, 400)
    spent = (plain * 3 + written * 3.75 + 3200 * 0.3 + 40 * 15) / 1_000_000
    assert done.evidence.usage == Usage(4, 4000, 40, round(spent, 6))
    kinds = [line["kind"] for line in transcript(done)]
    assert kinds[:4] == ["setup", "system", "told", "tool"] and kinds[-1] == "exit"
    assert json.loads(texts(done, "setup")[0])["prompt"] == brief.name_of(brief.SYSTEM)
    assert KEY.encode() not in done.bundle + Bundle(done.bundle).extras["transcript.jsonl"]


async def test_a_model_does_a_task_in_its_browser(played: Play, browser: Browser) -> None:
    def choose(told: list[str]) -> Says:
        kind, file = ref(told, 'combobox "Kind of paper"'), ref(told, 'button "File')
        chosen = ("browser_select", {"ref": kind, "values": ["statement"]})
        return Says(calls=[chosen, ("browser_upload", {"ref": file, "name": "q3-statement.txt"})])

    done = await played(
        find_task("claims_desk/audit-the-quarterly-statement"),
        use("read_input", name="q3-statement.txt"),
        use("browser_goto", path="/ledger"),
        use("browser_screenshot"),
        Answers(400, {"error": {"message": "no images"}}),
        use("browser_snapshot"),
        choose,
        lambda told: use("browser_click", ref=ref(told, 'button "Send in')),
        lambda told: use("browser_click", ref=ref(told, 'button "Start audit of q3-statement.txt')),
        DONE,
        browser=browser,
    )
    assert done.grade.state == "passed", (done.grade, transcript(done))
    assert done.evidence.rail == "browser" and "no images" in texts(done, "retry")[0]


async def test_a_picture_is_shown_and_kept(played: Play, browser: Browser) -> None:
    def fill(told: list[str]) -> Says:
        label, due = ref(told, 'textbox "Label"'), ref(told, 'textbox "Due"')
        return Says(
            calls=[
                ("browser_type", {"ref": label, "text": "Lamps"}),
                ("browser_click", {"ref": "the button"}),
                ("browser_type", {"ref": due, "text": "2025-10-26", "submit": True}),
                ("browser_screenshot", {}),
            ]
        )

    def look(told: list[str]) -> Says:
        assert told[-1] == "[picture]" and "Lamps" in told[2]
        return DONE

    task = put_by_page(environment())
    done = await played(task, use("browser_goto", path="/"), fill, look, dialect="anthropic", browser=browser)
    assert done.grade.state == "passed", (done.grade, transcript(done))
    assert Bundle(done.bundle).extras["shots/1.png"].startswith(b"\x89PNG")
    assert texts(done, "error") == ["'the button' is no ref: take one from the snapshot, such as e12."]


# models that do not do the task


@pytest.mark.parametrize(
    "steps",
    [[DONE], [Says("It is done, trust me.")] * 3, [Says()] * 3],
    ids=["done at once", "says so", "says nothing"],
)
@BOTH
async def test_a_lazy_model_fails(played: Play, task: Task, steps: list[Step], dialect: Dialect) -> None:
    done = await played(task, *steps, dialect=dialect)
    assert (done.grade.state, done.evidence.error) == ("failed", "")
    assert texts(done, "told")[1:] == [brief.NUDGE] * (len(steps) - 1)


@BOTH
async def test_a_refusal_is_an_error_of_its_own(played: Play, task: Task, dialect: Dialect) -> None:
    done = await played(task, PUT, Says("I won't.", refusal="I won't."), dialect=dialect)
    assert (done.grade.state, done.evidence.error) == ("error", "The model refused to go on: I won't.")


async def test_the_turns_run_out(played: Play, task: Task) -> None:
    done = await played(task, *[use("list_routes")] * 2, turns=2)
    assert (done.grade.state, done.evidence.error) == ("time-out", "not done after 2 turns")
    assert done.evidence.usage.steps == 2


async def test_the_time_runs_out(played: Play, task: Task) -> None:
    done = await played(task, Answers(429, {}, {"retry-after": "30"}), timeout=2)
    assert done.grade.state == "time-out" and done.evidence.error.endswith("not done after 2 seconds")
    assert texts(done, "retry") == ["429 Too Many Requests; asked again after 30 seconds"]


# what is called wrongly


@BOTH
async def test_whatever_is_called_wrongly_is_told_and_never_the_end(
    played: Play, task: Task, dialect: Dialect
) -> None:
    wrong: list[tuple[str, Any]] = [
        ("http_get", {"path": "/"}),
        ("http_request", {"url": "/api/boxes"}),
        ("http_request", {"path": "/api/boxes", "actor": "boss"}),
        ("http_request", {"path": "api", "service": "gmail"}),
        ("http_request", {"path": "http://control.localhost/worlds"}),
        ("http_request", {"path": "/api/boxes", "method": "POST", "json": {"weight": 1}}),
        ("read_input", {"name": "labels.txt"}),
        ("http_request", {"path": "/api/boxes/none"}),
    ]
    if dialect == "openai":
        wrong += [("http_request", '{"path": "/api/bo'), ("http_request", "[" * 20_000)]

    def look(told: list[str]) -> Says:
        assert len(told) == len(wrong)
        expected = (
            "There is no tool 'http_get'; there are http_request, list_routes, read_input, done.",
            "http_request was not called as it must be: path: Field required; url: Extra inputs",
            "There is no actor 'boss'; there are desk.",
            "There is no service 'gmail'; there are toy.",
            "Nothing outside of this world can be reached, and http://control.localhost/worlds",
            "500 Internal Server Error",
            "There is no file 'labels.txt'; there are label.txt.",
            "404 Not Found",
            'The arguments of http_request are no JSON object: {"path": "/api/bo',
            "The arguments of http_request are no JSON object: [[[",
        )
        for said, sentence in zip(told, expected, strict=False):
            assert said.removeprefix("Error: ").startswith(sentence)
        return PUT

    done = await played(task, Says(calls=wrong), look, DONE, dialect=dialect)
    assert done.grade.state == "passed", transcript(done)


@BOTH
async def test_a_message_that_was_cut_is_not_acted_on_to_its_end(
    played: Play, task: Task, dialect: Dialect
) -> None:
    stop = "length" if dialect == "openai" else "max_tokens"
    [(name, box)] = PUT.calls

    def again(told: list[str]) -> Says:
        assert told[0].startswith("200 OK") and "cut off before this call was complete" in told[1]
        return Says("I think", stop=stop)

    cut = Says(calls=[("http_request", {"path": "/api/boxes"}), (name, box)], stop=stop)
    done = await played(task, cut, again, PUT, DONE, dialect=dialect)
    assert done.grade.state == "passed", transcript(done)
    assert texts(done, "told")[1:] == [brief.CUT]


# answers


@BOTH
async def test_an_answer_is_handed_in_in_its_form(played: Play, task: Task, dialect: Dialect) -> None:
    task.answer = Count

    def again(told: list[str]) -> Says:
        assert "was not handed in: boxes: Input should be a valid integer" in told[0]
        assert "done wants the answer" in told[1]
        return use("done", answer={"boxes": 2})

    wrong = Says(calls=[("done", {"answer": {"boxes": "two"}}), ("done", {"boxes": 2})])
    done = await played(task, PUT, wrong, again, dialect=dialect)
    assert (done.grade.state, done.evidence.answer) == ("passed", {"boxes": 2})


# endpoints that fail


async def test_a_busy_endpoint_is_asked_again(played: Play, task: Task) -> None:
    busy = [Answers(status, {"error": {"message": "Overloaded"}}) for status in (429, 503, 529)]
    done = await played(task, *busy, PUT, Answers(500, "oops", {"retry-after": "0"}), DONE)
    assert done.grade.state == "passed"
    assert texts(done, "retry")[2:] == [
        "529 Overloaded; asked again after 0 seconds", "500 oops; asked again after 0 seconds",
    ]  # fmt: skip


async def test_an_endpoint_that_fails_is_an_error_and_what_was_done_is_kept(played: Play, task: Task) -> None:
    done = await played(task, PUT, Answers(401, {"error": f"Bad key {KEY}."}))
    assert done.grade.state == "error"
    assert done.evidence.error.endswith(" refuses the key: Bad key [key].")
    assert KEY not in str(transcript(done)) and done.evidence.usage.steps == 1


async def test_without_an_endpoint_an_attempt_is_not_run(task: Task) -> None:
    done = await rollout(task, by_model(Driver(rail="model", model="gpt-5")), services=SERVICES)
    assert done.grade.state == "not-run"
    assert done.evidence.error.startswith("There is no endpoint to ask a model at: set OPENAI_BASE_URL")
