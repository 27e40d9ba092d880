"""`paracosm runs`: what it prints, for people and for scripts, and how wrong uses are answered."""

from __future__ import annotations

import csv
import io
import json
import shutil
from pathlib import Path

import pytest

from harness.archive.places import archive_in
from harness.archive.store import read
from harness.cli import run
from tests.harness.archive.made import filled


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive that is filled, for tests to copy."""
    return filled(tmp_path_factory.mktemp("filled"))


@pytest.fixture
def data(archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data folder that the environment names, with that archive."""
    folder = tmp_path / "data"
    folder.mkdir()
    shutil.copyfile(archive, archive_in(folder))
    monkeypatch.setenv("PARACOSM_DATA", str(folder))
    monkeypatch.chdir(tmp_path)
    return folder


@pytest.fixture
def said(data: Path, capsys: pytest.CaptureFixture[str]) -> Said:
    return Said(capsys)


class Said:
    """What a command prints, and on stderr if it ends with a code."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *arguments: str) -> str:
        assert run(["runs", *arguments]) == 0
        return self._capsys.readouterr().out

    def wrong(self, *arguments: str, code: int = 2) -> str:
        assert run(["runs", *arguments]) == code
        return self._capsys.readouterr().err


def test_list_has_a_row_a_run(said: Said) -> None:
    table = said("list")
    [grand] = [line for line in table.splitlines() if "1-grand" in line]
    assert "9/9" in grand and "7/9" in grand and "81% (37–100)" in grand
    listed = json.loads(said("list", "--json"))
    assert [each["id"] for each in listed] == ["1-grand", "2-petite", "3-stand-in-honest", "4-petite"]
    assert listed[3]["summary"]["states"] == {"passed": 1, "planned": 2}


def test_show_has_tasks_by_states_guards_and_what_did_not_pass(said: Said) -> None:
    shown = said("show", "2-petite")
    assert "2-petite: petite, begun " in shown and "8% (0–44)" in shown
    words = ("not-run", "void", "time-out", "pass^k")
    assert [word in shown for word in words] == [True, True, False, True]
    [guard] = [line for line in shown.splitlines() if " right-claimant " in line and "75%" in line]
    assert guard.split()[-5:] == ["3", "4", "75%", "0", "0"]
    assert "error: the agent's" in shown
    assert "passed 1 of 9; rate 8% (0–44), the mean of 3 tasks" in shown
    assert "cost $0.35 (known of 7 of 9)" in shown and "classified: 1 contract gap" in shown
    assert "attached-once" not in said("show", "4-petite", "--rollouts", "--guards")


def test_show_takes_a_model_and_one_task_and_gives_json(said: Said) -> None:
    shown = json.loads(said("show", "model:petite", "--only", "claims_desk/find-and-attach", "--json"))
    assert list(shown["tasks"]) == ["claims_desk/find-and-attach"]
    assert shown["summary"]["states"] == {"failed": 1, "not-run": 1, "error": 1}


def test_a_run_goes_by_its_number_too(said: Said) -> None:
    assert said("show", "2", "--json") == said("show", "2-petite", "--json")
    assert said("compare", "1", "2", "--json") != said("compare", "2", "1", "--json")


def test_compare_says_what_moved_and_whether_that_shows_a_difference(said: Said) -> None:
    compared = said("compare", "1-grand", "2-petite")
    assert "guards that refuse more or less" in compared
    assert compared.splitlines()[-1].startswith(
        "2-petite is worse: 1-grand 81%, 2-petite 8%: -72 points (95%:"
    )
    last = said("compare", "model:grand", "4-petite").splitlines()[-1]
    assert last.startswith("no difference shown: ") and last.endswith("on one task; the interval holds 0.")
    found = json.loads(said("compare", "1-grand", "2-petite", "--only", "claims_console", "--json"))
    assert (found["A"], found["verdict"], found["unpaired"]) == ("1-grand", "no difference shown", [])


def test_export_prints_or_writes(said: Said, data: Path) -> None:
    assert json.loads(said("export", "1-grand"))["runs"][0]["id"] == "1-grand"
    assert said("export", "1-grand", "--as", "csv", "--out", "grand.csv") == "grand.csv\n"
    with Path("grand.csv").open(newline="") as file:
        assert len(list(csv.reader(file))) == 10
    assert len(list(csv.DictReader(io.StringIO(said("export", "model:petite", "--as", "csv"))))) == 12
    assert said("export", "1-grand", "--as", "bundles").endswith("1 files in 1-grand-bundles\n")
    assert said.wrong("export", "1-grand", "--as", "har", code=1).endswith("Nothing was exported.\n")


def test_classify_adds_to_the_archive_and_keeps_the_score(said: Said, data: Path) -> None:
    [failed] = [each for each in read(archive_in(data)).of_run("1-grand") if each.state == "failed"]
    given = ("classify", str(failed.id), "evaluator-gap", "--guard", "right-claimant", "--note", "Both fit.")
    assert said(*given) == f"Rollout {failed.id} is classified: evaluator gap.\n"
    [now] = [each for each in read(archive_in(data)).rollouts if each.id == failed.id]
    assert (now.state, now.classifications[-1].note) == ("failed", "Both fit.")
    assert "classified: 1 evaluator gap" in said("show", "1-grand")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["show", "9-x"], "There is no run '9-x'; say a run (1-grand, "),
        (["compare", "1-grand", "model:x"], "No run is of 'x'; there are runs of grand, petite, stand-in"),
        (["compare", "1-grand", "2-petite", "--since", "May"], "A day is YYYY-MM-DD, not 'May'."),
        (["compare", "1-grand", "2-petite", "--since", "2026-W10-1"], "A day is YYYY-MM-DD, not '2026-W10"),
        (["show", "9999-12-31..9999-12-31"], "No rollout is meant by '9999-12-31..9999-12-31'"),
        (["export", "1-grand", "--out", "no/where.json"], "no/where.json can't be written: No such file"),
        (["classify", "99", "capability"], "There is no rollout 99; `paracosm runs show RUN --rollouts` has"),
        (["classify", "1", "capability"], "Rollout 1 passed; what passed can show an evaluator-gap alone."),
        (["classify", "4", "capability", "--guard", "x"], "No guard 'x' judged rollout 4; there are one-"),
        (["classify", "21", "capability"], "Rollout 21 is not over: it is planned."),
    ],
)  # fmt: skip
def test_a_wrong_use_is_one_sentence(arguments: list[str], sentence: str, said: Said) -> None:
    error = said.wrong(*arguments)
    assert error.startswith(sentence) and error.count("\n") == 1


@pytest.mark.parametrize("command", ["list", "show", "compare", "export", "classify"])
def test_help_has_an_example(command: str, said: Said) -> None:
    assert f"paracosm runs {command}" in said(command, "--help").partition("Example")[2]


def test_without_an_archive_there_is_nothing_to_list(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert run(["runs", "list", "--data", str(tmp_path)]) == 0
    assert capsys.readouterr().out == f"There is no run in {tmp_path} yet; `paracosm run` makes them.\n"
    assert run(["runs", "list", "--json", "--data", str(tmp_path)]) == 0
    assert json.loads(capsys.readouterr().out) == []
    assert list(tmp_path.iterdir()) == []


def test_the_last_of_all_days_may_be_named(said: Said) -> None:
    assert said("show", "..9999-12-31") == said("show", "..9999-12-30")
