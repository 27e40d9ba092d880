"""The `command` rail: any program as the agent, in a process group and a workspace of its own.

In a world it finds variables that let it in, a letter that says what to do, and the task's files; in a code
task the workspace is the task. It gets a small environment and a fresh home, and none of our secrets. What it
says is kept as the transcript.
"""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness import facts
from harness.attempt import Attempt
from harness.driven import Driven
from harness.driver import Driver
from harness.folders import fresh_folder
from harness.rails.commandline import Holes, Recipe, command_line
from harness.rails.environ import STAND_IN, given
from harness.rails.lodging import ANSWER, LETTER, move_in
from harness.rails.process import Channel, Exit, run_process
from harness.rails.reading import Reading
from harness.rails.recipes import recipe_for
from harness.rails.transcript import NAME, Transcript

if TYPE_CHECKING:
    from harness.code.attempt import CodeAttempt

PROMPT = "PROMPT.md"
MOST_ANSWER = 1 << 20  # bytes
_SECRET = ("KEY", "TOKEN", "SECRET", "PASSWORD")
_PASSWORD = re.compile(r"[a-z][a-z0-9+.-]*://[^/@:]*:([^/@]+)@", re.IGNORECASE)


@dataclass(frozen=True)
class Lodging:
    """Where a command is put: workspace, variables, what it is told, and a file that says the same."""

    workspace: Path
    variables: Mapping[str, str]
    prompt: str
    file: Path


def by_command(driver: Driver) -> Callable[[Attempt | CodeAttempt], Coroutine[Any, Any, None]]:
    """A drive that lets a command act, in a world's attempt or in a code task's. Raises UnknownRecipe.

    Exit code 0 is finished, another or a signal is an error, a limit of time or turns that was reached is a
    time-out, and what could not be started is not-run.
    """
    recipe = recipe_for(driver)

    async def drive(attempt: Attempt | CodeAttempt) -> None:
        with _room() as room:
            attempt.rail = "command"
            lodging = _lodge(attempt, room)
            ended, reading = await _act(recipe, driver, lodging, attempt, room)
            _conclude(attempt, ended, reading, driver, recipe)
            if isinstance(attempt, Attempt):
                attempt.answer = read_answer(lodging.workspace / ANSWER) if attempt.task.answer else None
            await attempt.settle()

    return drive


@contextmanager
def _room() -> Iterator[Path]:
    """A folder for what one attempt has beside its own: `home`, and a workspace if it brings none."""
    with fresh_folder("paracosm-") as room:
        (room / "home").mkdir()
        yield room


def _lodge(attempt: Attempt | CodeAttempt, room: Path) -> Lodging:
    if not isinstance(attempt, Attempt):
        variables = {"PARACOSM_TASK_TEXT": attempt.prompt}
        return Lodging(attempt.workspace, variables, attempt.prompt, attempt.workspace / PROMPT)
    workspace = room / "workspace"
    workspace.mkdir()
    variables, letter = move_in(attempt, workspace)
    return Lodging(workspace, variables, letter, workspace / LETTER)


async def _act(
    recipe: Recipe, driver: Driver, lodging: Lodging, attempt: Attempt | CodeAttempt, room: Path
) -> tuple[Exit, Reading]:
    """Runs the command; keeps its transcript, also if somebody ends the attempt meanwhile."""
    environment = _environment(recipe, lodging, attempt, room)
    transcript, reading = Transcript(_secrets(environment)), Reading()

    def hear(channel: Channel, line: str) -> bool:
        transcript.extend([("stderr", line)] if channel == "stderr" else recipe.reader(line, reading))
        if recipe.limits_turns or driver.max_turns is None or reading.turns <= driver.max_turns:
            return False
        reading.out_of_turns = True
        return True

    holes = Holes(
        lodging.prompt, str(lodging.file), str(room / "home"), str(lodging.workspace), driver.model,
        driver.max_turns, _tools(lodging.variables),
    )  # fmt: skip
    _furnish(recipe, room / "home", holes)
    try:
        ended = await run_process(
            command_line(recipe, holes), cwd=lodging.workspace, timeout=driver.timeout, hear=hear,
            env=environment | {name: holes.fill(value) for name, value in recipe.environment.items()},
            said=lodging.prompt if recipe.by_stdin else "",
        )  # fmt: skip
        transcript.add("exit", ended.told)
        reading.problem = transcript.hidden(str(reading.problem))
        return ended, reading
    finally:
        attempt.keep(NAME, transcript.content())


def _tools(variables: Mapping[str, str]) -> str | None:
    """The file of servers of tools, of several actors the first one's; None where there is none."""
    return next((value for name, value in variables.items() if name.endswith("PARACOSM_MCP_CONFIG")), None)


def _environment(
    recipe: Recipe, lodging: Lodging, attempt: Attempt | CodeAttempt, room: Path
) -> dict[str, str]:
    found = {**given(room / "home", recipe.passes), **lodging.variables}
    for name, lender in recipe.borrows.items():
        if name not in found and lender in found:
            found[name] = found[lender]
    if recipe.private:
        found[STAND_IN] = str(_whisper(attempt, room))
    return found


def _secrets(environment: Mapping[str, str]) -> dict[str, str]:
    """What a transcript must not hold: of the variables that are ours, those that look like keys."""
    ours = {name: value for name, value in environment.items() if name in os.environ}
    found = {name: value for name, value in ours.items() if any(word in name for word in _SECRET)}
    for name, value in ours.items():  # of a proxy, say, the password
        if password := _PASSWORD.match(value):
            found.setdefault(name, password[1])
    return found


def _furnish(recipe: Recipe, home: Path, holes: Holes) -> None:
    """Writes a recipe's settings into the home."""
    for name, text in recipe.files.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(holes.fill(text), encoding="utf-8")


def _whisper(attempt: Attempt | CodeAttempt, room: Path) -> Path:
    """The private file of a stand-in: the task, where its scenario is found, and in a world the facts."""
    told: dict[str, Any] = {"task": attempt.task.name, "from": str(Path.cwd())}
    if isinstance(attempt, Attempt):
        told["facts"] = facts.dump(attempt.facts)
    path = room / "stand-in.json"
    path.touch(0o600)
    path.write_text(json.dumps(told), encoding="utf-8")
    return path


def _conclude(attempt: Driven, ended: Exit, reading: Reading, driver: Driver, recipe: Recipe) -> None:
    """Says how it ended; of several reasons the first that explains the others."""
    attempt.usage = reading.usage
    if ended.code is None:
        attempt.ended, attempt.error = "not-run", f"The command {ended.told}"
    elif ended.overdue:
        attempt.ended, attempt.error = "time-out", f"not done after {driver.timeout:g} seconds"
    elif reading.out_of_turns or (recipe.turns_code is not None and ended.code == recipe.turns_code):
        turns = "its turns" if driver.max_turns is None else f"{driver.max_turns} turns"
        attempt.ended, attempt.error = "time-out", f"not done after {turns}"
    elif ended.code != 0 or reading.problem:
        attempt.ended, attempt.error = "error", f"The command {ended.told}{_why(reading)}"


def _why(reading: Reading) -> str:
    first = reading.problem.strip().splitlines()[:1]
    return f": {first[0][:300]}" if first else ""


def read_answer(path: Path) -> str | None:
    """The text that a command left as its answer, for the grader to read as JSON; None if there is none.

    It may have left anything there: links, pipes and files above a megabyte are not read.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return None
    with open(descriptor, "rb") as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode) or found.st_size > MOST_ANSWER:
            return None
        return file.read(MOST_ANSWER).decode("utf-8", "replace")
