"""The folders at the left of every page: what they are called, where they lead, how many are unread there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote

from fakes.gmail import store
from fakes.gmail.rules.labels import (
    CATEGORIES,
    DRAFT,
    IMPORTANT,
    INBOX,
    SCHEDULED,
    SENT,
    SNOOZED,
    SPAM,
    STARRED,
    TRASH,
)
from fakes.gmail.schema import UserLabel

if TYPE_CHECKING:
    from fakes.core.world import World


@dataclass(frozen=True)
class Folder:
    """A list of conversations: its name in paths, title, label ("": all mail), icon, words if empty."""

    name: str
    title: str
    label: str
    drawing: str
    empty: str
    path: str = ""

    @property
    def href(self) -> str:
        """Its path."""
        return self.path or f"/{self.name}"


_PLAIN = (
    Folder("inbox", "Inbox", INBOX, "inbox", "Nothing has come in.", "/"),
    Folder(
        "starred", "Starred", STARRED, "star", "Nothing has a star. Give one to what you want to find again."
    ),
    Folder("snoozed", "Snoozed", SNOOZED, "clock", "Nothing is snoozed."),
    Folder("important", "Important", IMPORTANT, "flag", "Nothing is marked as important."),
    Folder("sent", "Sent", SENT, "send", "Nothing was sent."),
    Folder("drafts", "Drafts", DRAFT, "file", "No drafts. What you begin to write is kept here."),
    Folder("scheduled", "Scheduled", SCHEDULED, "calendar-clock", "Nothing waits to be sent."),
    Folder("all", "All mail", "", "mail", "There is no mail."),
    Folder("spam", "Spam", SPAM, "shield-alert", "No spam here."),
    Folder("trash", "Trash", TRASH, "trash-2", "The trash is empty."),
)
FOLDERS = {folder.name: folder for folder in _PLAIN}
"""The folders of every mailbox, by their names in paths."""

_DRAWN = ("inbox", "users", "tag", "info", "message-square")
_CALLED = ("Primary", "Social", "Promotions", "Updates", "Forums")
TABS = {
    title.lower(): Folder(
        title.lower(), title, label, drawing, f"Nothing is under {title}.", f"/category/{title.lower()}"
    )
    for label, title, drawing in zip(CATEGORIES, _CALLED, _DRAWN, strict=True)
}
"""The tabs of the inbox, which are the categories, by their names in paths."""


def of_label(label: UserLabel) -> Folder:
    """The folder of a label of one's own."""
    return Folder(
        f"label/{label.id}",
        label.name,
        label.id,
        "tag",
        "No mail has this label.",
        f"/label/{quote(label.id)}",
    )


@dataclass(frozen=True)
class Entry:
    """A label of one's own: `path` stands for it, `above` for the labels that it is nested in."""

    id: str
    full_name: str
    name: str
    path: str
    above: tuple[str, ...]
    has_more: bool
    color: str
    unread: int
    hidden: bool


@dataclass(frozen=True)
class Navigation:
    """What the folders show: each with how much is unread in it, drafts with how many there are.

    `hidden` are the names of those that the person does not want to see.
    """

    plain: tuple[tuple[Folder, int], ...]
    categories: tuple[tuple[Folder, int], ...]
    labels: tuple[Entry, ...]
    hidden: frozenset[str]


def navigation(world: World, owner: str) -> Navigation:
    """The folders of a mailbox as they are now."""
    unread = store.unread_counts(world, owner)
    drafts, waiting = (store.thread_count(world, owner, label) for label in (DRAFT, SCHEDULED))
    shown = {INBOX: unread.get(INBOX, 0), SPAM: unread.get(SPAM, 0), DRAFT: drafts, SCHEDULED: waiting}
    there = [folder for folder in _PLAIN if folder.name != "scheduled" or waiting]
    return Navigation(
        tuple((folder, shown.get(folder.label, 0)) for folder in there),
        tuple((tab, unread.get(tab.label, 0)) for tab in TABS.values()),
        _tree(store.own_labels(world, owner), unread),
        frozenset(store.settings_of(world, owner).hidden_folders.split()),
    )


def _tree(labels: list[UserLabel], unread: dict[str, int]) -> tuple[Entry, ...]:
    """Labels of one's own, nested by the slashes in their names, under those that are there."""
    names = {label.name.casefold() for label in labels}
    parents = {name[:n] for name in names for n, letter in enumerate(name) if letter == "/"}
    found = []
    for label in sorted(labels, key=lambda each: each.name.casefold().split("/")):
        parts = label.name.split("/")
        above = [n for n in range(1, len(parts)) if "/".join(parts[:n]).casefold() in names]
        number, visibility = unread.get(label.id, 0), label.label_list_visibility
        found.append(Entry(
            id=label.id,
            full_name=label.name,
            name="/".join(parts[above[-1] if above else 0 :]),
            path=_path_id(label.name),
            above=tuple(_path_id("/".join(parts[:n])) for n in above),
            has_more=label.name.casefold() in parents,
            color=label.background_color or "",
            unread=number,
            hidden=visibility == "labelHide" or (visibility == "labelShowIfUnread" and not number),
        ))  # fmt: skip
    return tuple(found)


def _path_id(name: str) -> str:
    return quote(name.casefold(), safe="")
