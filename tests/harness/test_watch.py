"""Watching files: what counts as saved, which tasks that bears on, and the loop of `prove --watch`."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.affected import affected, folders
from harness.cli import run
from harness.discovery import load_environment
from harness.watch import Files

ROOT = Path(__file__).parents[2]


def test_saved_new_and_removed_files_are_seen_once(tmp_path: Path) -> None:
    kept, gone = tmp_path / "kept.py", tmp_path / "gone.html"
    kept.write_text("1")
    gone.write_text("1")
    files = Files([tmp_path])
    assert files.changed() == set()
    kept.write_text("22")
    gone.unlink()
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "new.css").write_text("")
    assert files.changed() == {kept, gone, tmp_path / "deep" / "new.css"}
    assert files.changed() == set()


def test_a_file_put_in_anothers_place_is_seen_whatever_its_size(tmp_path: Path) -> None:
    kept, aside = tmp_path / "kept.py", tmp_path / "aside.tmp"
    kept.write_text("1")
    files = Files([tmp_path])
    aside.write_text("2")
    os.utime(aside, ns=(kept.stat().st_atime_ns, kept.stat().st_mtime_ns))
    aside.replace(kept)
    assert files.changed() == {kept}


def test_what_nobody_wrote_by_hand_is_passed_over(tmp_path: Path) -> None:
    files = Files([tmp_path], without=[tmp_path / "core"])
    for name in (
        "__pycache__/a.pyc",
        ".git/index",
        "core/clock.py",
        "task.py~",
        ".task.py.swp",
        "proved.json",
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    assert files.changed() == set()


@pytest.mark.parametrize(
    ("saved", "bears_on"),
    [
        ("scenarios/claims_desk/tasks/record_the_determination.py", ["record-the-determination"]),
        ("scenarios/claims_desk/seed.py", None),
        ("scenarios/claims_desk/environment.py", None),
        ("scenarios/office/people.py", None),
        ("sites/claims_desk/templates/ledger.html", None),
        ("sites/claims_desk/rules/deadlines.py", None),
        ("fakes/gmail/store/mailbox.py", None),
        ("scenarios/claims_console/seed.py", []),
        ("sites/another/schema.py", []),
    ],
)
def test_a_saved_file_bears_on_the_tasks_behind_it(saved: str, bears_on: list[str] | None) -> None:
    env = load_environment("claims_desk")
    wanted = list(env.tasks) if bears_on is None else bears_on
    found = affected(env, env.tasks.values(), {ROOT / saved})
    assert [task.slug for task in found] == wanted
    assert any((ROOT / saved).is_relative_to(folder) for folder in folders(env)) == bool(wanted)


# the loop


class Watched:
    """A `prove --quick --watch` of its own process."""

    def __init__(self, folder: Path, *targets: str) -> None:
        command = [sys.executable, "-m", "harness.cli", "prove", *targets, "--quick", "--watch"]
        env = {**os.environ, "PYTHONPATH": str(ROOT)}
        self.process = subprocess.Popen(command, cwd=folder, env=env, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.lines = self.process.stdout

    def line(self) -> str:
        return self.lines.readline().rstrip("\n")

    def end(self) -> int:
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait(30)
        self.lines.close()
        return code


@pytest.fixture
def hello(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a scenario from the scaffold, of two tasks."""
    monkeypatch.chdir(tmp_path)
    assert run(["new", "scenario", "hello"]) == 0
    tasks = tmp_path / "scenarios" / "hello" / "tasks"
    (tasks / "again.py").write_text((tasks / "say_hello.py").read_text())
    return tmp_path


@pytest.fixture
def watched(hello: Path) -> Iterator[Watched]:
    started = Watched(hello, "hello")
    yield started
    if started.process.poll() is None:
        started.process.kill()
        started.process.wait()
        started.lines.close()


def test_what_is_saved_is_proved_again(hello: Path, watched: Watched) -> None:
    file = hello / "scenarios" / "hello" / "tasks" / "say_hello.py"
    source = file.read_text()
    assert watched.line() == "watching hello; Ctrl-C ends"
    assert watched.line().startswith("✓ hello/again · 3/3 proved")
    assert watched.line().startswith("✓ hello/say-hello · 3/3 proved")

    file.write_text(source + "\ndef (\n")
    assert watched.line().startswith("✗ scenarios/hello/tasks/say_hello.py:5")
    file.write_text(source.replace("from fakes.gmail.schema", "from fakes.gmail.schemas"))
    assert watched.line() == (
        "✗ scenarios/hello/tasks/say_hello.py:7: ModuleNotFoundError: No module named 'fakes.gmail.schemas'"
    )
    blind = source.replace('assert found == ("Hello", facts.tom.email)', "assert found")
    assert blind != source
    file.write_text(blind)
    assert watched.line().startswith("✗ hello/say-hello · 2/3 proved")
    refused_by = "cheat copy-yourself-in is to be refused by says-hello alone, and was by no guard"
    assert refused_by in watched.line()
    file.write_text(source)
    assert watched.line().startswith("✓ hello/say-hello · 3/3 proved")
    assert watched.end() == 0


def test_a_target_that_is_not_there_ends_the_watch(hello: Path) -> None:
    watched = Watched(hello, "nowhere")
    assert (watched.line(), watched.line()[:33]) == (
        "watching nowhere; Ctrl-C ends",
        "There is no environment 'nowhere'",
    )
    assert watched.process.wait(30) == 2
    watched.lines.close()


@pytest.mark.parametrize("more", ["--dates", "-j 2", "--open honest", "--date 2025-01-01"])
def test_a_watch_proves_the_base_date_alone(more: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["prove", "claims_desk", "--watch", *more.split()]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_what_rounds_are_forked_from_has_imported_no_scenario_and_no_product() -> None:
    script = (
        "import sys, harness.qualify; from harness.app import package_root; [package_root(p) for p in "
        "('scenarios', 'fakes', 'sites')]; print(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    inner = [name for name in done.stdout.split() if name.startswith(("scenarios.", "sites.", "fakes."))]
    assert {name.split(".")[1] for name in inner} == {"core"}
