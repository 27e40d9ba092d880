"""How much of each vendor's API its fake answers, and the table of it in the fake's README."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path
from typing import Any

from fakes.core.service import Coverage, Service
from harness.app import package_root

BEGIN, END = "<!-- coverage: written by `paracosm coverage --readmes` -->", "<!-- /coverage -->"
_MARKED = re.compile(f"{re.escape(BEGIN)}.*{re.escape(END)}", re.DOTALL)


def covered(services: Iterable[Service]) -> dict[str, Coverage]:
    """The coverage of those that fake an API, by their names."""
    return {service.name: service.coverage() for service in services if service.coverage is not None}


def as_json(found: dict[str, Coverage]) -> dict[str, Any]:
    """For programs: how many methods there are, and which are faked and which are not, by their names."""
    return {
        name: {"total": len(each.methods), "faked": each.faked, "not_faked": each.not_faked}
        for name, each in found.items()
    }


def rows(found: Coverage) -> list[tuple[str, list[str], list[str]]]:
    """For people: each resource with its methods that are faked, and those that are not."""
    faked = set(found.faked)
    by_resource = groupby(sorted(found.methods, key=_resource), _resource)
    return [
        (
            resource,
            [_verb(name) for name in names if name in faked],
            [_verb(name) for name in names if name not in faked],
        )
        for resource, names in ((resource, list(group)) for resource, group in by_resource)
    ]


def table(found: Coverage) -> str:
    """The same in Markdown."""
    said = f"{len(found.faked)} of {len(found.methods)} methods are faked."
    lines = ["| resource | faked | not faked |", "| --- | --- | --- |"]
    lines += [
        f"| `{resource}` | {', '.join(faked)} | {', '.join(missing)} |"
        for resource, faked, missing in rows(found)
    ]
    return "\n".join([said, "", *lines])


def readme_of(name: str) -> Path:
    """Where a fake's README is."""
    return Path(next(iter(package_root("fakes").__path__)), name, "README.md")


def readme(name: str, found: Coverage) -> str:
    """What a fake's README is to say: as it is, with its table as of now."""
    text = readme_of(name).read_text(encoding="utf-8")
    return _MARKED.sub(lambda _: f"{BEGIN}\n{table(found)}\n{END}", text)


def stale(found: dict[str, Coverage]) -> list[str]:
    """The fakes whose README has another table, or none."""
    return [
        name
        for name, each in found.items()
        if not _MARKED.search(text := readme_of(name).read_text(encoding="utf-8"))
        or text != readme(name, each)
    ]


def write(found: dict[str, Coverage]) -> list[Path]:
    """Writes the tables that are stale, and tells where. Raises OSError."""
    written = []
    for name in stale(found):
        readme_of(name).write_text(readme(name, found[name]), encoding="utf-8")
        written.append(readme_of(name))
    return written


def _resource(name: str) -> str:
    return name.rpartition(".")[0]


def _verb(name: str) -> str:
    return name.rpartition(".")[2]
