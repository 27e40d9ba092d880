"""Attached files of a message, by ids that follow from the message and the place of the part in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fakes.core.capabilities import Attachment
from fakes.core.ids import BASE62
from fakes.gmail.rules.parts import ATTACHED_MAIL, Part

if TYPE_CHECKING:
    from fakes.core.world import World
    from fakes.gmail.schema import Message


@dataclass(frozen=True)
class Attached:
    """A file of a message."""

    id: str
    part: Part

    @property
    def name(self) -> str:
        """Its name, or a word for one that has none."""
        return self.part.file_name or (
            "message.eml" if self.part.media_type == ATTACHED_MAIL else "attachment"
        )

    @property
    def file(self) -> Attachment:
        """The same as a file to send."""
        return Attachment(self.name, self.part.media_type, self.part.octets)


def attachment_id(world: World, message: Message, part_id: str) -> str:
    """The id of a part, where ids of parts are "0", "1", "1.0" …"""
    kind = f"gmail_attachment/{message.id}/{part_id}"
    return world.ids.text(kind, 0, prefix="ANGj", length=60, alphabet=BASE62)


def attachments_of(world: World, message: Message, whole: Part) -> list[Attached]:
    """The files of a message whose parts are given, in their order."""
    return [
        Attached(attachment_id(world, message, part_id), part)
        for part_id, part in numbered(whole)
        if part_id and part.is_attachment
    ]


def numbered(part: Part, part_id: str = "") -> Iterator[tuple[str, Part]]:
    """A part and all below it, each with its id; the whole has none."""
    yield part_id, part
    prefix = f"{part_id}." if part_id else ""
    for n, child in enumerate(part.parts):
        yield from numbered(child, f"{prefix}{n}")
