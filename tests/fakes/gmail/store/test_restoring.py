from __future__ import annotations

import pytest

from fakes.core.world import World
from fakes.gmail import store
from fakes.gmail.errors import NotFound
from fakes.gmail.schema import Draft, Message
from tests.fakes.gmail.town import Cast, raw


def test_a_discarded_draft_comes_back_as_it_was(lone_world: World, cast: Cast) -> None:
    draft = store.create_draft(lone_world, cast.mira, raw("Half a", To=cast.tom.email, Subject="S"))
    store.discard_draft(lone_world, draft)
    again = store.restore_draft(lone_world, cast.mira, draft.id)
    assert (again.id, again.seq) == (draft.id, draft.seq)
    message = store.message_in(lone_world, cast.mira.id, again.message_id)
    assert message and store.labels_of(lone_world, [message.id])[message.id] == ["DRAFT"]
    assert (message.subject, store.source_of(lone_world, message).text) == ("S", "Half a")


def test_what_is_there_stays(lone_world: World, cast: Cast) -> None:
    draft = store.create_draft(lone_world, cast.mira, raw("Half a"))
    assert store.restore_draft(lone_world, cast.mira, draft.id) == draft


def test_what_was_sent_or_is_anothers_does_not_come_back(lone_world: World, cast: Cast) -> None:
    sent = store.create_draft(lone_world, cast.mira, raw(To=cast.tom.email))
    store.send_draft(lone_world, cast.mira, sent)
    theirs = store.create_draft(lone_world, cast.tom, raw("Secret"))
    store.discard_draft(lone_world, theirs)
    for draft_id in (sent.id, theirs.id, "r-0"):
        with pytest.raises(NotFound):
            store.restore_draft(lone_world, cast.mira, draft_id)
    assert not lone_world.count(Draft) and lone_world.count(Message) == 2
