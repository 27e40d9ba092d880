"""The text form of the book: a README.md for each environment, in its folder.

It tells what is declared. When that was last proved stands in proved.json (qualified.json of a code task),
which changes with every proof; a README that told it would be stale each time.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from harness.app import discover_services, scenario_folders
from harness.book.entries import EnvironmentEntry
from harness.book.press import templates
from harness.book.programs import code_environments
from harness.book.worlds import world_environments

FILE = "README.md"


def entries() -> list[EnvironmentEntry]:
    """All environments as they are declared, without a world made; those that are broken, too."""
    return [*world_environments(discover_services(), filled=False), *code_environments()]


def path_of(env: EnvironmentEntry) -> Path:
    """Where an environment's README is."""
    return scenario_folders()[env.slug] / FILE


def readme(env: EnvironmentEntry) -> str:
    """The text for an environment."""
    template = "readme_code.md" if env.kind == "code" else "readme_world.md"
    text = templates().get_template(template).render(env=env)
    return text.rstrip() + "\n"


def stale(environments: Iterable[EnvironmentEntry]) -> list[EnvironmentEntry]:
    """Those whose README is missing, or says something else; of one that is broken nothing can be said."""
    return [env for env in environments if not env.broken and not _says(path_of(env), readme(env))]


def _says(path: Path, text: str) -> bool:
    return path.is_file() and path.read_text(encoding="utf-8") == text


def write(environments: Iterable[EnvironmentEntry]) -> list[Path]:
    """Writes those that are stale, and tells which. Raises OSError."""
    written = []
    for env in stale(environments):
        path_of(env).write_text(readme(env), encoding="utf-8")
        written.append(path_of(env))
    return written
