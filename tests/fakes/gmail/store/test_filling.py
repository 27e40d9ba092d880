"""Mails by the thousand: what is left is what the same mails leave one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from fakes.core.capabilities import Attachment, MailRefused
from fakes.core.outbox import Outgoing
from fakes.core.seeding import Base, Seed
from fakes.core.world import World, open_world
from fakes.gmail import store
from fakes.gmail.schema import Message
from fakes.gmail.seed import Mail, mail, mails
from fakes.gmail.store.filters import Wanted
from tests.fakes.gmail.town import SERVICES, Cast

WORDS = ("lunch", "at", "ana", "mira", "team", "spam", "attachment", "harborlight", "update")


def _told(cast: Cast) -> list[Mail]:
    """Mails of many kinds: most go together, some by themselves in between."""
    mira, tom, lena = cast.mira, cast.tom, cast.lena
    outside = "ana@outside.example"
    return [
        Mail(tom, mira, "Lunch", "At noon?", day=-3, time="11:40", read=True),
        Mail(mira, [tom, outside], "Re: Lunch", "Yes\r\nplease", day=-3, time="11:50", reply_to=0),
        Mail(outside, [mira, lena], "Fwd: Lunch", "me too", sender_name="Ana Lopez", day=-2, reply_to=1),
        Mail(outside, mira, "Other subject", "not in the thread", day=-2, cc=[tom], reply_to=1),
        Mail(outside, mira, "Café — lunch", "naïve ✓", sender_name="José", day=-5),
        Mail("news@team.example", mira, "Update", "x", headers={"List-Id": "<team.x.example>"}, read=True),
        Mail(
            tom, mira, "Rich", "at", html="<p>at</p>", day=-1, files=[Attachment("a.txt", "text/plain", b"x")]
        ),
        Mail("bad@spam.example", mira, "Spam", "spam", headers={"X-Spam-Flag": "YES"}, day=-1),
        Mail("bad@spam.example", mira, "Spam again", "spam", day=-1),
        Mail(mira, [mira, tom], "To myself", "at", day=-1),
        Mail(outside, "mira+news@harborlight.example", "Plus", "at", day=-1),
        Mail(mira, "Tom@harborlight.example", "Capitals", "", day=-1),
        Mail(tom, mira, "Re: Lunch", "Late", reply_to=2),
    ]


def _one_by_one(w: Seed, given: list[Mail]) -> list[str]:
    found: list[str] = []
    for each in given:
        answered = found[each.reply_to] if isinstance(each.reply_to, int) else each.reply_to
        found.append(mail(w, **{**vars(each), "reply_to": answered}))
    return found


@pytest.fixture
def written(base: Base) -> Iterator[Callable[..., World]]:
    """A world in which mails were written one way or the other."""
    made: list[World] = []

    def write(
        how: Callable[[Seed, list[Mail]], list[str]], given: list[Mail], prepare: Callable[[World], object]
    ) -> World:
        made.append(world := open_world("main", SERVICES, image=base.image))
        with world.tx() as tx:
            prepare(world)
            how(Seed(world, tx), given)
        return world

    yield write
    for world in made:
        world.close()


def _index(world: World) -> list[list[tuple[int, ...]]]:
    sql = "SELECT rowid FROM gmail_search WHERE gmail_search MATCH ? ORDER BY rowid"
    return [world.select(sql, (word,)) for word in WORDS]


def _nothing(world: World) -> None:
    pass


def test_what_is_left_is_what_mails_leave_one_by_one(written: Callable[..., World], cast: Cast) -> None:
    together, single = (written(how, _told(cast), _nothing) for how in (mails, _one_by_one))
    for row in together.rows.values():
        in_order = f"ORDER BY {', '.join(row.__table__.key)}"
        assert together.all(row, in_order) == single.all(row, in_order)
    assert together.state_hash() == single.state_hash()
    assert _index(together) == _index(single) and all(_index(together)[:3])


def test_a_mailbox_that_has_mail_goes_on_from_there(written: Callable[..., World], cast: Cast) -> None:
    def twice(how: Callable[[Seed, list[Mail]], list[str]]) -> Callable[[Seed, list[Mail]], list[str]]:
        return lambda w, given: [*how(w, given[:2]), *how(w, given[4:6])]

    together, single = (written(twice(how), _told(cast), _nothing) for how in (mails, _one_by_one))
    assert together.state_hash() == single.state_hash()


def test_filters_and_absences_see_each_mail(written: Callable[..., World], cast: Cast) -> None:
    def prepare(world: World) -> None:
        store.create_filter(world, cast.mira.id, Wanted(sender="tom", add_labels="STARRED"))
        store.change_settings(world, cast.lena.id, vacation_enabled=True, vacation_text="Away")

    together, single = (written(how, _told(cast)[:4], prepare) for how in (mails, _one_by_one))
    assert together.state_hash() == single.state_hash()
    starred = together.select("SELECT count(*) FROM gmail_message_labels WHERE label = 'STARRED'")
    assert starred[0][0] == 1
    assert together.count(Outgoing, "WHERE receiver = 'ana@outside.example'") == 2  # a mail, and an answer


def test_a_mail_that_is_refused_leaves_none(
    written: Callable[..., World], lone_world: World, cast: Cast
) -> None:
    given = [*_told(cast)[:2], Mail(cast.mira, "nobody@harborlight.example", "x", "x")]
    with pytest.raises(MailRefused), lone_world.tx() as tx:
        mails(Seed(lone_world, tx), given)
    assert lone_world.count(Message) == 0
