"""Scenarios that are found by folder, those made later and those that are broken included."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness import discovery
from harness.app import BrokenScenario, Server, Start, discover_scenarios
from harness.cli import run
from harness.discovery import UnknownTarget, find, find_task, find_unfinished, load_environment


@pytest.fixture
def scenarios(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with two scenarios of one's own, `day_desk` and `night_desk`, and no others in sight."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # files change faster than bytecode is told apart
    for name in ("day_desk", "night_desk"):
        assert run(["new", "scenario", name]) == 0
    monkeypatch.setattr(discovery, "environment_names", lambda: ["day_desk", "night_desk"])
    monkeypatch.setattr("harness.code.discovery.code_environment_names", list)
    yield tmp_path / "scenarios"
    for name in [name for name in sys.modules if re.match(r"scenarios\.(day|night|late)_desk", name)]:
        del sys.modules[name]
    load_environment.cache_clear()


def broken(scenarios: Path, file: str, old: str, new: str) -> None:
    path = scenarios / "night_desk" / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


BREAKS = [
    ("tasks/say_hello.py", "@says_hello.cheat\n", "oops = (\n", "SyntaxError: '(' was never closed"),
    (
        "tasks/say_hello.py",
        "from harness.guards",
        "from harness.guides",
        "ModuleNotFoundError: No module named",
    ),
    ("tasks/say_hello.py", 'route="POST', 'road="POST', "TypeError: Environment.task() got an unexpected"),
    (
        "tasks/say_hello.py",
        '    """Its subject is the word that was asked for, and it is addressed to the receiver alone."""\n',
        "",
        "Guard 'says_hello' needs a",
    ),
    ("environment.py", "env =", "surroundings =", "environment.py must export `env`, an Environment."),
    ("environment.py", "Environment(", "Environment(1, ", "TypeError: Environment.__init__()"),
    ("seed.py", "class Facts", "class Facts:\n    !", "SyntaxError"),
]


@pytest.mark.parametrize(("file", "old", "new", "says"), BREAKS)
def test_a_broken_scenario_is_one_sentence_with_its_place(
    scenarios: Path, file: str, old: str, new: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    broken(scenarios, file, old, new)
    found = find([])
    assert [env.slug for env, _ in found.chosen] == ["day_desk"]
    (sentence,) = found.broken
    assert re.match(rf"scenarios/night_desk/{file}(:\d+:)? ", sentence) and says in sentence
    with pytest.raises(BrokenScenario, match=re.escape(sentence)):
        find_task("night_desk/say-hello")
    capsys.readouterr()
    for command in ("prove night_desk", "run night_desk/say-hello --play null", "new task night_desk/second"):
        assert run(command.split()) == 2
        assert capsys.readouterr() == ("", f"{sentence}\n")


def test_a_task_without_a_reference_is_told_with_its_file(scenarios: Path) -> None:
    broken(scenarios, "tasks/say_hello.py", "@task.reference\n", "")
    (sentence,) = find(["night_desk"]).broken
    assert sentence.startswith("scenarios/night_desk/tasks/say_hello.py: say-hello has no reference")


def test_a_task_that_is_still_being_written_is_found_as_such(scenarios: Path) -> None:
    broken(scenarios, "tasks/say_hello.py", "@task.reference\n", "")
    task = find_unfinished("night_desk/say-hello")
    assert task.the_reference is None and "says-hello" in task.guards
    assert find_unfinished("day_desk/say-hello").the_reference is not None
    with pytest.raises(UnknownTarget, match="'night_desk' names no task; night_desk has say-hello."):
        find_unfinished("night_desk")
    broken(scenarios, "tasks/say_hello.py", "from harness.guards", "from harness.guides")
    with pytest.raises(BrokenScenario, match=r"say_hello.py:\d+: ModuleNotFoundError"):
        find_unfinished("night_desk/say-hello")


@pytest.mark.parametrize(
    ("where", "target", "says"),
    [
        (".", "scenarios/night_desk/tasks/say_hello.py", "not a path: night_desk/say-hello."),
        (".", "scenarios/night_desk", "not a path: night_desk."),
        ("scenarios/night_desk", "nowhere", "looked for in ./scenarios: go to "),
    ],
)
def test_a_path_or_the_wrong_folder_is_told_with_what_to_do(
    scenarios: Path, monkeypatch: pytest.MonkeyPatch, where: str, target: str, says: str
) -> None:
    monkeypatch.chdir(scenarios.parent / where)
    with pytest.raises(UnknownTarget, match=re.escape(says)):
        find([target])


def test_no_scenario_is_made_inside_of_another(
    scenarios: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(scenarios)
    assert run(["new", "scenario", "late_desk"]) == 2
    assert f"go to {scenarios.parent}." in capsys.readouterr().err
    assert not (scenarios / "scenarios").exists()


def test_what_is_not_named_is_not_imported(scenarios: Path) -> None:
    found = find(["day-desk"])
    assert [env.slug for env, _ in found.chosen] == ["day_desk"] and not found.broken
    assert "scenarios.night_desk" not in sys.modules


def test_a_broken_environment_does_not_stop_the_others_that_were_named(
    scenarios: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken(scenarios, "tasks/say_hello.py", "@says_hello.cheat\n", "oops = (\n")
    for command, code in (("prove day_desk night_desk --quick", 2), ("prove --quick", 1)):
        capsys.readouterr()
        assert run(command.split()) == code
        lines = capsys.readouterr().out.splitlines()
        assert re.match(r"✗ scenarios/night_desk/tasks/say_hello.py:\d+: SyntaxError", lines[-4])
        assert lines[-1] == "Not proved: 1 problem · Graders proved 3/3 · 1 date"


def test_a_seed_that_raises_is_told_with_its_place(
    scenarios: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken(scenarios, "seed.py", "    staff = company(w)\n", "    staff = company(w)\n    staff.nobody\n")
    says = r"scenarios/night_desk/seed.py:\d+: AttributeError: .* has no attribute 'nobody'"
    with pytest.raises(BrokenScenario, match=says):
        Server().base(Start("night_desk"))
    capsys.readouterr()
    for command in ("prove night_desk --quick", "run night_desk/say-hello --play null"):
        assert run(command.split()) == 2
        assert re.fullmatch(f"{says}\n", capsys.readouterr().err)


def test_a_seed_file_alone_makes_a_scenario(scenarios: Path) -> None:
    (scenarios / "late_desk").mkdir()
    (scenarios / "late_desk" / "seed.yaml").write_text("people: {ida: {name: Ida, email: ida@berg.example}}")
    assert "late_desk" in discover_scenarios()


def test_scenarios_that_are_made_later_are_found(scenarios: Path) -> None:
    assert {"office", "day_desk"} <= discover_scenarios().keys() and "late_desk" not in discover_scenarios()
    assert run(["new", "scenario", "late-desk"]) == 0
    assert "late_desk" in discover_scenarios()
    assert Server().base(Start("late_desk")).facts.mira.email == "mira@harborlight.example"


def test_a_scenario_that_is_broken_stands_in_no_lists_way(scenarios: Path) -> None:
    (scenarios / "night_desk" / "__init__.py").write_text("raise RuntimeError\n")
    assert {"day_desk", "night_desk"} <= discover_scenarios().keys()
