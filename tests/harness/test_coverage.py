from __future__ import annotations

import json
from pathlib import Path

import pytest

from fakes.core.google import coverage as googles
from fakes.gmail import service
from fakes.gmail.api.vendor import API
from harness.app import discover_services
from harness.cli import run
from harness.coverage import BEGIN, END, covered, readme_of, rows, stale


def test_readmes_tell_what_is_covered() -> None:
    assert stale(covered(discover_services().values())) == [], (
        "run `paracosm coverage --readmes`, and commit what it wrote"
    )


@pytest.mark.parametrize(("told", "other"), [("getProfile", "profile"), (BEGIN, ""), (END, "")])
def test_a_readme_with_another_table_is_stale(
    told: str, other: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "README.md"
    copy.write_text(readme_of("gmail").read_text().replace(told, other))
    monkeypatch.setattr("harness.coverage.readme_of", lambda name: copy)
    assert stale(covered([service])) == ["gmail"]


def test_gmail_answers_all_but_encryption_at_the_client(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["coverage", "gmail", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert list(told) == ["gmail"] and sorted(told["gmail"]) == ["faked", "not_faked", "total"]
    gmail = told["gmail"]
    assert (gmail["total"], len(gmail["faked"]), len(gmail["not_faked"])) == (79, 63, 16)
    assert all(".cse." in name or ".smimeInfo." in name for name in gmail["not_faked"])


def test_the_recorded_methods_are_those_of_the_client_package(monkeypatch: pytest.MonkeyPatch) -> None:
    by_package = googles.methods_of(API)
    monkeypatch.setattr(googles, "find_spec", lambda name: None)
    assert googles.methods_of(API) == by_package and len(by_package) == 79


def test_rows_are_resources() -> None:
    found = {resource: (faked, missing) for resource, faked, missing in rows(covered([service])["gmail"])}
    assert found["users.history"] == (["list"], [])
    assert found["users.settings.sendAs.smimeInfo"][0] == []


def test_people_get_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["coverage"]) == 0
    told = capsys.readouterr().out
    assert "users.messages.attachments" in told and "of 79 methods of gmail faked" in told


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nope"], "No API of 'nope' is faked. There are: gmail"),
        (["--json", "--readmes"], "leave --json away"),
    ],
)
def test_wrong_use_is_told(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["coverage", *arguments]) == 2
    assert said in capsys.readouterr().err
