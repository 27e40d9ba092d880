"""Who is told of a mailbox's changes by push notifications."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fakes.gmail.errors import InvalidTopic, OtherTopic, TopicRequired
from fakes.gmail.schema import Watch
from fakes.gmail.store.labelling import check_label
from fakes.gmail.store.pushing import watch_of

if TYPE_CHECKING:
    from fakes.core.people import Person
    from fakes.core.world import World

LASTS = 7 * 24 * 3_600_000
_TOPIC = re.compile(r"projects/[A-Za-z0-9][A-Za-z0-9:.-]*/topics/[A-Za-z][A-Za-z0-9._~%+-]{2,254}")


def watch(world: World, person: Person, topic: str, labels: Sequence[str], behavior: str) -> Watch:
    """Has a topic told for seven days; asked again, the days begin anew.

    Raises TopicRequired, InvalidTopic, OtherTopic while another topic is told, InvalidLabel, LabelNotFound.
    """
    if not topic:
        raise TopicRequired()
    if not _TOPIC.fullmatch(topic):
        raise InvalidTopic()
    for label in labels:
        check_label(world, person.id, label)
    before = watch_of(world, person.id)
    if before is not None and before.topic != topic:
        raise OtherTopic()
    row = Watch(
        owner=person.id, topic=topic, labels=" ".join(dict.fromkeys(labels)), behavior=behavior,
        expires_at=world.now() + LASTS,
    )  # fmt: skip
    with world.tx() as tx:
        tx.delete(row)
        return tx.insert(row)


def stop_watching(world: World, owner: str) -> None:
    """Has nobody told any more."""
    found = world.get(Watch, owner)
    if found is not None:
        with world.tx() as tx:
            tx.delete(found)
