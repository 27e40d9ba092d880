from __future__ import annotations

from fakes.core.world import World
from fakes.gmail import store
from tests.fakes.gmail.town import MORNING, Cast, raw


def test_one_goes_from_conversation_to_conversation(lone_world: World, cast: Cast) -> None:
    threads = []
    for n in range(3):
        with lone_world.at_time(MORNING + n):
            sent = store.send(lone_world, cast.mira, raw(To=cast.mira.email, Subject=f"S{n}"))
            threads.append(sent.thread_id)
    first, second, third = threads
    with lone_world.at_time(MORNING + 9):  # the oldest conversation becomes the newest
        mail = raw(To=cast.mira.email, Subject="S0", References="<x@y>")
        store.send(lone_world, cast.mira, mail, first)

    def around(thread: str) -> tuple[str | None, str | None]:
        return store.neighbours(lone_world, cast.mira.id, thread, "INBOX")

    assert around(first) == (None, third)
    assert around(third) == (first, second)
    assert around(second) == (third, None)
    assert store.neighbours(lone_world, cast.mira.id, first, "SPAM") == (None, None)
