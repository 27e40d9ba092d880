"""Lives: somebody else's code in real processes, which may do what it likes and breaks nothing of ours."""

from __future__ import annotations

import os
import select
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from harness.code import life as living
from harness.code.bench import Bench, Died, Life, Raised, open_bench
from harness.code.declaring import CodeEnvironment

Run = Callable[[str], Life]

ANSWERS = """
import os, sys, answering

def handle(value):
    {}

answering.serve(handle)
"""


@pytest.fixture
def run(bench: Bench) -> Run:
    """Runs the body of a handler as a life."""

    def start(body: str) -> Life:
        path = bench.scratch() / "program.py"
        path.write_text(ANSWERS.format(body))
        return bench.run(path)

    return start


def is_running(pid: int) -> bool:
    """Whether a process is there and no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_what_is_printed_disturbs_no_answer(run: Run) -> None:
    with run("print('noise', value); os.write(1, b'more'); return {'got': value}") as life:
        assert [life.ask(n) for n in (1, "ü", None)] == [{"got": 1}, {"got": "ü"}, {"got": None}]
        assert life.end() == 0
        assert "noise" in life.said and "more" in life.said


def test_what_a_handler_raises_is_told_with_its_code(run: Run) -> None:
    body = "error = ValueError('no'); error.code = 'NOT_SO'; raise error"
    with run(body) as life:
        with pytest.raises(Raised, match="ValueError was raised: no") as found:
            life.ask(1)
        assert (found.value.kind, found.value.said, found.value.code) == ("ValueError", "no", "NOT_SO")


@pytest.mark.parametrize(
    ("body", "code"), [("sys.exit(3)", 3), ("os._exit(4)", 4), ("os.kill(os.getpid(), 11)", -11)]
)
def test_a_process_that_ends_is_told_with_its_exit_code(run: Run, body: str, code: int) -> None:
    with run(body) as life, pytest.raises(Died) as found:
        life.ask(1)
    assert found.value.code == code and not found.value.by_fault


def test_what_can_not_be_imported_is_told(bench: Bench) -> None:
    (bench.solution / "tally" / "counting.py").write_text("def broken(:\n")
    with bench.life("tally.db") as life, pytest.raises(Died, match="SyntaxError"):
        life.ask(["a", 1])


def test_a_crash_is_by_fault_where_it_was_told_to(bench: Bench) -> None:
    with bench.life("tally.db", fault="write:1") as life, pytest.raises(Died) as found:
        life.ask(["a", 1])
    assert found.value.by_fault and found.value.code == 70
    with bench.life("tally.db", fault="write:9") as life:
        assert life.ask(["a", 1]) == "added"


def test_silence_is_no_answer(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(living, "PATIENCE", 0.2)
    with run("import time; time.sleep(100)") as life, pytest.raises(AssertionError, match="no answer within"):
        life.ask(1)
    assert not is_running(life.pid)


def test_nothing_waits_longer_than_a_bench_may_take(tally: CodeEnvironment, solution: Path) -> None:
    with open_bench(tally, solution, "T1", seconds=0) as bench, bench.life("tally.db") as life:
        with pytest.raises(AssertionError, match="too long as a whole"):
            life.ask(["a", 1])


def test_processes_that_left_their_group_and_hide_are_ended_with_their_life(run: Run) -> None:
    starts = (
        "import subprocess; return subprocess.Popen(['sleep', '100'], start_new_session=True, env={}, "
        "cwd='/', stdin=-3, stdout=-3, stderr=-3).pid"
    )
    with run(starts) as life:
        watched = os.pidfd_open(life.ask(1))
    ended, _, _ = select.select([watched], [], [], 20)
    os.close(watched)
    assert ended


def test_a_process_that_kills_what_forked_it_harms_no_other(run: Run) -> None:
    with run("os.kill(os.getppid(), 9); return 1") as life, suppress(Died):  # nobody can tell how it ended
        life.ask(1)
    with run("return value") as other:
        assert other.ask(2) == 2


def test_lives_have_nothing_of_our_environment(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_SECRET", "x")
    with run("return [os.environ.get('SOME_SECRET'), os.getcwd() == os.environ['HOME']]") as life:
        assert life.ask(1) == [None, True]


def test_a_solution_can_not_stand_in_for_the_graders_program(bench: Bench) -> None:
    (bench.solution / "answering.py").write_text('def serve(handle): print(\'{"ok": "fine"}\')\n')
    with bench.life("tally.db") as life:
        assert life.ask(["a", 1]) == "added"


def test_what_a_solution_does_to_its_files_no_other_bench_meets(
    run: Run, bench: Bench, solution: Path, tally: CodeEnvironment
) -> None:
    with run(f"import shutil; shutil.rmtree({str(bench.solution)!r}); return 1") as life:
        life.ask(1)
    with open_bench(tally, solution, "T1") as other, other.life("tally.db") as life:
        assert life.ask(["a", 1]) == "added"


def test_files_are_bounded(run: Run) -> None:
    with run("open('large', 'wb').truncate(1 << 30)") as life, pytest.raises(Raised, match="too large"):
        life.ask(1)
