"""`paracosm book`, as it is asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.book.press import Press
from harness.cli import run


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (["--port", "1"], "add --serve"),
        (["--serve", "--port", "70000"], "0 to 65535"),
        (["--readmes", "--serve"], "leave --out and --serve away"),
    ],
)
def test_wrong_use_is_told(asked: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["book", *asked]) == 2
    assert told in capsys.readouterr().err


def test_a_folder_of_somebody_else_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "index.html").write_text("mine")
    assert run(["book", "--out", str(tmp_path), "--data", str(tmp_path / "none")]) == 2
    assert "something else than a book" in capsys.readouterr().err
    assert (tmp_path / "index.html").read_text() == "mine"


def test_a_book_of_which_the_printing_stopped_is_printed_into_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(press: Press) -> None:
        raise OSError(28, "No space left on device", "book.css")

    with monkeypatch.context() as context:
        context.setattr(Press, "finish", stopped)
        assert run(["book", "--data", str(tmp_path)]) == 1
    assert "book.css can't be written: No space left on device." in capsys.readouterr().err
    assert run(["book", "--data", str(tmp_path)]) == 0


def test_what_is_no_archive_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "archive.db").write_bytes(b"no database of any kind" * 9)
    assert run(["book", "--data", str(tmp_path)]) == 2
    assert "not a database" in capsys.readouterr().err
