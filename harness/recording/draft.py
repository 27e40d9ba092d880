"""Writes recorded actions down as a play: the first draft of a reference, for its author to read through."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from urllib.parse import urlsplit

from harness.recording.naming import Naming, Part, quoted, said
from harness.recording.timeline import Action, Locator, Write

WIDTH = 110
_INDENT = "    "
_PASSED_OVER = re.compile(r"\{[^}]*\}|v\d+|api|")
Services = Mapping[str, str]
"""Which service a host's first label belongs to: {"claims-desk": "claims_desk"}."""


def draft(
    actions: Sequence[Action], actors: Sequence[str], naming: Naming, services: Services, product: str
) -> str:
    """The source of a play of these actions, decorated as the task's reference.

    A step ends with each action that wrote something; its name is for the author to better.
    """
    acting = [name for name in actors if any(action.actor == name for action in actions)] or list(actors)[:1]
    lines = [
        "@task.reference",
        f"async def recorded({', '.join(f'{name}: BrowserActor' for name in acting)}, facts: Facts) -> None:",
        f'{_INDENT}"""Recorded in a browser: to be read through, its steps to be named."""',
    ]
    writer = _Writer(naming, services, product)
    for name, stretch in _steps(actions):
        depth = 1
        if name:
            lines.append(f"{_INDENT}async with {stretch[0].actor}.step({quoted(name)}):")
            depth = 2
        for action in stretch:
            lines += writer.lines(action, depth)
    return "\n".join(lines) + "\n"


def _steps(actions: Sequence[Action]) -> Iterator[tuple[str, list[Action]]]:
    """The actions up to each one that wrote, with the name of that step; what wrote nothing is in none."""
    stretch: list[Action] = []
    for action in actions:
        stretch.append(action)
        accepted = [write for write in action.writes if write.accepted]
        if accepted:
            yield step_name(accepted[-1].route), stretch
            stretch = []
    if stretch:
        yield "", stretch


def step_name(route: str) -> str:
    """What a step is called that ends in a write by this route: "POST /upload/confirm" is upload confirm."""
    method, _, path = route.partition(" ")
    words = [part for part in path.split("/") if not _PASSED_OVER.fullmatch(part)]
    return " ".join(words).replace("-", " ").replace("_", " ") or method.lower()


class _Writer:
    """Writes one action at a time."""

    def __init__(self, naming: Naming, services: Services, product: str) -> None:
        self._naming, self._services, self._product = naming, services, product
        self._forms: dict[str, Callable[[Action], tuple[str, list[Part]]]] = {
            "click": lambda action: ("click", []),
            "check": lambda action: ("check", []),
            "uncheck": lambda action: ("uncheck", []),
            "fill": lambda action: ("fill", naming.parts(action.value)),
            "press": lambda action: ("press", [Part(action.value)]),
        }

    def lines(self, action: Action, depth: int) -> list[str]:
        """An action, and the wait for what it led to."""
        if action.kind == "goto":
            return _indented(self._goto(action), depth)
        if action.kind == "page":
            return _indented([f"{_page(action)} = await {action.actor}.context.new_page()"], depth)
        page = _page(action)
        if action.opens is not None:
            new = _page(Action("page", action.actor, action.opens))
            waits = f"async with {page}.expect_popup() as opened:"
            return _indented([waits, *self._inside(action, depth), f"{new} = await opened.value"], depth)
        if action.leads:
            return _indented([f"async with {page}.expect_navigation():", *self._inside(action, depth)], depth)
        if action.writes:
            waits = f"async with {page}.expect_response({quoted(_pattern(action.writes[-1]))}):"
            return _indented([waits, *self._inside(action, depth)], depth)
        return _indented(self._call(action, depth), depth)

    def _inside(self, action: Action, depth: int) -> list[str]:
        return _indented(self._call(action, depth + 1), 1)

    def _goto(self, action: Action) -> list[str]:
        where = urlsplit(action.value)
        service = self._services.get((where.hostname or "").split(".")[0])
        path = where.path + (f"?{where.query}" if where.query else "")
        target = self._naming.expression(path if service else action.value)
        other = f", {quoted(service)}" if service not in (None, self._product) else ""
        if action.page == 0:
            return [f"await {action.actor}.goto({target}{other})"]
        return [f"await {_page(action)}.goto({action.actor}.url({target}{other}))"]

    def _call(self, action: Action, depth: int) -> list[str]:
        page = _page(action)
        on = f"{page}{self._found(action.locator)}" if action.locator else f"{page}.keyboard"
        if action.secret:
            return [f'await {on}.fill("")  # a password was typed here, and is not kept']
        if action.kind == "select":
            chosen = [self._naming.expression(value) for value in action.values]
            return [f"await {on}.select_option({_one_or_list(chosen)})"]
        if action.kind == "files":
            files = [f"{action.actor}.upload({quoted(name)})" for name in action.values]
            return [f"await {on}.set_input_files({_one_or_list(files)})"]
        name, parts = self._forms[action.kind](action)
        return _wrapped(f"await {on}.{name}", parts, WIDTH - depth * len(_INDENT))

    def _found(self, locator: Locator) -> str:
        """The chain of calls that finds an element from its page."""
        chain = "".join(f".frame_locator({_quoted_css(css)})" for css in locator.frames)
        if locator.within is not None:
            role, text = locator.within
            chain += f".get_by_role({quoted(role)}).filter(has_text={self._naming.expression(text)})"
        text, exact = self._naming.expression(locator.text), ", exact=True" if locator.exact else ""
        chain += {
            "role": f".get_by_role({quoted(locator.role)}, name={text}{exact})",
            "css": f".locator({_quoted_css(locator.text)})",
            "testid": f".get_by_test_id({text})",
        }.get(locator.by, f".get_by_{locator.by}({text}{exact})")
        if locator.nth is None:
            return chain
        return f"{chain}.first" if locator.nth == 0 else f"{chain}.nth({locator.nth})"


def _page(action: Action) -> str:
    """The name of an action's page: the actor's own, or the variable of another."""
    return f"{action.actor}.page" if action.page == 0 else f"{action.actor}_page_{action.page + 1}"


def _one_or_list(expressions: Sequence[str]) -> str:
    return expressions[0] if len(expressions) == 1 else f"[{', '.join(expressions)}]"


def _pattern(write: Write) -> str:
    """The addresses of a route, as Playwright's globs say it."""
    return "**" + re.sub(r"\{[^}]*\}", "*", write.route.partition(" ")[2]) + "*"


def _quoted_css(css: str) -> str:
    return f"'{css}'" if '"' in css and "'" not in css and "\\" not in css else quoted(css)


def _indented(lines: Sequence[str], depth: int) -> list[str]:
    return [_INDENT * depth + line for line in lines]


def _wrapped(call: str, parts: list[Part], width: int) -> list[str]:
    """A call with one text, on lines of its own where it is too long for one."""
    argument = _one(parts)
    if not parts or len(call) + len(argument) + 2 <= width:
        return [f"{call}({argument})"]
    return [f"{call}(", *_indented(_chunks(parts, width - len(_INDENT)), 1), ")"]


def _one(parts: list[Part]) -> str:
    if len(parts) == 1 and parts[0].known is not None:
        return parts[0].known.expression
    return said(parts) if parts else ""


def _chunks(parts: list[Part], width: int) -> list[str]:
    """A long text as literals that Python joins, cut between words."""
    words = [
        Part(word, part.known)
        for part in parts
        for word in ([part.text] if part.known else re.findall(r"\s*\S+\s*$|\s*\S+|\s+", part.text))
    ]
    lines: list[list[Part]] = [[]]
    for word in words:
        if lines[-1] and len(said([*lines[-1], word])) > width:
            lines.append([])
        lines[-1].append(word)
    return [said(line) for line in lines]
