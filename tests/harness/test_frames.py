"""Where exceptions are said to come from."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness.frames import place_of, shown, told

HERE = Path(__file__)


def _beneath() -> None:
    json.loads("{")  # breaks in a file of somebody else's


def raised() -> Exception:
    try:
        _beneath()
    except ValueError as error:
        return error
    raise AssertionError("it parsed")


def test_the_last_place_in_ones_own_files_is_named() -> None:
    line = (
        HERE.read_text().splitlines().index('    json.loads("{")  # breaks in a file of somebody else\'s') + 1
    )
    for own in ([HERE], [HERE.parent], [Path("/nowhere"), HERE.parent]):
        assert place_of(raised(), own) == f"{shown(HERE)}:{line}"
    assert told(raised(), [HERE]).startswith(
        f"{shown(HERE)}:{line}: JSONDecodeError: Expecting property name"
    )


def test_the_first_of_ones_own_that_has_a_frame_counts() -> None:
    assert place_of(raised(), [Path(json.__file__).parent, HERE]).partition(":")[0].endswith("decoder.py")


def test_without_a_place_of_ones_own_there_is_none() -> None:
    assert told(raised(), [Path("/nowhere")], "it broke") == "it broke"
    assert told(RuntimeError(), []) == "RuntimeError"


def test_a_syntax_error_names_the_file_that_has_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "wrong.py"
    file.write_text("x = 1\ny = (\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SyntaxError) as caught:
        compile(file.read_text(), str(file), "exec")
    assert told(caught.value, [HERE]) == "wrong.py:2: SyntaxError: '(' was never closed"
