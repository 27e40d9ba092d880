"""What `prove` does with code tasks: qualifies their graders, and shows the matrix."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from harness.cli.words import WrongUse

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from harness.code.declaring import CodeTask
    from harness.code.qualify import Found, Qualification
    from harness.parallel import Crew

EXPECTED, UNEXPECTED = "[green]{}[/]", "[bold red]{}![/]"


def parted(targets: list[str]) -> tuple[list[str] | None, list[str]]:
    """The targets that have a world, and those that are code tasks. For no targets, all: None, and the names
    of all code environments; None in the first place where no target has a world.
    """
    from harness.code.discovery import code_environment_names, is_code

    if not targets:
        return [], code_environment_names()
    worlds = [target for target in targets if not is_code(target)]
    return worlds or None, [target for target in targets if is_code(target)]


def found(targets: Sequence[str]) -> tuple[list[list[CodeTask]], list[str]]:
    """The tasks that are named, by environment, and a sentence for each environment that is broken."""
    from harness.app import BrokenScenario
    from harness.code.discovery import find_all
    from harness.discovery import UnknownTarget

    by_env: dict[str, dict[str, CodeTask]] = {}
    broken: dict[str, None] = {}
    for target in targets:
        try:
            for task in find_all([target]):
                by_env.setdefault(task.env.slug, {})[task.slug] = task
        except BrokenScenario as error:
            broken[str(error)] = None
        except UnknownTarget as error:
            raise WrongUse(error.args[0]) from None
    return [list(tasks.values()) for tasks in by_env.values()], list(broken)


def refuse_staying(targets: Sequence[str], *, watch: bool, play: str | None) -> None:
    """Says what there is instead of watching a code task, or opening one of its solutions."""
    if targets and watch:
        raise WrongUse(f"--watch proves worlds; run `paracosm prove {targets[0]}` again after a change.")
    if targets and play is not None:
        raise WrongUse(
            f"--open serves the world that a play leaves, and {targets[0]} has none; say "
            f"`paracosm run {targets[0]} --play witness:NAME`."
        )


def refuse_settings(target: str) -> NoReturn:
    """Says why a code task is not proved on dates or instances of a seed."""
    raise WrongUse(
        f"{target} has no run clock and no seed: leave out --date, --zone, --dates, --full and --instances."
    )


def qualified(chosen: Sequence[Sequence[CodeTask]], crew: Crew) -> list[Qualification]:
    """Qualifies the graders of environments, one after the other, and keeps what was found."""
    from harness.code import qualified as keeping
    from harness.code.qualify import qualify

    made = [qualify(tasks, crew) for tasks in chosen]
    for each in made:
        keeping.write(each)
    return made


def outcome(came: Any) -> str:
    """What came of a job, whichever it was, in a word or two."""
    from harness import proving
    from harness.code import qualify
    from harness.code.grading import Holding, Trial

    return qualify.outcome(came) if isinstance(came, Holding | Trial) else proving.outcome(came)


def show(console: Console, made: Qualification) -> None:
    """The matrix, the problems, and the line that says whether it is qualified."""
    from harness.cli.show import line

    console.print(_matrix(made))
    for problem in made.problems:
        line(console, f"✗ {problem}", "red")
    line(console, made.line(), "bold")


def _matrix(made: Qualification) -> Table:
    """A solution a row, an invariant a column: `fails` where it must, and marked where it must not."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    from harness.code.qualify import invariants_of

    asked = invariants_of(made.tasks)
    title = f"{made.env.slug} · {made.seconds:.0f} s"
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD)
    for name in ("solution", "holds", *asked, "visible tests"):
        table.add_column(name, overflow="fold")
    for each in made.found:
        visible = each.holding.visible
        cells = [_holds(made, each), *(_cell(made, each, name) for name in asked)]
        table.add_row(each.solution, *cells, f"{visible.passed}/{visible.of}")
    return table


def _holds(made: Qualification, found: Found) -> str:
    if found.holding.errors:
        return UNEXPECTED.format("error")
    if not found.holding.broken:
        return "kept"
    names = tuple(verdict.guard for verdict in found.holding.broken)
    return _marked(made, found, names, "breaks " + ", ".join(names))


def _cell(made: Qualification, found: Found, name: str) -> str:
    trial = found.trials.get(name)
    if trial is None:
        return "–"
    words = {"refused": "fails", "passed": "passes"}
    state = words.get(trial.verdict.state, trial.verdict.state)
    return _marked(made, found, (name,) if state == "fails" else (), state, of=name)


def _marked(made: Qualification, found: Found, refused: tuple[str, ...], text: str, of: str = "") -> str:
    """As it must be, or not: what refuses is what is declared to, of one invariant or of all holds."""
    from harness.code.qualify import expected, invariants_of

    asked = invariants_of(made.tasks)
    must = expected(made.env, found.solution, asked)
    of_this = tuple(name for name in must if (name == of if of else name not in asked))
    return (EXPECTED if refused == of_this and text != "error" else UNEXPECTED).format(text)
