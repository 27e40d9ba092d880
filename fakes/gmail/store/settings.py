"""A mailbox's settings: their defaults until the first change, and addresses that a person writes from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fakes.gmail.schema import SendAs, Settings

if TYPE_CHECKING:
    from fakes.core.people import Person
    from fakes.core.world import World

LONGEST_LINE = 998
"""Letters of what goes into a header of each mail (RFC 5322, 2.1.1); longer, and none could be written."""


def settings_of(world: World, owner: str) -> Settings:
    """A mailbox's settings, the defaults where nothing was changed yet."""
    return world.get(Settings, owner) or Settings(
        owner=owner, language="en", imap_enabled=False, imap_auto_expunge=True,
        imap_expunge_behavior="archive", imap_max_folder_size=0, pop_access_window="disabled",
        pop_disposition="leaveInInbox", forwarding_enabled=False, forwarding_email="",
        forwarding_disposition="leaveInInbox", vacation_enabled=False, vacation_subject="", vacation_text="",
        vacation_html="", vacation_contacts_only=False, vacation_domain_only=False, vacation_start_at=None,
        vacation_end_at=None, undo_seconds=5, shortcuts_on=True, tabs_on=True, hidden_folders="",
    )  # fmt: skip


def change_settings(world: World, owner: str, **changes: Any) -> Settings:
    """Sets columns of a mailbox's settings; returns them. What is as it was writes nothing."""
    now = settings_of(world, owner)
    changes = {name: value for name, value in changes.items() if getattr(now, name) != value}
    if not changes:
        return now
    with world.tx() as tx:
        if world.get(Settings, owner) is None:
            tx.insert(now)
        return tx.update(now, **changes)


def send_as_of(world: World, person: Person) -> list[SendAs]:
    """The addresses that a person writes from, the account's own first."""
    rows = world.all(SendAs, "WHERE owner = ? ORDER BY seq", (person.id,))
    own = next((row for row in rows if row.is_primary), None) or _own(person, rows)
    return [own, *(row for row in rows if not row.is_primary)]


def default_send_as(world: World, person: Person) -> SendAs:
    """The address that new mail goes out from."""
    found = send_as_of(world, person)
    return next((row for row in found if row.is_default), found[0])


def _own(person: Person, rows: list[SendAs]) -> SendAs:
    return SendAs(
        owner=person.id, email=person.email, seq=0, display_name=person.name, reply_to="", signature="",
        is_primary=True, is_default=not any(row.is_default for row in rows), treat_as_alias=False,
        verification="", smtp_host="", smtp_port=0, smtp_username="", smtp_security="",
    )  # fmt: skip
