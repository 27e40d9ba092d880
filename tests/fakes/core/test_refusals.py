"""Refusals are kept outside every world, and whatever happens to their file hurts nobody."""

from __future__ import annotations

from pathlib import Path

import pytest

from fakes.core import refusals
from fakes.core.refusals import Refusals


def add(to: Refusals, path: str = "/x") -> None:
    to.add(lease="mira-1", world="main", method="GET", host="h", path=path, reason="because")


def test_refusals_are_read_back(tmp_path: Path) -> None:
    add(Refusals(tmp_path / "r"))
    assert [r.lease for r in Refusals(tmp_path / "r").all()] == ["mira-1"]


def test_a_line_that_was_cut_short_is_passed_over(tmp_path: Path) -> None:
    add(Refusals(tmp_path / "r"))
    with (tmp_path / "r").open("ab") as file:
        file.write(b'{"at":1,"lease":nu')
    again = Refusals(tmp_path / "r")
    add(again)
    assert len(Refusals(tmp_path / "r").all()) == len(again.all()) == 2


def test_the_file_does_not_grow_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refusals, "KEPT", 10)
    kept = Refusals(tmp_path / "r")
    for _ in range(100):
        add(kept)
    assert len((tmp_path / "r").read_bytes().splitlines()) <= 20


def test_a_file_that_can_not_be_written_is_done_without(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    kept = Refusals(tmp_path / "no" / "r")
    add(kept)
    assert len(kept.all()) == 1 and "could not be kept" in caplog.text


def test_words_that_may_be_secrets_are_left_out() -> None:
    kept = Refusals()
    add(kept, "/q/4kTz8Qm1Xw7Lr2Vn9Bc3")
    assert kept.all()[0].path == "/q/[redacted]"
