"""Mail sent on as it arrives: by a filter, or all that comes. Only to addresses that were accepted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fakes.gmail.rules.amending import amended
from fakes.gmail.rules.labels import INBOX, TRASH, UNREAD
from fakes.gmail.rules.mime import Letter
from fakes.gmail.schema import ForwardingAddress, Settings
from fakes.gmail.store.addresses import ACCEPTED
from fakes.gmail.store.onward import Onward

if TYPE_CHECKING:
    from fakes.core.people import Person
    from fakes.core.world import World

_DONE = "X-Forwarded-For"
_MOST_HOPS = 5
_TAKEN = {"archive": {INBOX}, "trash": {INBOX}, "markRead": {UNREAD}}
DISPOSITIONS = ("leaveInInbox", "archive", "trash", "markRead")


def forwarded(person: Person, letter: Letter, to: str) -> Onward | None:
    """The mail as Gmail sends it on, with `X-Forwarded-To` and `X-Forwarded-For`; None where that would go
    round in circles: it was sent on from here before, or by the receiver, or often enough.
    """
    passed = [value.lower().split() for name, value in letter.headers if name == _DONE]
    by = {person.email, *(addresses[0] for addresses in passed if addresses)}
    if to in by or len(by) <= len(passed) or len(passed) >= _MOST_HOPS:
        return None
    told = [("X-Forwarded-To", to), (_DONE, f"{person.email} {to}")]
    return Onward(amended(letter, add=told), to)


def is_forwarding(world: World, settings: Settings) -> bool:
    """Whether all of a mailbox's mail goes on to an address that was accepted."""
    if not settings.forwarding_enabled:
        return False
    return may_forward(world, settings.owner, settings.forwarding_email)


def left_behind(disposition: str, labels: tuple[str, ...]) -> tuple[str, ...]:
    """The labels of a mail that was sent on (reference of AutoForwarding.disposition)."""
    kept = [label for label in labels if label not in _TAKEN.get(disposition, ())]
    return (*kept, TRASH) if disposition == "trash" and TRASH not in kept else tuple(kept)


def may_forward(world: World, owner: str, email: str) -> bool:
    """Whether mail of this mailbox may be sent on to an address."""
    found = world.get(ForwardingAddress, owner, email.strip().lower())
    return found is not None and found.verification == ACCEPTED
