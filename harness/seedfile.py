"""Seeds as YAML, for people who do not write Python: `scenarios/<name>/seed.yaml`, read and written.

A file says who is there (`people`), then for each service what the service's sections take (`gmail: mail:`),
and at the end, mostly in saved worlds, `rows` as they are stored. `{day:-3}` in a text is the date three days
before the run clock's today; `{day:-3:%A}` says it in strftime's words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import make_dataclass
from datetime import date
from keyword import iskeyword
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn
from zoneinfo import ZoneInfo

import yaml

from fakes.core.clock import civil
from fakes.core.people import Person
from fakes.core.saved import NotRows, counters_of, put_rows, rows_of
from fakes.core.seeding import Names, Section, Seed
from fakes.core.store import Row
from fakes.core.world import World
from harness.app import ZONE, scenario_folders
from harness.fields import BadInput
from harness.frames import shown
from harness.guards import TaskError
from harness.instants import instant_of, zone_of

if TYPE_CHECKING:
    import pydantic

FILE = "seed.yaml"
_PARTS = ("about", "clock", "zone", "people", "rows", "counters", "facts")
_PERSON = ("name", "email", "title", "zone")
_DAY = re.compile(r"\{day:([+-]?\d{1,5})(?::([^{}]*))?\}")
_NEARLY_A_DAY = re.compile(r"\{\s*(?:da?y?a?|day)s?\b[^{}]*\}|\{\w{0,4}:\s*[+-]\d+[^{}]*\}", re.IGNORECASE)
_NAME = re.compile(r"(?!__)[a-z_][a-z0-9_]*")
_EMAIL = re.compile(r"[^\s@]+@[^\s@]+")
_DEEPEST = 64
_MOST = 2_000_000


class SeedFileError(TaskError):
    """A seed file that can't be read as meant; the sentence names the place in it."""


class _Loader(yaml.SafeLoader):
    """YAML whose plain words mean what they say: 11:40 and `no` are text, and no key stands twice.

    What nests too deep, or unfolds to too much by its aliases, is refused before anything is made of it.
    """

    _depth = 0

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        self._depth += 1
        if self._depth > _DEEPEST:
            mark = self.peek_event().start_mark  # type: ignore[no-untyped-call]
            raise yaml.MarkedYAMLError(None, None, f"it nests deeper than {_DEEPEST} levels", mark)
        node: yaml.Node | None = super().compose_node(parent, index)
        self._depth -= 1
        return node

    def get_single_node(self) -> yaml.Node | None:
        node: yaml.Node | None = super().get_single_node()
        if node is not None and _size(node, {}) > _MOST:
            raise yaml.MarkedYAMLError(
                None, None, f"with its aliases it holds more than {_MOST:,} values", node.start_mark
            )
        return node

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        try:
            made = super().construct_object(node, deep=deep)
            if isinstance(made, str):
                made.encode()
        except (ValueError, KeyError) as error:
            said = "text that is no Unicode" if isinstance(error, UnicodeError) else repr(node.value)[:80]
            kind = node.tag.rpartition(":")[2]
            raise yaml.MarkedYAMLError(None, None, f"{said} is no {kind}", node.start_mark) from None
        return made


def _size(node: yaml.Node, known: dict[int, int]) -> int:
    """How many values a node unfolds to. A node inside itself, which is refused later, counts once."""
    if id(node) not in known:
        known[id(node)] = 1
        if isinstance(node, yaml.SequenceNode):
            known[id(node)] += sum(_size(each, known) for each in node.value)
        elif isinstance(node, yaml.MappingNode):
            known[id(node)] += sum(_size(each, known) for _, each in node.value)
    return known[id(node)]


_Loader.yaml_implicit_resolvers = {}
for _tag, _pattern, _first in (
    ("null", r"null|~|", ["n", "~", ""]),
    ("bool", r"true|false", list("tf")),
    ("int", r"[-+]?(?:0|[1-9][0-9]*)", list("-+0123456789")),
    ("float", r"[-+]?[0-9]+\.[0-9]+(?:[eE][-+]?[0-9]+)?", list("-+0123456789")),
    ("timestamp", r"[0-9]{4}-[0-9]{2}-[0-9]{2}", list("0123456789")),
):
    _Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(rf"^(?:{_pattern})$"), _first)


def _mapping(loader: _Loader, node: yaml.MappingNode) -> dict[Any, Any]:
    seen = set()
    for key, _ in node.value:
        if not isinstance(key, yaml.ScalarNode):
            raise yaml.MarkedYAMLError(None, None, "a list or mapping can be no key", key.start_mark)
        if key.value in seen:
            raise yaml.MarkedYAMLError(None, None, f"the key {key.value!r} stands twice", key.start_mark)
        seen.add(key.value)
    loader.flatten_mapping(node)
    return dict(loader.construct_pairs(node, deep=True))


_Loader.add_constructor("tag:yaml.org,2002:map", _mapping)


class _Dumper(yaml.SafeDumper):
    """YAML for people: long text as blocks, everything as our loader reads it."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


_Dumper.yaml_implicit_resolvers = _Loader.yaml_implicit_resolvers


def _text(dumper: _Dumper, value: str) -> yaml.ScalarNode:
    block = "\n" in value.rstrip("\n") and "\r" not in value and not re.search(r"[ \t]\n|^[ \n]", value)
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style="|" if block else None)


_Dumper.add_representer(str, _text)


class SeedFile:
    """A seed read from YAML: call it with a Seed, as a seed in Python is called.

    `facts` is the dataclass that it returns: a field for each person, and for each entry with an `as` that
    `facts` lists, or all of them. Raises SeedFileError.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.said = _read(path)
        self.facts = make_dataclass("Facts", self._fact_names(), frozen=True)

    def _fact_names(self) -> list[tuple[str, Any]]:
        names = [*self._mapping("people"), *self._labels(), *self._mapping("facts")]
        for name in names:
            if not isinstance(name, str) or not _NAME.fullmatch(name) or iskeyword(name):
                self._wrong(f"{name!r} can't name a fact; use lower-case letters, digits and _")
            if names.count(name) > 1:
                self._wrong(f"two things are called {name!r}")
        return [(name, Row) for name in names]

    def _labels(self) -> list[str]:
        entries = [
            entry
            for part, sections in self.said.items() if part not in _PARTS and isinstance(sections, dict)
            for listed in sections.values() if isinstance(listed, list)
            for entry in listed if isinstance(entry, dict)
        ]  # fmt: skip
        return [entry["as"] for entry in entries if entry.get("as") is not None]

    def clock(self) -> tuple[int, str] | None:
        """The instant (UTC ms) and the zone at which a world of it starts; None if it says neither."""
        said, zone = self.said.get("clock"), self.said.get("zone", ZONE)
        try:
            place = ZoneInfo(str(zone))
            return None if said is None else (instant_of(str(said), place), place.key)
        except (ValueError, KeyError, OSError):
            self._wrong(f"clock: {said!r} in {zone!r} is no instant; write 2025-10-21T09:30 and an IANA zone")

    def __call__(self, w: Seed) -> Any:
        """Fills the world; returns the facts."""
        services = w.world.services
        unknown = [part for part in self.said if part not in _PARTS and part not in services]
        if unknown:
            known = ", ".join((*_PARTS, *sorted(services)))
            self._wrong(f"there is no part {unknown[0]!r}; parts: {known}")
        names = Names()
        for label, person in self._mapping("people").items():
            names[label] = self._person(w, label, person)
        for part in self.said:
            if part in services:
                self._service(w, names, part)
        self._rows(w)
        for label, place in self._mapping("facts").items():
            names[label] = self._fact(w, label, place)
        return self.facts(**names)

    def _person(self, w: Seed, label: str, said: Any) -> Person:
        where = f"people.{label}"
        if not isinstance(said, dict) or not {"name", "email"} <= said.keys() <= set(_PERSON):
            self._wrong(f"{where}: a person has name and email, and may have title and zone, not {said!r}")
        for column, value in said.items():
            if value is not None and not (isinstance(value, str) and value.isprintable()):
                self._wrong(f"{where}.{column}: {value!r} is no line of text")
        email, zone = str(said["email"]), said.get("zone")
        if not _EMAIL.fullmatch(email) or w.world.person(email) is not None:
            self._wrong(f"{where}.email: {email!r} is no address, or somebody else's")
        try:
            return w.person(email, str(said["name"]), said.get("title"), zone and zone_of(zone).key)
        except BadInput as error:
            self._wrong(f"{where}.zone: {str(error).rstrip('.')}")

    def _service(self, w: Seed, names: Names, name: str) -> None:
        service = w.world.services[name]
        sections: Mapping[str, Section] = service.sections() if service.sections else {}
        for title, entries in self._mapping(name).items():
            where = f"{name}.{title}"
            if title not in sections:
                known = ", ".join(sections) or "none"
                self._wrong(f"{where}: {name} has no such section; sections: {known}")
            if not isinstance(entries, list):
                self._wrong(f"{where}: a list of entries is needed")
            for n, entry in enumerate(entries):
                self._entry(w, names, sections[title], entry, f"{where}[{n}]")

    def _entry(self, w: Seed, names: Names, section: Section, entry: Any, where: str) -> None:
        import pydantic

        try:
            read = section.model.model_validate(_dated(w, entry))
            made = section.write(w, names, read)
        except pydantic.ValidationError as error:
            self._wrong(where + _misfit(section.model, error))
        except ValueError as error:
            self._wrong(f"{where}: {str(error).rstrip('.')}")
        except Exception as error:  # a product's own refusal, said by its own class
            self._wrong(f"{where}: {type(error).__name__}: {str(error).rstrip('.')}")
        if read.label is not None:
            names[read.label] = made

    def _rows(self, w: Seed) -> None:
        try:
            put_rows(w, self._mapping("rows"), self._mapping("counters"))
        except NotRows as error:
            self._wrong(str(error).rstrip("."))

    def _fact(self, w: Seed, label: str, place: Any) -> Row:
        table, _, key = str(place).partition("/")
        row, keys = w.world.rows.get(table), key.split("/")
        if (
            row is None
            or len(keys) != len(row.__table__.key)
            or (found := w.world.get(row, *keys)) is None
        ):  # fmt: skip
            self._wrong(f"facts.{label}: there is no row {place!r}; write TABLE/KEY")
        return found

    def _mapping(self, part: str) -> dict[Any, Any]:
        said = self.said.get(part) or {}
        if not isinstance(said, dict):
            self._wrong(f"{part}: a mapping is needed, not {said!r}")
        return said

    def _wrong(self, what: str) -> NoReturn:
        raise SeedFileError(f"{shown(self.path)}: {what}.") from None


def _read(path: Path) -> dict[Any, Any]:
    try:
        said = yaml.load(path.read_text(encoding="utf-8"), _Loader)
    except yaml.MarkedYAMLError as error:
        line = f":{error.problem_mark.line + 1}" if error.problem_mark else ""
        raise SeedFileError(f"{shown(path)}{line}: {error.problem or error.context}.") from None
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise SeedFileError(f"{shown(path)}: {error}.") from None
    if not isinstance(said, dict):
        raise SeedFileError(
            f"{shown(path)}: it must be a mapping of parts: {', '.join(_PARTS)} and services."
        )
    return said


def _dated(w: Seed, value: Any) -> Any:
    """The entry with `{day:…}` filled in."""
    if isinstance(value, str):
        if misspelt := _NEARLY_A_DAY.search(_DAY.sub("", value)):
            raise ValueError(f"{misspelt[0]!r} is no day; write {{day:-3}} or {{day:-3:%A}}")
        return _DAY.sub(lambda found: _said(w.day(int(found[1])), found[2]), value)
    if isinstance(value, list):
        return [_dated(w, item) for item in value]
    if isinstance(value, dict):
        return {name: _dated(w, item) for name, item in value.items()}
    return value


def _misfit(model: Any, error: pydantic.ValidationError) -> str:
    """What is wrong with an entry: a field that there is none of before one that is missing."""
    found = error.errors()
    first = next((each for each in found if each["type"] == "extra_forbidden"), found[0])
    name = str(first["loc"][0]) if first["loc"] else ""
    if first["type"] == "extra_forbidden":
        known = ", ".join(field.alias or name for name, field in model.model_fields.items())
        return f".{name}: there is no such field; fields: {known}"
    if name in ("day", "separated_on"):
        return f".{name}: {first['input']!r} is no day; write days from today, such as -3, or a date"
    return f"{'.' + name if name else ''}: {first['msg'].rstrip('.')}"


def _said(day: date, words: str | None) -> str:
    return day.strftime(words) if words else day.isoformat()


def save(world: World) -> str:
    """A world as the text of a seed file: its rows as they are now."""
    now = civil(world.now(), world.zone).replace(tzinfo=None, microsecond=0)
    said = {
        "about": f"World {world.name} as it was at {now:%Y-%m-%d %H:%M}, seeded from {world.scenario}.",
        "clock": now.isoformat(),
        "zone": world.zone.key,
        "rows": rows_of(world),
        "counters": counters_of(world),
    }
    return yaml.dump(said, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=110)


def write_scenario(text: str, name: str, root: Path) -> Path:
    """Makes `scenarios/<name>` under `root` with this seed; returns the file. Raises BadInput."""
    folder = root / "scenarios" / name
    if not re.fullmatch(r"[a-z][a-z0-9_]{0,39}", name):
        raise BadInput(f"{name!r} is no name for a scenario; use lower-case letters, digits and _.")
    if folder.exists() or name in scenario_folders():
        raise BadInput(f"There is a scenario {name!r} already; choose another name.")
    try:
        folder.mkdir(parents=True)
        (folder / "__init__.py").write_text(f'"""The scenario `{name}`: a saved world."""\n')
        (folder / FILE).write_text(text, encoding="utf-8")
    except OSError as error:
        raise BadInput(f"{folder} can't be written: {error.strerror}.") from None
    return folder / FILE
