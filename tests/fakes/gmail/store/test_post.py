"""Sending and delivering: who gets a copy, in which thread, and what is refused."""

from __future__ import annotations

import orjson
import pytest

from fakes.core.capabilities import MAIL_DELIVER, MailRefused, OutgoingMail
from fakes.core.outbox import Outgoing
from fakes.core.people import Person
from fakes.core.world import World
from fakes.gmail import errors, store
from fakes.gmail.rules import mime
from fakes.gmail.rules.parts import MOST_DEPTH, tree
from fakes.gmail.schema import Mailbox, Message, MessageLabel, Source
from tests.fakes.gmail.town import Cast, raw

MIRA, TOM, LENA = (f"{name}@harborlight.example" for name in ("mira", "tom", "lena"))
pytestmark = pytest.mark.usefixtures("lone_world")


@pytest.fixture
def world(lone_world: World) -> World:
    return lone_world


def _mailbox(world: World, person: Person) -> list[Message]:
    return world.all(Message, "WHERE owner = ? ORDER BY seq", (person.id,))


def _labels(world: World, message: Message) -> list[str]:
    return store.labels_of(world, [message.id])[message.id]


def test_sender_and_recipients_get_copies_of_their_own(world: World, cast: Cast) -> None:
    sent = store.send(world, cast.mira, raw(To=TOM, Cc=LENA, Subject="Lunch"))
    [toms], [lenas] = _mailbox(world, cast.tom), _mailbox(world, cast.lena)
    assert _labels(world, sent) == ["SENT"]
    assert _labels(world, toms) == _labels(world, lenas) == ["CATEGORY_PERSONAL", "INBOX", "UNREAD"]
    assert len({copy.id for copy in (sent, toms, lenas)}) == 3
    assert all(copy.thread_id == copy.id for copy in (sent, toms, lenas))
    assert sent.source_id == toms.source_id == lenas.source_id
    assert sent.recipients == f"{TOM}, {LENA}"


def test_missing_headers_are_given(world: World, cast: Cast) -> None:
    sent = store.send(world, cast.mira, raw(To=TOM))
    letter = mime.read(store.source_of(world, sent).raw)
    assert letter.header("From") == f"Mira Okafor <{MIRA}>"
    assert letter.header("Date") == "Tue, 21 Oct 2025 09:30:00 -0400"
    assert letter.message_id == sent.rfc822_id
    assert sent.rfc822_id.endswith("@harborlight.example>")


def test_headers_that_were_sent_are_kept(world: World, cast: Cast) -> None:
    sent = store.send(
        world, cast.mira, raw(From=f"M <{MIRA}>", To=TOM, Message_ID="<mine@x>", Date="Mon, 1 Jan 2024")
    )
    letter = mime.read(store.source_of(world, sent).raw)
    assert (letter.header("From"), letter.header("Date"), sent.rfc822_id) == (
        f"M <{MIRA}>",
        "Mon, 1 Jan 2024",
        "<mine@x>",
    )


def test_bcc_is_seen_by_the_sender_alone(world: World, cast: Cast) -> None:
    sent = store.send(world, cast.mira, raw(To=TOM, Bcc=LENA))
    [toms], [lenas] = _mailbox(world, cast.tom), _mailbox(world, cast.lena)
    assert LENA in sent.recipients and toms.recipients == lenas.recipients == TOM
    assert b"Bcc" in store.source_of(world, sent).raw
    assert b"Bcc" not in store.source_of(world, toms).raw


def test_mail_to_oneself_is_one_message(world: World, cast: Cast) -> None:
    sent = store.send(world, cast.mira, raw(To=f"{MIRA}, {MIRA}"))
    assert _mailbox(world, cast.mira) == [sent]
    assert _labels(world, sent) == ["INBOX", "SENT", "UNREAD"]


def test_mail_to_outsiders_waits_in_the_outbox(world: World, cast: Cast) -> None:
    sent = store.send(world, cast.mira, raw(To="dana@out.example", Subject="Hi"))
    [waiting] = world.all(Outgoing)
    assert (waiting.service, waiting.kind, waiting.receiver) == ("gmail", "mail", "dana@out.example")
    payload = orjson.loads(waiting.payload_json)
    assert (payload["message_id"], payload["subject"]) == (sent.rfc822_id, "Hi")
    assert world.get(Source, payload["source_id"])


def test_an_address_that_is_nobodys_bounces(world: World, cast: Cast) -> None:
    sent = store.send(world, cast.mira, raw(To=f"nobody@harborlight.example, {TOM}", Subject="Hi"))
    notice = _mailbox(world, cast.mira)[-1]
    assert notice.sender == "mailer-daemon@harborlight.example"
    assert notice.thread_id == sent.thread_id
    assert "nobody@harborlight.example" in notice.snippet
    assert len(_mailbox(world, cast.tom)) == 1


@pytest.mark.parametrize(
    ("mail", "error", "message"),
    [
        (raw(Subject="Hi"), errors.RecipientRequired, "Recipient address required"),
        (raw(To="Tom"), errors.InvalidHeader, "Invalid To header"),
        (raw(To=TOM, Cc="x@"), errors.InvalidHeader, "Invalid Cc header"),
        (b"no headers at all", errors.RecipientRequired, "Recipient address required"),
    ],
)
def test_what_cannot_be_sent_is_refused(
    world: World, cast: Cast, mail: bytes, error: type[errors.GoogleError], message: str
) -> None:
    with pytest.raises(error, match=message):
        store.send(world, cast.mira, mail)
    assert not world.all(Message)


@pytest.mark.parametrize(
    ("mail", "error"),
    [
        (raw(To=", ".join(f"a{n}@out.example" for n in range(501))), errors.TooManyRecipients),
        (raw(To=TOM, Subject="x" * mime.MOST_HEADER), errors.InvalidHeader),
        (raw(To=TOM, References="x" * mime.MOST_HEAD), errors.HeadersTooLong),
        (
            b"To: tom@harborlight.example\n" + b"Content-Type: message/rfc822\n\n" * MOST_DEPTH,
            errors.TooManyParts,
        ),
    ],
)
def test_what_is_beyond_a_limit_is_refused(
    world: World, cast: Cast, mail: bytes, error: type[errors.GoogleError]
) -> None:
    with pytest.raises(error):
        store.send(world, cast.mira, mail)
    assert not world.all(Message)


def test_a_service_keeps_within_the_same_limits(world: World) -> None:
    subject, many = "é" * (mime.MOST_HEADER + 1), tuple(f"a{n}@out.example" for n in range(501))
    with pytest.raises(MailRefused, match="Subject"):
        store.deliver(world, OutgoingMail(sender=MIRA, to=(TOM,), subject=subject, text="x"))
    with pytest.raises(MailRefused, match="500 recipients"):
        store.deliver(world, OutgoingMail(sender=MIRA, to=many, subject="Hi", text="x"))


def test_more_than_25_mb_is_refused(world: World, cast: Cast) -> None:
    with pytest.raises(errors.TooLarge):
        store.send(world, cast.mira, raw("x" * (25 * 1024 * 1024), To=TOM))


# threads


def test_a_received_answer_joins_by_header_and_subject(world: World, cast: Cast) -> None:
    sent = store.send(world, cast.mira, raw(To=TOM, Subject="Lunch"))
    store.send(world, cast.tom, raw(To=MIRA, Subject="Re: Lunch", In_Reply_To=sent.rfc822_id))
    answer = _mailbox(world, cast.mira)[-1]
    assert answer.thread_id == sent.thread_id


def test_another_subject_begins_a_thread(world: World, cast: Cast) -> None:
    sent = store.send(world, cast.mira, raw(To=TOM, Subject="Lunch"))
    store.send(world, cast.tom, raw(To=MIRA, Subject="Dinner", In_Reply_To=sent.rfc822_id))
    answer = _mailbox(world, cast.mira)[-1]
    assert answer.thread_id == answer.id


@pytest.mark.parametrize(
    ("subject", "headers", "joins"),
    [
        ("Re: Budget", {"In_Reply_To": "<1@x>"}, True),
        ("Budget", {"References": "<1@x>"}, True),
        ("Budget", {}, False),
        ("Lunch", {"In_Reply_To": "<1@x>"}, False),
    ],
)
def test_a_sent_answer_needs_thread_header_and_subject(
    world: World, cast: Cast, subject: str, headers: dict[str, str], joins: bool
) -> None:
    first = store.send(world, cast.mira, raw(To=TOM, Subject="Budget"))
    second = store.send(world, cast.mira, raw(To=TOM, Subject=subject, **headers), first.thread_id)
    assert (second.thread_id == first.thread_id) is joins


def test_a_thread_of_another_mailbox_is_not_found(world: World, cast: Cast) -> None:
    store.send(world, cast.mira, raw(To=TOM))
    [toms] = _mailbox(world, cast.tom)
    with pytest.raises(errors.NotFound):
        store.send(world, cast.mira, raw(To=TOM), toms.thread_id)
    with pytest.raises(errors.InvalidThreadId):
        store.send(world, cast.mira, raw(To=TOM), "no thread")


# the capability


def test_a_service_mails_without_a_mailbox(world: World, cast: Cast) -> None:
    mail = OutgoingMail(
        sender="claims@desk.example", sender_name="Claims desk", to=(MIRA,),
        subject="Question", text="See\nbelow", html="<p>See</p>",
        headers={"X-Claim": "7", "From": "spy@x.example"},
    )  # fmt: skip
    message_id = world.capability(MAIL_DELIVER)(world, mail)
    [copy] = world.all(Message)
    letter = mime.read(store.source_of(world, copy).raw)
    assert (copy.owner, copy.rfc822_id, copy.sender_name) == (cast.mira.id, message_id, "Claims desk")
    assert letter.header("X-Claim") == "7"
    assert letter.header("From") == "Claims desk <claims@desk.example>"
    assert letter.to[0].name == "Mira Okafor"
    assert mime.body(tree(letter.raw), "html") == "<p>See</p>\n"


def test_a_person_who_delivers_keeps_a_copy(world: World, cast: Cast) -> None:
    store.deliver(world, OutgoingMail(sender=MIRA, to=(TOM,), bcc=(LENA,), subject="Hi", text="x"))
    [sent] = _mailbox(world, cast.mira)
    assert _labels(world, sent) == ["SENT"]
    assert len(_mailbox(world, cast.tom)) == len(_mailbox(world, cast.lena)) == 1


@pytest.mark.parametrize(
    ("sender", "to", "reason"),
    [
        ("claims@desk.example", (), "no recipients"),
        ("claims@desk.example", ("mira",), "malformed address 'mira'"),
        ("claims", (MIRA,), "malformed address 'claims'"),
        ("claims@desk.example", (MIRA, "nobody@harborlight.example"), "no such mailbox"),
    ],
)
def test_a_refused_delivery_leaves_nothing(
    world: World, sender: str, to: tuple[str, ...], reason: str
) -> None:
    before = world.state_hash()
    with world.tx(), pytest.raises(MailRefused, match=reason):
        store.deliver(world, OutgoingMail(sender=sender, to=to, subject="Hi", text="x"))
    assert world.state_hash() == before


def test_a_delivery_undone_by_its_caller_leaves_nothing(world: World) -> None:
    before = world.state_hash()
    with pytest.raises(RuntimeError), world.tx():
        store.deliver(world, OutgoingMail(sender=MIRA, to=(TOM,), subject="Hi", text="x"))
        raise RuntimeError
    assert world.state_hash() == before
    assert not world.select("SELECT rowid FROM gmail_search WHERE gmail_search MATCH 'hi'")


def test_the_same_mails_make_the_same_bytes(world: World, cast: Cast) -> None:
    other = world.fork("other")
    for each in (world, other):
        store.deliver(
            each, OutgoingMail(sender=MIRA, to=(TOM, "a@out.example"), subject="Hi", text="x", html="<p>")
        )
    assert world.state_hash() == other.state_hash()
    other.close()


def test_totals_follow(world: World, cast: Cast) -> None:
    first = store.send(world, cast.mira, raw(To=TOM, Subject="A"))
    store.send(world, cast.mira, raw(To=TOM, Subject="A", References="<1@x>"), first.thread_id)
    mailbox = store.mailbox_of(world, cast.mira.id)
    assert mailbox == Mailbox(owner=cast.mira.id, history_id=3, messages_total=2, threads_total=1)
    assert store.history_ids_of(world, [first.id]) == {first.id: 2}


def test_labels_repeat_what_orders_their_message(world: World, cast: Cast) -> None:
    sent = store.send(world, cast.mira, raw(To=TOM))
    [label] = world.all(MessageLabel, "WHERE message_id = ?", (sent.id,))
    assert (label.owner, label.thread_id, label.place) == (sent.owner, sent.thread_id, sent.place)


@pytest.mark.parametrize("hidden", ["Bcc: \nBcc: {}", "Bcc: {}\nbcc: {}", "Bcc: {}\nResent-Bcc: {}"])
def test_no_receiver_sees_any_bcc(world: World, cast: Cast, hidden: str) -> None:
    lines = hidden.replace("{}", cast.lena.email)
    store.send(world, cast.mira, f"To: {cast.tom.email}\n{lines}\n\nHi".encode())
    for person in (cast.tom, cast.lena):
        [message] = _mailbox(world, person)
        assert b"bcc" not in store.source_of(world, message).raw.lower()
        assert message.recipients == cast.tom.email
