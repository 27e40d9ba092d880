"""Bundles of code tasks: what was changed goes in and comes out, and hostile ones are refused."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from harness.bundle import BundleError, sealed
from harness.code import changes as changing
from harness.code.bundle import CodeBundle, is_code_bundle, pack
from harness.code.changes import TooLarge, changes, diff
from harness.code.declaring import CodeEnvironment, CodeTask
from harness.code.overlay import lay_over
from harness.code.solutions import open_workspace
from harness.driven import Driven


@pytest.fixture
def task(tally: CodeEnvironment) -> CodeTask:
    return tally.tasks["instance-1"]


@pytest.fixture
def places(task: CodeTask, tmp_path: Path) -> tuple[Path, Path]:
    """The workspace as it was, and as it is to be changed."""
    before, after = tmp_path / "before", tmp_path / "after"
    open_workspace(task, before)
    open_workspace(task, after)
    return before, after


def packed(task: CodeTask, before: Path, after: Path) -> bytes:
    attempt = Driven()
    attempt.keep("transcript.jsonl", b"{}")
    return pack(task, attempt, changes(before, after), before, "workspace", 1.5)


def forged(content: bytes, files: Mapping[str, bytes] | None = None, **manifest: Any) -> bytes:
    """A bundle with other parts, sealed as if it were right."""
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        parts = {name: file.read(name) for name in file.namelist()}
    said = json.loads(parts.pop("manifest.json"))
    return sealed({**said, **manifest}, {**parts, **(files or {})})


def test_a_workspace_comes_out_as_it_was_left(
    task: CodeTask, places: tuple[Path, Path], tmp_path: Path
) -> None:
    before, after = places
    (after / "tally" / "more").mkdir()
    (after / "tally" / "more" / "new.bin").write_bytes(b"\0\1")
    (after / "tally" / "counting.py").write_text("changed\n")
    (after / "PROMPT.md").unlink()
    (after / "link").symlink_to("/etc/passwd")
    (after / "__pycache__").mkdir()
    (after / "__pycache__" / "x.pyc").write_bytes(b"")
    content = packed(task, before, after)
    opened = CodeBundle(content)
    assert is_code_bundle(content) and opened.task_name == "tally/instance-1"
    assert set(opened.files) == {"tally/counting.py", "tally/more/new.bin"}
    assert opened.manifest["removed"] == ["PROMPT.md"] and opened.extras == {"transcript.jsonl": b"{}"}
    assert "+changed\n" in opened.diff and "new.bin differs, and is not text" in opened.diff
    opened.unpack(task, tmp_path / "again")
    assert not changes(tmp_path / "again", after).files and not (tmp_path / "again" / "PROMPT.md").exists()


@pytest.mark.parametrize(
    "name", ["../out.py", "/etc/out.py", "a/../../out.py", "a\\b.py", "./a.py", "c:x", ""]
)
def test_a_file_outside_of_the_workspace_is_refused(
    task: CodeTask, places: tuple[Path, Path], name: str
) -> None:
    content = packed(task, *places)
    with pytest.raises(BundleError, match="no place in a workspace"):
        CodeBundle(forged(content, {f"files/{name}": b"x"}))
    with pytest.raises(BundleError, match="no place in a workspace"):
        CodeBundle(forged(content, removed=[name]))


def test_a_file_in_the_place_of_a_folder_is_refused(
    task: CodeTask, places: tuple[Path, Path], tmp_path: Path
) -> None:
    opened = CodeBundle(forged(packed(task, *places), {"files/tally": b"x"}))
    with pytest.raises(BundleError, match="can't be laid out"):
        opened.unpack(task, tmp_path / "again")


def test_what_unpacks_to_too_much_is_refused_unread(
    task: CodeTask, places: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    content = forged(packed(task, *places), {"files/large.txt": bytes(100_000)})
    assert CodeBundle(content).files
    monkeypatch.setattr("harness.code.bundle.LIMIT", 100_000)
    with pytest.raises(BundleError, match="more than an attempt"):
        CodeBundle(content)


def test_what_was_changed_afterwards_is_refused(task: CodeTask, places: tuple[Path, Path]) -> None:
    held = io.BytesIO(packed(task, *places))
    with zipfile.ZipFile(held, "a") as file:
        file.writestr("files/tally/more.py", "x")
    with pytest.raises(BundleError, match=r"was changed after it was made: files/tally/more\.py"):
        CodeBundle(held.getvalue())


@pytest.mark.parametrize("content", [b"", b"PK", b"no zip at all"])
def test_what_is_no_zip_is_no_bundle(content: bytes) -> None:
    assert not is_code_bundle(content)
    with pytest.raises(BundleError):
        CodeBundle(content)


def test_a_workspace_can_be_too_large_to_keep(
    places: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(changing, "MOST_FILES", 2)
    with pytest.raises(TooLarge, match="more than is kept: 2 files"):
        changes(*places)


def test_names_that_are_none_elsewhere_do_not_count(places: tuple[Path, Path]) -> None:
    before, after = places
    (after / "a:b.py").write_text("")
    assert not changes(before, after).files


def test_an_overlay_may_remove(places: tuple[Path, Path], tmp_path: Path) -> None:
    before, after = places
    overlay = tmp_path / "overlay"
    overlay.mkdir()
    (overlay / ".removed").write_text("tally/store.py\n")
    lay_over(after, overlay)
    made = changes(before, after)
    assert made.removed == ("tally/store.py",) and not made.files
    assert diff(before, made).startswith("--- a/tally/store.py\n+++ /dev/null\n")
