"""What a list can be of: a folder, a tab of the inbox, a category, a label, a search. Each has its path."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, unquote, urlencode

from fakes.gmail import store
from fakes.gmail.rules.labels import INBOX, PERSONAL
from fakes.gmail.rules.search import parse
from fakes.gmail.web.folders import FOLDERS, TABS, Folder, of_label

if TYPE_CHECKING:
    from fakes.gmail.web.visits import Visit

_FOUND = Folder("search", "Search", "", "search", "No mail matches.", "/search")
_MOST_AT_ONCE = 10_000
"""Conversations that one action on "all that match" reaches."""


@dataclass(frozen=True)
class Source:
    """A folder, with the tab's category where it is an inbox of tabs, or the text that is searched for."""

    folder: Folder
    tab: Folder | None = None
    text: str = ""

    @property
    def path(self) -> str:
        """Where its first page is."""
        if self.folder is _FOUND:
            return f"/search?{urlencode({'q': self.text})}"
        if self.tab is not None and self.tab.label != PERSONAL:
            return f"/?{urlencode({'tab': self.tab.name})}"
        return self.folder.href


@dataclass(frozen=True)
class Found:
    """A page of a list, and where the next one begins (None: nowhere)."""

    refs: list[store.Ref]
    next: list[Any] | None


def source_of(visit: Visit, path: str) -> Source | None:
    """The list of a path with its query ("/", "/?tab=social", "/sent", "/label/Label_1", "/search?q=…")."""
    path, _, query = path.partition("?")
    asked = {name: values[-1] for name, values in parse_qs(query).items()}
    first, _, rest = path.strip("/").partition("/")
    if first == "search" and not rest:
        return Source(_FOUND, text=asked.get("q", "").strip())
    if first == "category":
        return Source(TABS[rest]) if rest in TABS else None
    if first == "label":
        label = store.own_label(visit.world, visit.person.id, unquote(rest))
        return Source(of_label(label)) if label is not None else None
    folder = FOLDERS.get(path.strip("/") or "inbox")
    if folder is None or path not in (folder.href, f"/{folder.name}"):
        return None
    if folder.label == INBOX and store.settings_of(visit.world, visit.person.id).tabs_on:
        return Source(folder, TABS.get(asked.get("tab", ""), TABS["primary"]))
    return Source(folder)


def find(visit: Visit, source: Source, *, limit: int = 50, before: list[Any] | None = None) -> Found:
    """A page of a list: the conversations after a position."""
    world, owner = visit.world, visit.person.id
    if source.folder is _FOUND:
        return _search(visit, source.text, limit, before)
    place = before[0] if before else None
    if not source.folder.label:
        page = store.all_mail(world, owner, limit=limit, before=place)
    else:
        tab = source.tab.label if source.tab else ""
        page = store.folder(world, owner, source.folder.label, tab=tab, limit=limit, before=place)
    return Found(page.refs, [page.next] if page.next is not None else None)


def _search(visit: Visit, text: str, limit: int, before: list[Any] | None) -> Found:
    query = parse(text, visit.person.email)
    found = store.list_threads(visit.world, visit.person.id, query, limit=limit, before=before)
    return Found([(message, thread) for thread, message in found.refs], found.next)


def all_threads(visit: Visit, source: Source) -> list[str]:
    """The threads of a whole list, as far as one action reaches."""
    found: dict[str, None] = {}
    before: list[Any] | None = None
    while len(found) < _MOST_AT_ONCE:
        page = find(visit, source, limit=500, before=before)
        found.update((thread, None) for _, thread in page.refs)
        before = page.next
        if before is None:
            break
    return list(found)
