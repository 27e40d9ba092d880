"""`paracosm new`: scaffolds of scenarios and tasks, which prove as they are."""

from __future__ import annotations

import keyword
import re
from pathlib import Path
from typing import Annotated, Any

import typer

from harness.cli.words import WrongUse

SCENARIO_EXAMPLE = "Example: paracosm new scenario front_desk"
TASK_EXAMPLE = "Example: paracosm new task front_desk/say-good-morning --browser"
FIRST_TASK = "say_hello"
SCENARIOS = Path("scenarios")
_TEMPLATES = Path(__file__).parent.parent / "templates" / "scenario"
_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")

app = typer.Typer(
    help="Start a scenario or a task from a scaffold that proves as it is.", rich_markup_mode=None
)


@app.command(epilog=SCENARIO_EXAMPLE)
def scenario(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Its folder's name, such as front_desk.")],
) -> None:
    """Make scenarios/NAME in this folder: a seed, an environment and a first task."""
    from harness.app import scenario_folders
    from harness.discovery import folder_above

    package = _identifier(name, "scenario")
    above = folder_above()
    if above is not None:
        raise WrongUse(f"This is inside of scenarios/, which new ones are made beside: go to {above}.")
    folder = SCENARIOS / package
    if folder.exists():
        raise WrongUse(f"There is a folder {folder} already; choose another name.")
    if package in scenario_folders():
        raise WrongUse(f"Paracosm has a scenario {package!r} of its own; choose another name.")
    words = _words(package, "mira", "tom", "tomas")
    for template in sorted(_TEMPLATES.rglob("*.jinja")):
        place = folder / template.relative_to(_TEMPLATES).with_suffix("")
        _write(place.with_name(f"{FIRST_TASK}.py") if place.name == "task.py" else place, template, words)
    print(f"{folder} is there; prove it with: paracosm prove {package}")


@app.command(epilog=TASK_EXAMPLE)
def task(
    target: Annotated[
        str, typer.Argument(metavar="SCENARIO/NAME", help="The scenario, and the task's name.")
    ],
    browser: Annotated[bool, typer.Option("--browser", help="It is done on the product's pages.")] = False,
    answer: Annotated[bool, typer.Option("--answer", help="It asks for an answer too.")] = False,
) -> None:
    """Add a task to a scenario whose people have mail: one of them writes another a letter.

    It is there to be changed: subject, guards, plays and cheats each stand there once, and hold as they are.
    """
    where, slash, name = target.partition("/")
    if not (where and slash and name):
        raise WrongUse(f"A task is named SCENARIO/NAME, such as front_desk/say-good-morning, not {target!r}.")
    package, module = _identifier(where, "scenario"), _identifier(name, "task")
    folder = SCENARIOS / package
    if not (folder / "environment.py").is_file():
        raise WrongUse(
            f"There is no environment {folder} in {Path.cwd()}: go to the folder that has it, or make one "
            f"with: paracosm new scenario {package}"
        )
    place = folder / "tasks" / f"{module}.py"
    if place.exists():
        raise WrongUse(f"There is a task {place} already; choose another name.")
    words = _words(package, *_people(package), browser=browser, answer=answer)
    if not (folder / "tasks" / "__init__.py").exists():
        _write(folder / "tasks" / "__init__.py", _TEMPLATES / "tasks" / "__init__.py.jinja", words)
    _write(place, _TEMPLATES / "tasks" / "task.py.jinja", words)
    print(f"{place} is there; prove it with: paracosm prove {package}/{module.replace('_', '-')}")


def _identifier(name: str, what: str) -> str:
    """The module name for what people may write with hyphens."""
    module = name.replace("-", "_")
    if keyword.iskeyword(module):
        raise WrongUse(
            f"{name!r} is a reserved word of Python and no name for a {what}; choose another name."
        )
    if not _NAME.fullmatch(module):
        raise WrongUse(
            f"{name!r} is no name for a {what}: use small letters, digits and hyphens or underscores."
        )
    return module


def _words(
    package: str, sender: str, receiver: str, neighbour: str = "", *, browser: bool = False,
    answer: bool = False,
) -> dict[str, Any]:  # fmt: skip
    """What templates fill in. `neighbour` is whom the receiver is taken for, if there is anybody."""
    return {
        "scenario": package,
        "title": package.replace("_", " ").capitalize(),
        "sender": sender,
        "receiver": receiver,
        "receivers_name": receiver.replace("_", " ").title(),
        "neighbour": neighbour,
        "browser": browser,
        "answer": answer,
        "actor": "BrowserActor" if browser else "Actor",
    }


def _people(package: str) -> list[str]:
    """Two people among an environment's facts for the letter to go between, and one to be taken for the
    second, if there is a third. Raises WrongUse."""
    from typing import get_type_hints

    from fakes.core.people import Person
    from harness.app import BrokenScenario
    from harness.discovery import load_environment

    try:
        env = load_environment(package)
    except BrokenScenario as error:
        raise WrongUse(str(error)) from None
    people = [name for name, kind in get_type_hints(env.facts).items() if kind is Person]
    if "gmail" not in env.services or len(people) < 2:
        raise WrongUse(
            f"The scaffold's letter needs gmail and two people among the facts, which {package} lacks; "
            f"start from a file of scenarios/{package}/tasks instead."
        )
    return people[:3]


def _write(place: Path, template: Path, words: dict[str, Any]) -> None:
    from jinja2 import Environment, StrictUndefined

    made = Environment(
        undefined=StrictUndefined, keep_trailing_newline=True, trim_blocks=True, autoescape=False
    )
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(made.from_string(template.read_text()).render(words))
