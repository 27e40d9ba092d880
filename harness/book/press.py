"""Prints pages into a folder: templates in, files out, and a note of what is there.

A file is written only where it changed. `book.json` says what was printed last, so that what no longer
belongs is taken away, and nothing that somebody else put there.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from datetime import UTC
from functools import cache
from pathlib import Path
from typing import Any

import orjson
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from fakes.core.ui import filters
from harness import hiding
from harness.book import places
from harness.hiding import Hiding

HERE = Path(__file__).parent
NOTE = "book.json"


class Press:
    """A folder that is printed into. `stamps` are those of pages that were there before, by their path."""

    def __init__(self, out: Path) -> None:
        self.out = out
        self._before = _note(out)
        self.stamps: dict[str, str] = {}
        self.printed: dict[str, list[str]] = {}

    def page(self, path: str, template: str, **context: Any) -> None:
        """Prints one page."""
        html = templates().get_template(template).render(root="../" * path.count("/"), here=path, **context)
        self.file(path, html.encode("utf-8", "replace"))

    def file(self, path: str, content: bytes) -> None:
        """Puts a file there, if it is not there as it is."""
        target = self.out / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.is_file() or target.read_bytes() != content:
            target.write_bytes(content)
        self.printed.setdefault(path, [])

    def stamped(self, path: str, stamp: str, files: Iterable[str]) -> None:
        """Notes what a page was printed from, and the files that go with it."""
        self.stamps[path], self.printed[path] = stamp, list(files)

    def still(self, path: str, stamp: str) -> list[str] | None:
        """The files of a page that was printed from the same before, and is kept; None where it is not so."""
        before = self._before.get(path, {})
        files: list[str] = before.get("files", [])
        if before.get("stamp") != stamp or not all((self.out / each).is_file() for each in (path, *files)):
            return None
        self.stamped(path, stamp, files)
        return files

    def static(self) -> None:
        """Style, script and mark."""
        for file in sorted((HERE / "static").iterdir()):
            self.file(file.name, file.read_bytes())

    def finish(self) -> None:
        """Takes away what was printed before and no longer belongs; notes what is there."""
        now = {*self.printed, *(file for files in self.printed.values() for file in files)}
        for path, said in self._before.items():
            for gone in {path, *said.get("files", [])} - now:
                if _within(self.out, gone):
                    (self.out / gone).unlink(missing_ok=True)
        note = {
            path: {"stamp": self.stamps.get(path, ""), "files": files}
            for path, files in sorted(self.printed.items())
        }
        self.out.joinpath(NOTE).write_bytes(orjson.dumps(note, option=orjson.OPT_INDENT_2))


def _note(out: Path) -> dict[str, dict[str, Any]]:
    try:
        read: dict[str, dict[str, Any]] = orjson.loads((out / NOTE).read_bytes())
        return read if all(isinstance(said, dict) for said in read.values()) else {}
    except (OSError, orjson.JSONDecodeError, AttributeError):
        return {}


def _within(out: Path, path: str) -> bool:
    return (out / path).resolve().is_relative_to(out.resolve())


@cache
def print_stamp() -> str:
    """A hash of all that pages are made by: with another one they are made anew."""
    digest = hashlib.sha256()
    for file in [*sorted(HERE.rglob("*")), Path(hiding.__file__)]:
        if file.is_file() and file.suffix in (".py", ".html"):
            digest.update(file.name.encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:16]


@cache
def templates() -> Environment:
    """The book's templates."""
    env = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=lambda name: not (name or "").endswith(".md"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        cache_size=-1,
    )
    env.filters.update(
        instant=instant,
        percent=percent,
        duration=duration,
        usd=usd,
        s=plural,
        size=size,
        human=human,
        hidden=Hiding().text,
    )
    env.globals.update(places=places)
    return env


def instant(at_ms: int | None) -> str:
    """Wall time, as in "Tue 14 Oct 2025, 09:05 UTC"."""
    return "" if at_ms is None else f"{filters.instant(at_ms, UTC)} UTC"


def percent(share: float | None) -> str:
    """A share, as in "67 %"."""
    return "–" if share is None else f"{share * 100:.0f} %"


def duration(seconds: float | None) -> str:
    """As in "2.4 s", "3 min 20 s"."""
    if seconds is None:
        return "–"
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def usd(amount: float | None) -> str:
    """An amount in US dollars."""
    return "–" if amount is None else f"${amount:,.2f}" if amount >= 0.1 or amount == 0 else f"${amount:.4f}"


def plural(count: int, one: str, many: str = "") -> str:
    """A count with its noun: "1 task", "4 tasks"."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def size(count: int) -> str:
    """A number of bytes."""
    return f"{count:,} bytes" if count < 10_000 else f"{count / 1024:,.0f} kB"


def human(text: str) -> str:
    """A table's or a guard's name in words."""
    return text.replace("_", " ").replace("-", " ")
