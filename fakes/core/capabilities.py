"""What one service does to another: typed offers, called inside the caller's transaction.

Each call runs in a savepoint of its own and is refused with a typed exception, so a caller can go on after a
refusal with nothing of the refused work kept.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from fakes.core.world import World

T = TypeVar("T")


@dataclass(frozen=True)
class Capability(Generic[T]):
    """The name of something a service may offer; `T` is the callable's type."""

    name: str


class NotOffered(LookupError):
    """No service of this world offers the capability."""


class MailRefused(Exception):
    """The mail system did not take the message; the argument says why."""


@dataclass(frozen=True)
class Attachment:
    """A file that goes with a mail."""

    name: str
    media_type: str
    content: bytes


@dataclass(frozen=True)
class OutgoingMail:
    """A message as its sender hands it over. Addresses are bare (`mira@harborlight.example`)."""

    sender: str
    to: tuple[str, ...]
    subject: str
    text: str
    sender_name: str = ""
    html: str = ""
    cc: tuple[str, ...] = ()
    bcc: tuple[str, ...] = ()
    headers: dict[str, str] = field(default_factory=dict)
    files: tuple[Attachment, ...] = ()


class MailDeliver(Protocol):
    """Takes a message for delivery; returns its RFC 5322 Message-ID. Raises MailRefused."""

    def __call__(self, world: World, mail: OutgoingMail) -> str: ...


MAIL_DELIVER: Capability[MailDeliver] = Capability("mail.deliver")
