from __future__ import annotations

from fakes.core.seeding import Seed
from fakes.core.world import World
from fakes.gmail import store
from fakes.gmail.schema import Mailbox, Message
from fakes.gmail.seed import mail, mailbox
from tests.fakes.gmail.town import MORNING, Cast


def test_mail_is_history_with_its_answers(lone_world: World, cast: Cast) -> None:
    with lone_world.tx() as tx:
        w = Seed(lone_world, tx)
        asked = mail(w, cast.tom, cast.mira, "Lunch", "At noon?", day=-3, time="11:40", read=True)
        mail(
            w,
            cast.mira,
            [cast.tom, "dana@out.example"],
            "Re: Lunch",
            "Yes",
            day=-3,
            time="11:50",
            reply_to=asked,
        )
    first, second = lone_world.all(Message, "WHERE owner = ? ORDER BY seq", (cast.mira.id,))
    assert first.received_at == lone_world.instant(w.day(-3), "11:40")
    assert first.thread_id == second.thread_id
    assert store.labels_of(lone_world, [first.id])[first.id] == ["CATEGORY_PERSONAL", "INBOX"]


def test_mail_from_a_service_comes_now(lone_world: World, cast: Cast) -> None:
    with lone_world.tx() as tx:
        mail(
            Seed(lone_world, tx),
            "desk@desk.example",
            cast.mira,
            "Hi",
            "x",
            sender_name="Desk",
            html="<p>x</p>",
        )
    [copy] = lone_world.all(Message)
    assert (copy.received_at, copy.sender_name) == (MORNING, "Desk")


def test_a_mailbox_is_made_once(lone_world: World, cast: Cast) -> None:
    with lone_world.tx() as tx:
        w = Seed(lone_world, tx)
        assert mailbox(w, cast.mira) == mailbox(w, cast.mira)
    assert lone_world.count(Mailbox) == 1
