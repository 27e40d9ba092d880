"""`paracosm run`: who acts, what is kept, and what is shown while it runs."""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from rich.console import Console

from harness import rollouts as rolled
from harness.archive.records import Outcome
from harness.archive.store import read
from harness.cli import run
from harness.cli.acting import Said
from harness.cli.rolling import Rolling
from harness.cli.words import WrongUse
from harness.driver import Driver
from harness.environment import Environment
from harness.guards import Play
from harness.parallel import Job, Lost
from harness.rails import Actor, BrowserMissing, BrowserRail, Place
from harness.rollouts import Asked, Made, lost, summary
from tests.harness.toy_tasks import environment, put_a_box, put_by_page

DATA = Path(".paracosm")


# who acts


@pytest.mark.parametrize(
    ("said", "driver"),
    [
        (Said(play="null"), Driver(play="null")),
        (Said(play="null", rail="browser", video=True), Driver("browser", "null", recording="video")),
        (Said(agent="a.py:b", timeout=5), Driver(agent="a.py:b", timeout=5)),
        (
            Said(command="my-agent --say 'a b'", max_turns=9),
            Driver("command", command=("my-agent", "--say", "a b"), timeout=600, max_turns=9),
        ),
        (Said(recipe="codex", model="m"), Driver("command", recipe="codex", model="m", timeout=600)),
        (Said(rail="model", model="m"), Driver("model", model="m", timeout=600)),
        (Said(rail="manual"), Driver("manual", timeout=3600)),
    ],
)
def test_options_say_who_acts(said: Said, driver: Driver) -> None:
    assert said.driver() == driver and Driver.read(driver.plain()) == driver


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        (Said(), "Say who acts: --agent"),
        (Said(rail="browser"), "Say who acts: --agent"),
        (Said(rail="post", play="null"), "There is no rail 'post'; there are api, browser, mcp, command,"),
        (Said(play="null", agent="a.py:b"), "Say who acts once: --play or --agent."),
        (Said(recipe="codex", command="x"), "Say who acts once: --command or --recipe."),
        (Said(rail="command"), "--rail command goes with --command COMMAND or --recipe NAME"),
        (Said(rail="command", play="null"), "--rail command goes with --command COMMAND or --recipe NAME"),
        (Said(rail="api", recipe="codex"), "--rail command goes with --command COMMAND or --recipe NAME"),
        (Said(rail="model"), "--rail model needs a model: say --model NAME."),
        (Said(rail="model", model="m", play="null"), "On --rail model nobody else acts: leave out --play."),
        (Said(rail="manual", agent="a.py:b"), "On --rail manual nobody else acts: leave out --agent."),
        (Said(play="null", model="m"), "--model is about --rail model, --recipe and --command"),
        (Said(model="m"), "Say who acts: --agent"),
        (Said(play="null", max_turns=3), "--max-turns is about --rail model, --recipe and --command"),
        (Said(rail="model", model="m", max_turns=0), "--max-turns takes a number, 1 or more, not 0."),
        (Said(command="a 'b"), "--command can't be read: No closing quotation."),
        (Said(command=" "), "--command is empty"),
        (Said(recipe="nope"), "There is no recipe 'nope'; there are claude-code, "),
        (Said(play="null", trace=True, video=True), "Say --trace or --video, not both"),
        (Said(play="null", rail="api", trace=True), "--trace records browsers that the harness opens"),
        (Said(play="null", timeout=float("inf")), "--timeout takes seconds, more than 0, not inf."),
    ],
)
def test_what_does_not_go_together_is_told_in_a_sentence(said: Said, sentence: str) -> None:
    with pytest.raises(WrongUse) as told:
        said.driver()
    assert str(told.value).startswith(sentence)


def test_a_person_does_one_task_at_a_time(toy: Environment, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["run", "toy", "--rail", "manual", "-j", "2"]) == 2
    assert capsys.readouterr().err == "A person does one task at a time: leave out --parallel.\n"


@pytest.mark.parametrize(
    ("who", "sentence"),
    [
        (["--command", "no-such-agent {prompt}"], "There is no program 'no-such-agent' on the PATH"),
        (["--rail", "model", "--model", "m"], "There is no endpoint to ask a model at: set OPENAI_BASE_URL"),
    ],
)
def test_who_is_not_there_is_told_before_anything_is_planned(
    toy: Environment, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, who: list[str],
    sentence: str,
) -> None:  # fmt: skip
    for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY", "ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    assert run(["run", "toy", *who]) == 2
    assert capsys.readouterr().err.startswith(sentence) and read(DATA / "archive.db").runs == ()


# what is kept


def test_an_environments_tasks_all_come_once_before_any_comes_again(toy: Environment) -> None:
    other = put_a_box(environment())
    other.env, other.slug = toy, "put-again"
    toy.tasks["put-again"] = other
    assert run(["run", "toy", "toy/put-a-box", "--play", "null", "--rollouts", "2", "--label", "lazy"]) == 1
    records = read(DATA / "archive.db")
    [made] = records.runs
    assert [(each.task, each.number) for each in records.rollouts] == [
        ("toy/put-a-box", 1),
        ("toy/put-again", 1),
        ("toy/put-a-box", 2),
        ("toy/put-again", 2),
    ]
    assert made.id == "1-lazy" and made.targets == ("toy", "toy/put-a-box")
    assert made.options["keep"] == "all" and made.isolation.startswith("unconfined")
    assert made.ended_ms is not None and set(made.versions) == {"paracosm", "schema"}


def test_rollouts_of_an_instance_differ_in_their_secrets_alone(toy: Environment) -> None:
    assert run(["run", "toy", "--play", "reference", "--rollouts", "2"]) == 0
    one, other = (DATA / str(each.bundle) for each in read(DATA / "archive.db").rollouts)
    assert one.stat().st_mode & 0o777 == 0o600 and one.read_bytes() != other.read_bytes()


def test_what_an_attempt_without_a_browser_left_is_not_run_and_counts(
    toy: Environment, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def enter(rail: BrowserRail, place: Place) -> None:
        raise BrowserMissing("no Chromium found: run `make setup`")

    put_by_page(toy)
    monkeypatch.setattr(BrowserRail, "enter", enter)
    assert run(["run", "toy", "--play", "reference"]) == 1
    said = capsys.readouterr().out.splitlines()
    assert said[-1] == "passed 1/2 · not run 1"
    assert "✗ toy/put-by-page s1 n1: not-run: no Chromium found: run `make setup`" in said


def test_what_can_not_be_graded_at_all_is_a_grader_error(
    toy: Environment, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(*given: object) -> None:
        raise KeyError("guards")

    monkeypatch.setattr("harness.rollout.grade", breaks)
    assert run(["run", "toy", "--play", "reference", "--rollouts", "2"]) == 1
    said = capsys.readouterr().out.splitlines()
    assert said[-1] == "passed 0/0 · grader errors, no score 2"
    assert "✗ toy/put-a-box s1 n1, s1 n2: grader error: KeyError: 'guards'" in said
    assert run(["run", "toy", "--play", "reference"]) == 1
    assert capsys.readouterr().err == "grader error: KeyError: 'guards'.\n"


def test_what_breaks_beside_is_an_error_of_that_rollout_alone(
    toy: Environment, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def breaks(*given: object, **named: object) -> None:
        raise OSError("no room")

    monkeypatch.setattr(rolled, "rollout", breaks)
    assert run(["run", "toy", "--play", "reference", "--rollouts", "2"]) == 1
    assert "✗ toy/put-a-box s1 n1, s1 n2: error: OSError: no room" in capsys.readouterr().out


def test_the_process_that_is_gone_is_told_with_its_rollout() -> None:
    asked = Asked("toy/put-a-box", 1, 1, Driver(agent="a.py:b"))
    assert lost(asked, Lost("died with signal 9")).outcome == Outcome(
        "error", error="the agent's process died with signal 9"
    )
    assert lost(asked, Lost("was ended after 90 seconds", overdue=True)).outcome.state == "time-out"


def test_a_summary_counts_all_but_what_a_grader_could_not_judge() -> None:
    states = ["passed", "failed", "error", "time-out", "not-run", "void", "grader error"]
    assert summary(states) == (
        "passed 1/6 · failed 1 · errors 1 · time-outs 1 · not run 1 · void 1 · grader errors, no score 1"
    )


# what is shown


@dataclass
class Shown:
    """A console, and jobs that run through it."""

    terminal: bool
    out: io.StringIO = field(default_factory=io.StringIO)
    jobs: list[Job] = field(default_factory=list)

    def console(self) -> Console:
        return Console(file=self.out, force_terminal=self.terminal, width=120, height=40)

    def start(self, rolling: Rolling, n: int) -> None:
        driver = Driver(play="null")
        self.jobs = [Asked("toy/put-a-box", 1, number, driver).job for number in range(1, n + 1)]
        rolling.expect(self.jobs)
        for job in self.jobs[:3]:
            rolling.say(job, "toy/put-a-box", "under way")


def test_a_terminal_shows_a_line_for_each_that_is_under_way() -> None:
    shown = Shown(terminal=True)
    with Rolling(shown.console()) as rolling:
        shown.start(rolling, 4)
        rolling.done(shown.jobs[0], Made(Outcome("passed")))
        rolling.done(shown.jobs[1], Lost("was ended after 90 seconds", overdue=True))
        lines = [str(line) for line in rolling.shown().renderables]
    assert lines[0] == "2/4 · passed 1 · time-outs 1"
    assert [line.split(" · ")[:2] for line in lines[1:]] == [["  toy/put-a-box s1 n3", "under way"]]


def test_where_there_is_no_terminal_each_that_is_over_has_a_line() -> None:
    shown = Shown(terminal=False)
    with Rolling(shown.console()) as rolling:
        rolling.many = True
        shown.start(rolling, 2)
        rolling.done(shown.jobs[0], Made(Outcome("grader error")))
    assert shown.out.getvalue().startswith("1/2 toy/put-a-box s1 n1: grader error (0.0 s)")


def test_of_very_many_some_are_told() -> None:
    shown = Shown(terminal=False)
    with Rolling(shown.console()) as rolling:
        rolling.many = True
        shown.start(rolling, 500)
        for job in shown.jobs:
            rolling.done(job, Made(Outcome("passed")))
    assert len(shown.out.getvalue().splitlines()) == 50


def test_a_rollout_has_a_limit_beside_its_time_out_in_which_it_is_graded() -> None:
    driver = Driver(play="null", timeout=10)
    assert Asked("toy/put-a-box", 1, 1, driver).job.limit == 10 + rolled.GRACE
    assert Asked("relay/instance-1", 1, 1, driver, code=True).job.limit == 10 + rolled.CODE_GRACE


def test_what_an_agent_says_moves_no_terminal(
    toy: Environment, capsys: pytest.CaptureFixture[str]
) -> None:
    async def rude(desk: Actor) -> None:
        raise RuntimeError("\x1b[31mred\x1b[0m \x9b2J \u202e\ud800 end")

    toy.tasks["put-a-box"].the_reference = Play("rude", "", rude, ("desk",))
    for arguments in ("run toy --play reference --verbose", "runs show 1-reference --rollouts"):
        run(arguments.split())
        said = "".join(capsys.readouterr())
        assert "red" in said and not set("\x1b\x9b\u202e\ud800") & set(said)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--out", "."], ". is a folder; --out takes a file's name."),
        (["--seed", str(2**63)], f"--seed takes a number up to {2**63 - 1}, not {2**63}."),
    ],
)
def test_what_can_not_be_kept_is_told_before_anything_runs(
    toy: Environment, arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["run", "toy", "--play", "null", *arguments]) == 2
    assert capsys.readouterr().err == f"{sentence}\n" and not Path(".paracosm").exists()
