"""A command in a process group: what it says is heard, how it ended is told, and nothing of it is left."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from harness.rails.process import Exit, run_process

ROOT = Path(__file__).parents[3]
ENV = {"PATH": os.environ["PATH"]}
LONG = 20.0


async def run(
    folder: Path, script: str, timeout: float = LONG, said: str = ""
) -> tuple[Exit, list[tuple[str, str]]]:
    heard: list[tuple[str, str]] = []

    def hear(channel: str, line: str) -> bool:
        heard.append((channel, line))
        return line == "enough"

    words = ["sh", "-c", script]
    ended = await run_process(words, cwd=folder, env=ENV, said=said, timeout=timeout, hear=hear)
    return ended, heard


def is_alive(pid: int) -> bool:
    """Whether a process runs; one that is dead and not yet fetched does not."""
    try:
        return ") Z" not in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False


async def gone(pid: int) -> bool:
    """Whether a process that was killed is gone; a kill takes effect in its own time."""
    until = time.monotonic() + LONG
    while is_alive(pid) and time.monotonic() < until:
        await asyncio.sleep(0.01)
    return not is_alive(pid)


async def test_what_it_says_is_heard_in_lines(tmp_path: Path) -> None:
    ended, heard = await run(tmp_path, "echo one; echo two >&2; printf three; pwd")
    assert ended == Exit(0)
    assert [line for channel, line in heard if channel == "stdout"] == ["one", f"three{tmp_path}"]
    assert ("stderr", "two") in heard


async def test_it_is_told_something_and_then_the_end(tmp_path: Path) -> None:
    assert (await run(tmp_path, "cat; echo over", said="hello\n"))[1] == [
        ("stdout", "hello"),
        ("stdout", "over"),
    ]
    assert (await run(tmp_path, "cat; echo over"))[1] == [("stdout", "over")]


async def test_an_endless_line_is_broken(tmp_path: Path) -> None:
    _, heard = await run(tmp_path, "head -c 200000 /dev/zero | tr '\\0' x; exit 0")
    assert "".join(line for _, line in heard) == "x" * 200_000 and len(heard) == 4


@pytest.mark.parametrize(
    ("script", "code", "told"),
    [
        ("exit 3", 3, "exited with code 3"),
        ("kill -SEGV $$", -11, "died by SIGSEGV"),
        ("exit 0", 0, "exited with code 0"),
    ],
)
async def test_how_it_ended_is_told_apart(tmp_path: Path, script: str, code: int, told: str) -> None:
    ended, _ = await run(tmp_path, script)
    assert (ended.code, ended.overdue, ended.told) == (code, False, told)


async def test_what_is_no_program_is_not_started(tmp_path: Path) -> None:
    (tmp_path / "broken").write_text("#!/nowhere\n")
    (tmp_path / "broken").chmod(0o755)
    for words, said in [
        (["no-such-agent"], "there is no program 'no-such-agent' on the PATH."),
        ([str(tmp_path / "broken")], "broken: No such file or directory."),
    ]:
        ended = await run_process(words, cwd=tmp_path, env=ENV, said="", timeout=1, hear=lambda *_: False)
        assert ended.code is None and ended.told.endswith(said)


async def test_whoever_is_overdue_is_ended(tmp_path: Path) -> None:
    ended, _ = await run(tmp_path, "exec sleep 60", 0.1)
    assert ended == Exit(-15, overdue=True)


async def test_whoever_has_said_enough_may_clean_up_and_is_killed_if_he_will_not(tmp_path: Path) -> None:
    ended, heard = await run(
        tmp_path, "trap 'echo bye; exit 0' TERM; echo enough; while :; do sleep 0.01; done"
    )
    assert ended == Exit(0) and ("stdout", "bye") in heard
    ended, _ = await run(tmp_path, "trap '' TERM; echo enough; exec sleep 60")
    assert ended == Exit(-9)


@pytest.mark.parametrize("way", ["sleep 60 &", "setsid sleep 60 &"])
async def test_nothing_of_it_is_left(tmp_path: Path, way: str) -> None:
    ended, heard = await run(tmp_path, f"{way} echo $!")
    assert ended.code == 0 and await gone(int(heard[0][1]))


async def test_nothing_is_left_when_the_attempt_is_ended_from_outside(tmp_path: Path) -> None:
    running = asyncio.create_task(run(tmp_path, "echo $$ > pid; exec sleep 60"))
    while not (tmp_path / "pid").exists() or not (tmp_path / "pid").read_text():
        await asyncio.sleep(0.01)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert await gone(int((tmp_path / "pid").read_text()))


ORPHANED = """
import asyncio, os
from pathlib import Path
from harness.rails.process import run_process

asyncio.run(run_process(
    ["sh", "-c", "echo $$; exec sleep 60"], cwd=Path.cwd(), env=dict(os.environ), said="", timeout=60,
    hear=lambda channel, line: print(line, flush=True),
))
"""


async def test_nothing_is_left_when_the_harness_is_killed(tmp_path: Path) -> None:
    harness = subprocess.Popen(
        [sys.executable, "-c", ORPHANED], cwd=tmp_path, stdout=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert harness.stdout is not None
    agent = int(harness.stdout.readline())
    harness.kill()
    harness.communicate()
    assert await gone(agent)
