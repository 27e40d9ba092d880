"""Crews: jobs in processes, what becomes of those that die, and that none outlives its parent."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness import parallel
from harness.parallel import Crew, Job, JobFailed, Listener, Lost, NoProcesses, cores
from tests.harness import labour

ROOT = Path(__file__).parents[2]
PATIENCE = 60.0


def doubles(*numbers: int) -> list[Job]:
    return [Job(f"doubles {number}", labour.double, (number,)) for number in numbers]


def eventually(holds: Callable[[], bool]) -> bool:
    until = time.monotonic() + PATIENCE
    while not holds() and time.monotonic() < until:
        time.sleep(0.05)
    return holds()


def is_gone(pid: int) -> bool:
    """Whether a process has ended; one that nobody waited for has too."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


class Heard(Listener):
    """Keeps what it hears."""

    def __init__(self) -> None:
        self.said: list[tuple[str, str, str]] = []
        self.came: list[str] = []

    def say(self, job: Job, task: str, what: str) -> None:
        self.said.append((job.name, task, what))

    def done(self, job: Job, came: Any) -> None:
        self.came.append(job.name)


def test_what_comes_of_jobs_is_told_in_their_order_whoever_did_them() -> None:
    heard, numbers = Heard(), dict[int, Any]()
    with Crew(2, heard) as crew:
        came = crew.run(doubles(1, 2, 3, 4, 5), numbers.__setitem__)
    assert [number for number, _ in came] == [2, 4, 6, 8, 10]
    assert os.getpid() not in {pid for _, pid in came} and len({pid for _, pid in came}) <= 2
    assert [numbers[n] for n in range(5)] == came
    assert ("doubles 3", "number 3", "doubles") in heard.said and len(heard.came) == 5


@pytest.mark.parametrize(("processes", "numbers"), [(1, (1, 2)), (8, (1,)), (8, ())])
def test_one_process_or_one_job_needs_no_other_process(processes: int, numbers: tuple[int, ...]) -> None:
    heard = Heard()
    with Crew(processes, heard) as crew:
        came = crew.run(doubles(*numbers))
    assert came == [(2 * number, os.getpid()) for number in numbers]
    assert heard.came == [f"doubles {number}" for number in numbers]


def test_jobs_of_one_process_share_what_they_keep_also_from_one_run_to_the_next() -> None:
    with Crew(1) as crew:
        crew.run([Job("keeps", labour.keep, (n,)) for n in (1, 2)])
        assert crew.run([Job("keeps", labour.keep, (3,))]) == [[1, 2, 3]]


def test_a_process_that_dies_is_told_and_the_others_go_on() -> None:
    jobs = [
        Job("dies", labour.die, (signal.SIGKILL,)),
        *doubles(1, 2),
        Job("leaves", labour.leave, (3,)),
        *doubles(3),
    ]
    with Crew(2) as crew:
        dies, one, two, leaves, three = crew.run(jobs)
    assert dies == Lost("died with signal 9") and leaves == Lost("ended with exit code 3")
    assert [one[0], two[0], three[0]] == [2, 4, 6]


def test_a_job_over_its_time_is_ended_with_its_process() -> None:
    with Crew(2) as crew:
        hangs, one = crew.run([Job("hangs", labour.hang, limit=0.2), *doubles(1)])
    assert hangs == Lost("was ended after 0.2 seconds", overdue=True) and one[0] == 2


@pytest.mark.parametrize(
    ("work", "said"), [(labour.trip, "RuntimeError: over a stone"), (labour.return_a_function, "pickle")]
)
def test_what_a_job_raises_ends_the_run_with_its_traceback(work: Any, said: str) -> None:
    with Crew(2) as crew, pytest.raises(JobFailed, match=said) as raised:
        crew.run([Job("trips", work), *doubles(1)])
    assert raised.value.args[0].startswith("trips: Traceback")


def _breaks(pipe: Any) -> None:
    """A process that never begins."""
    sys.exit(7)


def test_where_no_process_can_begin_a_sentence_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "_serve", _breaks)
    with (
        Crew(2) as crew,
        pytest.raises(NoProcesses, match="ended with exit code 7 before it began; say -j 1"),
    ):
        crew.run(doubles(1, 2))


class Interrupted(Heard):
    """Presses Ctrl-C as soon as both jobs are under way."""

    def say(self, job: Job, task: str, what: str) -> None:
        super().say(job, task, what)
        if len(self.said) == 2:
            raise KeyboardInterrupt


def test_an_interrupted_crew_leaves_no_process_behind() -> None:
    heard = Interrupted()
    with pytest.raises(KeyboardInterrupt), Crew(2, heard) as crew:
        crew.run([Job("waits", labour.wait), Job("waits too", labour.wait)])
    assert [is_gone(int(what)) for _, _, what in heard.said] == [True, True]


ORPHANS = """
from harness.parallel import Crew, Job, Listener
from tests.harness import labour

class Aloud(Listener):
    def say(self, job, task, what):
        print(what, flush=True)

if __name__ == "__main__":
    with Crew(2, Aloud()) as crew:
        crew.run([Job("waits", labour.wait), Job("waits too", labour.wait)])
"""


def test_processes_end_when_their_parent_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "orphans.py"
    script.write_text(ORPHANS)
    place = {**os.environ, "PYTHONPATH": str(ROOT)}
    parent = subprocess.Popen([sys.executable, str(script)], env=place, stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    children = [int(parent.stdout.readline()) for _ in range(2)]
    parent.kill()
    parent.wait()
    parent.stdout.close()
    assert eventually(lambda: all(map(is_gone, children)))


def test_there_is_at_least_one_core() -> None:
    assert cores() >= 1
