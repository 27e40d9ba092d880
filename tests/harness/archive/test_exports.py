"""What leaves the archive: JSON and CSV that say all, HAR files of the right shape and without secrets."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harness.archive.exporting import as_csv, as_json, encoded, write_bundles, write_hars
from harness.archive.har import har
from harness.archive.places import archive_in
from harness.archive.records import Records
from harness.archive.store import read
from harness.discovery import find_task
from harness.qualify import attempts_on
from harness.rollout import by_play, rollout
from tests.harness.archive.made import RECORD, filled
from tests.harness.toy import SERVICES
from tests.harness.toy_tasks import environment, post, put_a_box

# What HAR 1.2 asks for, by the type of each field; lists have the shape of their items.
REQUEST = {
    "method": str, "url": str, "httpVersion": str, "cookies": list, "headers": list,
    "queryString": [{"name": str, "value": str}], "headersSize": int, "bodySize": int,
}  # fmt: skip
RESPONSE = {
    "status": int, "statusText": str, "httpVersion": str, "cookies": list, "headers": list,
    "content": {"size": int, "mimeType": str}, "redirectURL": str, "headersSize": int, "bodySize": int,
}  # fmt: skip
ENTRY = {
    "pageref": str, "startedDateTime": str, "time": int, "request": REQUEST, "response": RESPONSE,
    "cache": dict, "timings": {"send": int, "wait": int, "receive": int},
}  # fmt: skip
HAR = {
    "log": {
        "version": str,
        "creator": {"name": str, "version": str},
        "pages": [{"startedDateTime": str, "id": str, "title": str, "pageTimings": dict}],
        "entries": [ENTRY],
    }
}


def fits(value: Any, shape: Any, where: str = "har") -> None:
    """Fails where a value lacks a field, or has one of another type."""
    if isinstance(shape, Mapping):
        for name, inner in shape.items():
            assert name in value, f"{where} has no {name}"
            fits(value[name], inner, f"{where}.{name}")
    elif isinstance(shape, list):
        for number, item in enumerate(value):
            fits(item, shape[0], f"{where}[{number}]")
    else:
        assert isinstance(value, shape), f"{where} is {value!r}"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with an archive that is filled, and without bundles."""
    folder = tmp_path_factory.mktemp("exports") / "data"
    filled(folder)
    return folder


@pytest.fixture
def records(data: Path) -> Records:
    return read(archive_in(data))


async def test_requests_are_an_http_archive_without_secrets() -> None:
    task = put_a_box(environment())
    async with attempts_on(task.env, services=SERVICES) as attempts, attempts.open(task) as attempt:
        desk = attempt.actors["desk"]
        token = desk.tokens["toy"]
        await desk.get("/api/boxes", params={"look": "two words", "token": token})
        await post(desk, attempt.base.facts)
        await desk.post("/api/boxes", json={"label": f"mine is {token}", "due": "2026-01-02", "weight": 1})
        evidence = attempt.evidence()
    made = har(evidence, SERVICES)
    fits(made, HAR)
    log = made["log"]
    assert (log["version"], [page["title"] for page in log["pages"]]) == (
        "1.2",
        [f"desk: {desk.person.email}, client"],
    )
    assert {entry["pageref"] for entry in log["entries"]} == {log["pages"][0]["id"]}
    assert [entry["request"]["method"] for entry in log["entries"]] == ["GET", "POST", "POST"]
    looked, put, leaked = log["entries"]
    assert looked["request"]["queryString"][0] == {"name": "look", "value": "two words"}
    assert looked["startedDateTime"].endswith("Z") and looked["response"]["status"] == 200
    assert json.loads(put["request"]["postData"]["text"])["label"] == attempt.base.facts.label
    assert leaked["request"]["postData"]["text"].startswith('{"label":"mine is [hidden]"')
    assert token not in json.dumps(made)


def test_json_says_everything_of_some_rollouts(records: Records) -> None:
    said = json.loads(json.dumps(as_json(records, records.of_run("2-petite"))))
    assert (said["format"], [run["label"] for run in said["runs"]]) == (1, ["petite"])
    assert said["summary"]["scored"] == 9 and said["summary"]["rate"]["method"] == "clustered"
    assert list(said["environments"]) == ["claims_console", "claims_desk"]
    assert said["tasks"][RECORD]["states"] == {"passed": 1, "failed": 3}
    [guard] = [each for each in said["tasks"][RECORD]["guards"] if each["guard"] == "right-claimant"]
    assert (guard["refused"], guard["judged"], guard["rate"]) == (3, 4, 0.75)
    changed = said["rollouts"][1]
    assert [grading["state"] for grading in changed["gradings"]] == ["failed", "passed"]
    assert changed["classifications"][0]["kind"] == "contract gap"


def test_csv_has_a_line_a_rollout_and_a_column_a_guard(records: Records) -> None:
    lines = list(csv.DictReader(io.StringIO(as_csv(records, records.rollouts))))
    assert len(lines) == len(records.rollouts)
    second = lines[len(records.of_run("1-grand")) + 1]
    assert (second["model"], second["state"], second["graded_now"]) == ("petite", "failed", "passed")
    assert (second["guard:right-claimant"], second["guard:cap-raised"]) == ("refused", "")
    assert (second["classified"], second["note"]) == ("contract gap", "Two claimants share a name.")


def test_a_spreadsheet_takes_no_text_for_a_formula(records: Records) -> None:
    forged = replace(records.rollouts[0], error='=HYPERLINK("http://x.example")', took_s=-1.5)
    [line] = csv.DictReader(io.StringIO(as_csv(records, [forged])))
    assert line["error"].startswith("'=HYPERLINK") and line["took_s"] == "-1.5"


async def test_bundles_are_copied_and_give_har_files(data: Path, records: Records, tmp_path: Path) -> None:
    task, first = find_task(RECORD), records.rollouts[0]
    assert first.bundle is not None
    kept = data / first.bundle
    kept.parent.mkdir(parents=True)
    kept.write_bytes((await rollout(task, by_play(task, "reference", 30))).bundle)
    damaged = records.rollouts[1]
    assert damaged.bundle is not None
    (data / damaged.bundle).write_bytes(b"no zip")
    some = records.rollouts[:3]

    copied = write_bundles(data, records, some, tmp_path / "bundles")
    assert [file.name for file in copied.files] == [
        "1-grand-claims_desk-record-the-determination-s1-n1.zip",
        "1-grand-claims_desk-record-the-determination-s1-n2.zip",
        "rollouts.json",
    ]
    assert copied.files[0].read_bytes() == kept.read_bytes()
    assert copied.told == [f"Rollout 3 of {RECORD} has no bundle any more."]
    assert (tmp_path / "bundles").stat().st_mode & 0o77 == 0

    written = write_hars(data, some, tmp_path / "hars")
    [file] = written.files
    made = json.loads(file.read_text())
    fits(made, HAR)
    assert file.suffix == ".har" and made["log"]["entries"]
    assert [sentence.partition(": ")[0] for sentence in written.told] == [
        f"Rollout 2 of {RECORD}", f"Rollout 3 of {RECORD} has no bundle any more.",
    ]  # fmt: skip


def test_no_name_in_an_archive_leads_out_of_a_folder(records: Records, data: Path, tmp_path: Path) -> None:
    (data / "runs").mkdir(exist_ok=True)
    (data / "runs" / "one.zip").write_bytes(b"a bundle")
    secret = data.parent / "secret"
    secret.write_text("secret")
    (data / "runs" / "link.zip").symlink_to(secret)
    one = replace(records.rollouts[0], run="../..", task="../x/\x1b", bundle="runs/one.zip")
    bundles = ("../secret", str(secret), "runs/link.zip")
    hostile = [replace(one, bundle=each) for each in bundles]
    done = write_bundles(data, records, [one, *hostile], tmp_path / "out")
    names = sorted(each.name for each in (tmp_path / "out").iterdir())
    assert names == ["..-..-..-x--s1-n1.zip", "rollouts.json"]
    assert [("outside of its folder" in told) for told in done.told] == [True] * 3


@pytest.mark.parametrize("text", ["=1+1", " =1+1", "+1", "-1", "@x", "\n=1", "\t1", "＝1"])
def test_what_a_spreadsheet_would_reckon_is_text(records: Records, text: str) -> None:
    [_, cells] = csv.reader(io.StringIO(as_csv(records, [replace(records.rollouts[0], error=text)])))
    assert f"'{text}" in cells


def test_halves_of_surrogate_pairs_leave_as_json_writes_them() -> None:
    assert json.loads(encoded(json.dumps("a\udcff", ensure_ascii=False))) == "a\udcff"
