"""The tools of a code task: files of the workspace, and commands that run in it."""

from __future__ import annotations

import stat
from collections import deque
from collections.abc import Sequence
from pathlib import Path

import pydantic

from harness.rails.environ import small
from harness.rails.model.tools import MOST, Form, Tool, ToolFailed, tool
from harness.rails.model.turns import Outcome
from harness.rails.process import run_process

LONGEST = 600.0  # seconds of one command
MOST_LINES = 5000  # of what a command says; the last ones count
LARGEST = 16 << 20  # bytes of a file that is read


class ReadFile(Form):
    """Which file."""

    path: str
    first_line: int = pydantic.Field(default=1, ge=1)
    last_line: int | None = pydantic.Field(default=None, ge=1)


class WriteFile(Form):
    """Which file, and what it holds then."""

    path: str
    text: str


class Run(Form):
    """A command of the shell."""

    command: str
    seconds: float = pydantic.Field(default=120.0, gt=0, le=LONGEST)


class Workspace:
    """The tools `read_file`, `write_file` and `run`. A command sees none of our environment's keys."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()

    def tools(self) -> Sequence[Tool]:
        """All three."""
        return [
            tool("read_file", "Read a text file of the workspace, or list a folder.", ReadFile, self._read),
            tool("write_file", "Write a text file of the workspace, whole.", WriteFile, self._write),
            tool("run", "Run a shell command in the workspace, and end what is left of it.", Run, self._run),
        ]  # fmt: skip

    def _inside(self, path: str) -> Path:
        found = (self._folder / path).resolve()
        if not found.is_relative_to(self._folder):
            raise ToolFailed(f"{path} is not in the workspace.")
        return found

    async def _read(self, given: ReadFile) -> Outcome:
        file = self._inside(given.path)
        if file.is_dir():
            names = sorted(f"{each.name}/" if each.is_dir() else each.name for each in file.iterdir())
            return Outcome("\n".join(names) or "(It is empty.)")
        _check_plain(file, given.path)
        try:
            lines = file.read_text().splitlines(keepends=True)
        except UnicodeDecodeError:
            raise ToolFailed(f"{given.path} is no text: {file.stat().st_size:,} bytes.") from None
        except OSError as error:
            raise ToolFailed(f"{given.path} can't be read: {error.strerror}.") from None
        return Outcome("".join(lines[given.first_line - 1 : given.last_line]) or "(Nothing.)")

    async def _write(self, given: WriteFile) -> Outcome:
        file = self._inside(given.path)
        _check_plain(file, given.path)
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(given.text)
        except (OSError, UnicodeError) as error:
            raise ToolFailed(f"{given.path} can't be written: {error}.") from None
        return Outcome(f"{given.path} holds {len(given.text):,} letters.")

    async def _run(self, given: Run) -> Outcome:
        said: deque[str] = deque(maxlen=MOST_LINES)
        ended = await run_process(
            ["sh", "-c", given.command], cwd=self._folder, env=small(self._folder, ["TMPDIR"]), said="",
            timeout=given.seconds, hear=lambda channel, text: said.append(text[-MOST:]),
        )  # fmt: skip
        told = f"It was ended after {given.seconds:g} seconds." if ended.overdue else f"It {ended.told}."
        text = "\n".join([*said, told])
        cut = f"… (the last of {len(text):,} letters)\n" if len(text) > MOST else ""
        return Outcome(cut + text[-(MOST - 100) :], failed=ended.code != 0)


def _check_plain(file: Path, path: str) -> None:
    """Refuses pipes and devices, which may never answer, and what is too large to be read."""
    try:
        found = file.stat()
    except OSError:  # as opening it will tell
        return
    if not stat.S_ISREG(found.st_mode):
        raise ToolFailed(f"{path} is no plain file.")
    if found.st_size > LARGEST:
        raise ToolFailed(f"{path} has {found.st_size:,} bytes, too many for this tool: take a part with run.")
