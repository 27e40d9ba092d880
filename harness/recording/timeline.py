"""What happened at the pages, in order: actions, where they led, and the writes that they caused."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Kind = Literal["click", "fill", "select", "check", "uncheck", "files", "press", "goto", "page"]


@dataclass(frozen=True)
class Locator:
    """How an element is found: `by` role, label, placeholder, text, testid or css, and `text`.

    `within` is the role and a text of the row or item that it is in, `frames` the frames around it as CSS.
    """

    by: str
    text: str
    role: str = ""
    exact: bool = False
    nth: int | None = None
    within: tuple[str, str] | None = None
    frames: tuple[str, ...] = ()

    @classmethod
    def read(cls, told: Mapping[str, Any], frames: Iterable[str]) -> Locator:
        """As the page told it."""
        within = told.get("within")
        return cls(
            by=told["by"],
            text=told["text"],
            role=told.get("role", ""),
            exact=bool(told.get("exact")),
            nth=told.get("nth"),
            within=(within["role"], within["text"]) if within else None,
            frames=tuple(frames),
        )


@dataclass(frozen=True)
class Write:
    """A request that wrote, or tried to: its route as the log has it, and how it was answered."""

    method: str
    route: str
    status: int

    @property
    def accepted(self) -> bool:
        """Whether it was answered as done."""
        return 200 <= self.status < 400


@dataclass
class Action:
    """One thing that an actor did at one of its pages (0: the first).

    `value` is what was typed, the key or the address; `values` are options or files. `leads`: it sent its
    page elsewhere; `opens`: the number of the page that it opened.
    """

    kind: Kind
    actor: str
    page: int
    locator: Locator | None = None
    value: str = ""
    values: tuple[str, ...] = ()
    secret: bool = False
    leads: bool = False
    opens: int | None = None
    writes: list[Write] = field(default_factory=list)


@dataclass(frozen=True)
class Did:
    """What a page told: see recorder.js. `at` is wall time in ms."""

    at: float
    actor: str
    page: int
    told: Mapping[str, Any]


@dataclass(frozen=True)
class Asked:
    """A request that a page sent: a document for its main frame, or a write.

    `typed`: nobody's page asked for it, so that somebody typed the address.
    """

    at: float
    actor: str
    page: int
    url: str
    document: bool
    typed: bool
    write: Write | None


@dataclass(frozen=True)
class Opened:
    """A page was opened, by another one or by hand (None)."""

    at: float
    actor: str
    page: int
    opener: int | None


Entry = Did | Asked | Opened


def actions(entries: Iterable[Entry]) -> list[Action]:
    """The actions, oldest first, each with what it caused: all that its page did before the next one."""
    made: list[Action] = []
    last: dict[tuple[str, int], Action] = {}  # by actor and page
    for entry in sorted(entries, key=lambda entry: entry.at):
        place = (entry.actor, entry.page)
        if isinstance(entry, Did):
            action = _read(entry)
            before = last.get(place)
            if before is not None and _goes_on(before, action):
                before.value, before.values = action.value, action.values
                continue
        elif isinstance(entry, Opened):
            cause = None if entry.opener is None else last.get((entry.actor, entry.opener))
            if cause is not None and cause.opens is None:
                cause.opens = entry.page
                last[place] = cause
                continue
            action = Action("page", entry.actor, entry.page)
        else:
            caused = _caused(entry, last.get(place))
            if caused is None:
                continue
            action = caused
        made.append(action)
        last[place] = action
    return made


def _goes_on(before: Action, action: Action) -> bool:
    """Whether it only says more of what was being typed or chosen."""
    same = (before.kind, before.locator) == (action.kind, action.locator)
    return same and action.kind in ("fill", "select", "files") and not (before.writes or before.leads)


def _caused(asked: Asked, cause: Action | None) -> Action | None:
    """Notes with its cause what was asked for; for a page that nothing led to, the action of going there."""
    led = cause is not None and not asked.typed and not cause.leads
    action = None
    if asked.document and not led:
        if cause is not None and cause.kind == "goto" and not cause.writes:
            cause.value = asked.url  # nothing was done at the page before
            return None
        cause = action = Action("goto", asked.actor, asked.page, value=asked.url)
    elif asked.document and cause is not None and cause.opens != asked.page:
        cause.leads = True
    if asked.write is not None and cause is not None:
        cause.writes.append(asked.write)
    return action


def _read(did: Did) -> Action:
    told = did.told
    values = [option["value"] or option["label"] for option in told.get("options", ())]
    return Action(
        kind=told["kind"],
        actor=did.actor,
        page=did.page,
        locator=Locator.read(told["locator"], told["frames"]) if told.get("locator") else None,
        value=told.get("value", told.get("key", "")),
        values=tuple(values or told.get("files", ())),
        secret=bool(told.get("secret")),
    )
