"""The planned kill: it dies at the point that was named, and as by `kill -9`."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import apsw
import pytest

from fakes.core.crash import VARIABLE, BadKill, Kill, connect, parse, planned

WRITER = """
import sys
from pathlib import Path
from fakes.core import crash
crash.arm(crash.parse(sys.argv[1]))
con = crash.connect(Path(sys.argv[2]))
con.execute("PRAGMA synchronous = NORMAL")
for n in range(3):
    print(n, flush=True)
    con.execute("INSERT INTO t VALUES (?)", (n,))
print("counted", crash.counted(), flush=True)
"""


def write(point: str, path: Path) -> tuple[int, list[str], list[int]]:
    """Writes three rows, one a commit, with a kill planned: how it ended, what it said, what is there."""
    con = apsw.Connection(str(path))
    con.execute("PRAGMA journal_mode = WAL; CREATE TABLE t (n)").fetchall()
    con.close()
    run = subprocess.run([sys.executable, "-c", WRITER, point, str(path)], capture_output=True, text=True)
    con = apsw.Connection(str(path))
    rows = [n for (n,) in con.execute("SELECT n FROM t ORDER BY n")]
    assert con.execute("PRAGMA integrity_check").get == "ok"
    con.close()
    return run.returncode, run.stdout.split(), rows


def test_it_dies_before_and_after_a_commit(tmp_path: Path) -> None:
    assert write("commit:2", tmp_path / "before") == (-signal.SIGKILL, ["0", "1"], [0])
    assert write("commit:2+", tmp_path / "after") == (-signal.SIGKILL, ["0", "1"], [0, 1])


def test_a_point_that_never_comes_changes_nothing(tmp_path: Path) -> None:
    code, said, rows = write("commit:9", tmp_path / "never")
    assert (code, said[-2:], rows) == (0, ["counted", "3"], [0, 1, 2])


@pytest.mark.parametrize("side", ["", "~", "+"])
def test_it_dies_at_each_write_and_leaves_whole_commits(side: str, tmp_path: Path) -> None:
    _, said, _ = write("write:999", tmp_path / "count")
    count = int(said[-1])
    assert count >= 6
    found = [write(f"write:{n}{side}", tmp_path / str(n)) for n in range(1, count + 1)]
    for code, began, rows in found:
        assert code == -signal.SIGKILL
        assert rows in (list(range(len(began))), list(range(len(began) - 1)))
    assert len({len(rows) for _, _, rows in found}) > 2


@pytest.mark.parametrize(
    ("text", "kill"),
    [
        ("commit:1", Kill("commit", 1)),
        ("commit:20+", Kill("commit", 20, "+")),
        ("write:7~", Kill("write", 7, "~")),
    ],
)
def test_points_are_read(text: str, kill: Kill) -> None:
    assert parse(text) == planned({VARIABLE: text}) == kill


@pytest.mark.parametrize(
    "text",
    ["commit", "commit:", "commit:0", "commit:-1", "commit:1~", "commit:1 ", "write:x", "read:1", "write:01"],
)
def test_what_names_no_point_is_refused_with_what_does(text: str) -> None:
    with pytest.raises(BadKill, match=r"PARACOSM_FAULT takes commit:K, .* not "):
        parse(text)


def test_nothing_is_planned_by_nothing(tmp_path: Path) -> None:
    assert planned({}) is planned({VARIABLE: ""}) is None
    connect(tmp_path / "plain").close()
