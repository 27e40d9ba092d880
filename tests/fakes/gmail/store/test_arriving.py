"""What becomes of a mail in the mailbox of who receives it."""

from __future__ import annotations

import email
from email.message import Message as Parsed

import pytest

from fakes.core.outbox import Outgoing
from fakes.core.people import Person
from fakes.core.world import World
from fakes.gmail import store
from fakes.gmail.rules.mime import read
from fakes.gmail.schema import Message, Source
from fakes.gmail.store.filters import Wanted
from fakes.gmail.store.labelling import mark
from tests.fakes.gmail.town import MORNING, Cast, raw

MIRA, TOM, LENA = (f"{name}@harborlight.example" for name in ("mira", "tom", "lena"))
DAY = 24 * 3_600_000


@pytest.fixture
def world(lone_world: World) -> World:
    return lone_world


def _mailbox(world: World, person: Person) -> list[Message]:
    return world.all(Message, "WHERE owner = ? ORDER BY seq", (person.id,))


def _labels(world: World, message: Message) -> set[str]:
    return set(store.labels_of(world, [message.id])[message.id])


def _read(world: World, message: Message) -> Parsed:
    return email.message_from_bytes(store.source_of(world, message).raw)


# the way


def test_a_copy_shows_the_way_it_came(world: World, cast: Cast) -> None:
    sent = store.send(world, cast.mira, raw("Hello", To="Tom+news@harborlight.example", Subject="Hi"))
    [copy] = _mailbox(world, cast.tom)
    told = _read(world, copy)
    assert told.keys()[:4] == ["Delivered-To", "Received", "Return-Path", "Received"]
    assert told["Delivered-To"] == "tom+news@harborlight.example"
    assert told["Return-Path"] == f"<{MIRA}>"
    assert "dkim=pass" in told["Authentication-Results"]
    assert told["Message-ID"] == sent.rfc822_id == copy.rfc822_id
    assert store.source_of(world, copy).raw.endswith(store.source_of(world, sent).raw)
    assert copy.source_id == sent.source_id
    assert not store.source_of(world, sent).raw.startswith(b"Delivered-To")


@pytest.mark.parametrize("spelling", ["TOM", "t.o.m", "tom+x", "T.om+x.y"])
def test_other_spellings_reach_the_person_once(world: World, cast: Cast, spelling: str) -> None:
    store.send(world, cast.mira, raw(To=f"{spelling}@harborlight.example, {TOM}", Subject="Hi"))
    assert len(_mailbox(world, cast.tom)) == 1
    assert len(_mailbox(world, cast.mira)) == 1  # no bounce


def test_mail_to_ones_own_plus_address_is_one_message(world: World, cast: Cast) -> None:
    sent = store.send(world, cast.mira, raw(To="mira+todo@harborlight.example", Subject="Buy milk"))
    assert _mailbox(world, cast.mira) == [sent]
    assert _labels(world, sent) == {"SENT", "INBOX", "UNREAD"}


# in whose name


def test_a_from_that_is_not_ones_own_is_replaced(world: World, cast: Cast) -> None:
    sent = store.send(world, cast.mira, raw(From=f"The Boss <{TOM}>", To=LENA, Subject="Hi"))
    assert read(store.source_of(world, sent).raw).header("From") == f"The Boss <{MIRA}>"
    assert _mailbox(world, cast.lena)[0].sender == MIRA


def test_an_alias_may_write_and_is_written_to(world: World, cast: Cast) -> None:
    alias = store.add_send_as(
        world, cast.mira, "support@harborlight.example", display_name="Support", reply_to=LENA
    )
    assert alias.verification == "accepted"
    store.send(world, cast.mira, raw(From=alias.email, To=TOM, Subject="Hi"))
    [toms] = _mailbox(world, cast.tom)
    letter = read(store.source_of(world, toms).raw)
    assert (toms.sender, letter.header("Reply-To")) == (alias.email, LENA)
    store.send(world, cast.tom, raw(To=alias.email, Subject="To you"))
    assert [message.subject for message in _mailbox(world, cast.mira)] == ["Hi", "To you"]


def test_mail_without_a_from_goes_out_from_the_default_address(world: World, cast: Cast) -> None:
    store.add_send_as(
        world, cast.mira, "support@harborlight.example", display_name="Support", is_default=True
    )
    sent = store.send(world, cast.mira, raw(To=TOM))
    assert read(store.source_of(world, sent).raw).header("From") == "Support <support@harborlight.example>"


def test_an_alias_that_is_not_accepted_may_not_write(world: World, cast: Cast) -> None:
    store.add_send_as(world, cast.mira, TOM)
    sent = store.send(world, cast.mira, raw(From=TOM, To=LENA))
    assert sent.sender == MIRA


# inbox, spam, muted


def test_what_was_marked_as_spam_on_the_way_is_spam(world: World, cast: Cast) -> None:
    store.send(world, cast.tom, raw(To=MIRA, Subject="Prizes", X_Spam_Flag="YES"))
    [copy] = _mailbox(world, cast.mira)
    assert {"SPAM", "UNREAD"} <= _labels(world, copy)
    assert "INBOX" not in _labels(world, copy)
    assert "spf=fail" in _read(world, copy)["Authentication-Results"]


def test_a_sender_who_was_reported_goes_to_spam_until_that_is_undone(world: World, cast: Cast) -> None:
    store.send(world, cast.tom, raw(To=MIRA, Subject="One"))
    store.report_spam(world, cast.mira.id, [_mailbox(world, cast.mira)[0].id])
    store.send(world, cast.tom, raw(To=MIRA, Subject="Two"))
    store.send(world, cast.lena, raw(To=MIRA, Subject="Three"))
    one, two, three = _mailbox(world, cast.mira)
    assert ["SPAM" in _labels(world, each) for each in (one, two, three)] == [True, True, False]
    store.not_spam(world, cast.mira.id, [one.id, two.id])
    store.send(world, cast.tom, raw(To=MIRA, Subject="Four"))
    assert "INBOX" in _labels(world, _mailbox(world, cast.mira)[-1])


@pytest.mark.parametrize(("to", "cc", "comes"), [(MIRA, LENA, False), (MIRA, "", True), (LENA, MIRA, False)])
def test_a_muted_conversation_stays_out_of_the_inbox(
    world: World, cast: Cast, to: str, cc: str, comes: bool
) -> None:
    store.send(world, cast.tom, raw(To=MIRA, Subject="Lunch", Message_ID="<1@x>"))
    [first] = _mailbox(world, cast.mira)
    with world.tx() as tx:
        mark(tx, world, cast.mira.id, [first.id], add=["MUTED"], remove=["INBOX"])
    store.send(world, cast.tom, raw(To=to, Cc=cc, Subject="Re: Lunch", References="<1@x>"))
    answer = _mailbox(world, cast.mira)[-1]
    assert answer.thread_id == first.thread_id
    assert ("INBOX" in _labels(world, answer)) is comes
    assert "MUTED" in _labels(world, answer)


# filters


def test_all_filters_that_match_apply(world: World, cast: Cast) -> None:
    label = store.create_label(world, cast.mira.id, "Tom")
    store.create_filter(world, cast.mira.id, Wanted(sender="tom", add_labels=f"{label.id} STARRED"))
    store.create_filter(world, cast.mira.id, Wanted(subject="report", remove_labels="INBOX UNREAD"))
    store.create_filter(world, cast.mira.id, Wanted(sender="lena", add_labels="TRASH"))
    store.send(world, cast.tom, raw(To=MIRA, Subject="The weekly report"))
    [copy] = _mailbox(world, cast.mira)
    assert _labels(world, copy) == {label.id, "STARRED", "CATEGORY_PERSONAL"}


@pytest.mark.parametrize(
    ("wanted", "matches"),
    [
        (Wanted(sender=TOM), True),
        (Wanted(sender="harborlight.example"), True),
        (Wanted(sender="Tom Reyes"), True),
        (Wanted(sender="lena"), False),
        (Wanted(recipient="mira"), True),
        (Wanted(recipient="tom"), False),
        (Wanted(subject="quarterly numbers"), True),
        (Wanted(subject="yearly"), False),
        (Wanted(query="harbour OR light"), True),
        (Wanted(query="has:attachment"), False),
        (Wanted(negated_query="harbour"), False),
        (Wanted(negated_query="ship"), True),
        (Wanted(size=10_000, size_comparison="larger"), False),
        (Wanted(size=10_000, size_comparison="smaller"), True),
        (Wanted(has_attachment=True), False),
        (Wanted(sender=TOM, exclude_chats=True), True),
        (Wanted(sender=TOM, negated_query="harbour"), False),
    ],
)
def test_a_filter_applies_where_all_its_criteria_hold(
    world: World, cast: Cast, wanted: Wanted, matches: bool
) -> None:
    store.create_filter(world, cast.mira.id, Wanted(**{**wanted.__dict__, "add_labels": "STARRED"}))
    store.send(
        world, cast.tom,
        raw("by the harbour", From=f"Tom Reyes <{TOM}>", To=MIRA, Subject="The quarterly numbers"),
    )  # fmt: skip
    [copy] = _mailbox(world, cast.mira)
    assert ("STARRED" in _labels(world, copy)) is matches


def test_a_filter_may_keep_mail_out_of_spam_and_into_the_trash(world: World, cast: Cast) -> None:
    store.create_filter(world, cast.mira.id, Wanted(sender="tom", remove_labels="SPAM"))
    store.create_filter(world, cast.mira.id, Wanted(subject="junk", add_labels="TRASH"))
    store.send(world, cast.tom, raw(To=MIRA, Subject="Prizes", X_Spam_Flag="YES"))
    store.send(world, cast.tom, raw(To=MIRA, Subject="Junk"))
    prizes, junk = _mailbox(world, cast.mira)
    assert "INBOX" in _labels(world, prizes) and "SPAM" not in _labels(world, prizes)
    assert "TRASH" in _labels(world, junk) and "INBOX" not in _labels(world, junk)


def test_a_filter_works_on_mail_to_oneself(world: World, cast: Cast) -> None:
    store.create_filter(world, cast.mira.id, Wanted(subject="note", add_labels="STARRED"))
    sent = store.send(world, cast.mira, raw(To=MIRA, Subject="A note"))
    assert _labels(world, sent) == {"SENT", "INBOX", "UNREAD", "STARRED"}


# forwarding


def _forward_all(world: World, person: Person, to: str, disposition: str = "leaveInInbox") -> None:
    store.add_forwarding_address(world, person, to)
    store.set_auto_forwarding(world, person.id, enabled=True, email=to, disposition=disposition)


@pytest.mark.parametrize(
    ("disposition", "has", "lacks"),
    [
        ("leaveInInbox", {"INBOX", "UNREAD"}, set()),
        ("archive", {"UNREAD"}, {"INBOX"}),
        ("trash", {"TRASH"}, {"INBOX"}),
        ("markRead", {"INBOX"}, {"UNREAD"}),
    ],
)
def test_all_mail_is_sent_on(
    world: World, cast: Cast, disposition: str, has: set[str], lacks: set[str]
) -> None:
    _forward_all(world, cast.mira, LENA, disposition)
    store.send(world, cast.tom, raw("Hello", To=MIRA, Subject="Hi"))
    [miras], [lenas] = _mailbox(world, cast.mira), _mailbox(world, cast.lena)
    labels = _labels(world, miras)
    assert has <= labels and not lacks & labels
    told = _read(world, lenas)
    assert (told["X-Forwarded-To"], told["X-Forwarded-For"]) == (LENA, f"{MIRA} {LENA}")
    assert (told["Delivered-To"], lenas.sender, told["To"]) == (LENA, TOM, MIRA)
    assert lenas.rfc822_id == miras.rfc822_id


def test_forwarding_in_a_circle_ends(world: World, cast: Cast) -> None:
    _forward_all(world, cast.mira, LENA)
    _forward_all(world, cast.lena, TOM)
    _forward_all(world, cast.tom, MIRA)
    store.send(world, cast.tom, raw(To=MIRA, Subject="Round"))
    assert [len(_mailbox(world, person)) for person in (cast.mira, cast.lena, cast.tom)] == [1, 1, 2]


def test_a_filter_sends_on_to_people_outside(world: World, cast: Cast) -> None:
    store.add_forwarding_address(world, cast.mira, "me@home.example")
    asked = store.forwarding_address(world, cast.mira.id, "me@home.example")
    assert asked is not None and asked.verification == "pending"
    [mail] = world.all(Outgoing)
    text = _text(world, mail)
    token = text.partition("/gmail/confirm/")[2].split()[0]
    found = store.question(world, token)
    assert found is not None
    store.agree(world, found)
    assert store.question(world, token) is None
    store.create_filter(world, cast.mira.id, Wanted(sender="tom", forward="me@home.example"))
    store.send(world, cast.tom, raw(To=MIRA, Subject="On"))
    store.send(world, cast.lena, raw(To=MIRA, Subject="Not on"))
    assert [(row.receiver, row.payload["subject"]) for row in world.all(Outgoing)[1:]] == [
        ("me@home.example", "On")
    ]


def _text(world: World, row: Outgoing) -> str:
    source = world.get(Source, row.payload["source_id"])
    assert source is not None
    return source.text


def test_spam_is_not_sent_on(world: World, cast: Cast) -> None:
    _forward_all(world, cast.mira, LENA)
    store.send(world, cast.tom, raw(To=MIRA, Subject="Prizes", X_Spam_Flag="YES"))
    assert not _mailbox(world, cast.lena)


# away


def _away(world: World, person: Person, **more: object) -> None:
    given: dict[str, object] = {
        "enabled": True, "subject": "Away", "text": "Back on Monday", "html": "", "contacts_only": False,
        "domain_only": False, "start_at": None, "end_at": None,
    }  # fmt: skip
    store.set_vacation(world, person.id, **{**given, **more})  # type: ignore[arg-type]


def _answers(world: World, person: Person) -> list[Message]:
    return [each for each in _mailbox(world, person) if each.subject.startswith("Away")]


def test_a_sender_is_answered_once_in_four_days(world: World, cast: Cast) -> None:
    _away(world, cast.mira)
    sent = store.send(world, cast.tom, raw(To=MIRA, Subject="Lunch"))
    store.send(world, cast.tom, raw(To=MIRA, Subject="Dinner"))
    [answer] = _answers(world, cast.tom)
    told = _read(world, answer)
    assert (answer.subject, answer.sender, answer.snippet) == ("Away Re: Lunch", MIRA, "Back on Monday")
    assert told["Auto-Submitted"] == "auto-replied"
    assert told["In-Reply-To"] == sent.rfc822_id
    assert answer.thread_id == sent.thread_id
    world.advance(MORNING + 4 * DAY)
    store.send(world, cast.tom, raw(To=MIRA, Subject="Breakfast"))
    assert len(_answers(world, cast.tom)) == 2
    _away(world, cast.mira, text="Back on Tuesday")
    store.send(world, cast.tom, raw(To=MIRA, Subject="Tea"))
    assert [each.snippet for each in _answers(world, cast.tom)][-1] == "Back on Tuesday"


@pytest.mark.parametrize(
    "headers",
    [
        {"List-Id": "<news.x.example>"}, {"List-Unsubscribe": "<mailto:x@x.example>"}, {"Precedence": "bulk"},
        {"Auto-Submitted": "auto-generated"}, {"X-Spam-Flag": "YES"}, {"Reply-To": MIRA},
    ],
)  # fmt: skip
def test_lists_programs_and_oneself_are_not_answered(
    world: World, cast: Cast, headers: dict[str, str]
) -> None:
    _away(world, cast.mira)
    store.send(world, cast.tom, raw(To=MIRA, Subject="Lunch", **headers))
    assert not _answers(world, cast.tom)


def test_two_who_are_away_do_not_answer_each_other(world: World, cast: Cast) -> None:
    _away(world, cast.mira)
    _away(world, cast.tom)
    store.send(world, cast.tom, raw(To=MIRA, Subject="Lunch"))
    assert len(_answers(world, cast.tom)) == 1
    assert not _answers(world, cast.mira)


@pytest.mark.parametrize(
    ("start", "end", "answered"),
    [
        (MORNING, MORNING + DAY, True), (MORNING + 1, None, False), (None, MORNING, False),
        (MORNING - DAY, None, True),
    ],
)  # fmt: skip
def test_answers_go_out_between_start_and_end(
    world: World, cast: Cast, start: int | None, end: int | None, answered: bool
) -> None:
    _away(world, cast.mira, start_at=start, end_at=end)
    store.send(world, cast.tom, raw(To=MIRA, Subject="Lunch"))
    assert bool(_answers(world, cast.tom)) is answered


def test_answers_may_be_for_contacts_alone(world: World, cast: Cast) -> None:
    store.send(world, cast.mira, raw(To=TOM, Subject="Hi"))
    _away(world, cast.mira, contacts_only=True, domain_only=True)
    store.send(world, cast.tom, raw(To=MIRA, Subject="Lunch"))
    store.send(world, cast.lena, raw(To=MIRA, Subject="Lunch"))
    assert len(_answers(world, cast.tom)) == 1
    assert not _answers(world, cast.lena)


def test_answers_may_be_for_the_own_domain_alone(world: World, cast: Cast) -> None:
    _away(world, cast.mira, domain_only=True)
    store.send(world, cast.tom, raw(To=MIRA, Subject="Lunch"))
    store.send(world, cast.lena, raw(To=MIRA, Reply_To="me@home.example", Subject="Lunch"))
    assert len(_answers(world, cast.tom)) == 1
    assert not world.all(Outgoing)


def test_html_goes_before_text(world: World, cast: Cast) -> None:
    _away(world, cast.mira, html="<p>Gone <script>x</script>fishing</p>", text="no")
    store.send(world, cast.tom, raw(To=MIRA, Subject="Lunch"))
    [answer] = _answers(world, cast.tom)
    assert answer.snippet == "Gone fishing"
    assert b"script" not in store.source_of(world, answer).raw


# bounces


def test_a_bounce_is_a_report(world: World, cast: Cast) -> None:
    mail = raw(To="gone@harborlight.example", Bcc=TOM, Subject="Hi")
    sent = store.send(world, cast.mira, mail)
    notice = _mailbox(world, cast.mira)[-1]
    told = _read(world, notice)
    assert told["X-Failed-Recipients"] == "gone@harborlight.example"
    assert told.get_content_type() == "multipart/report"
    kinds = [part.get_content_type() for part in told.walk() if not part.is_multipart()]
    assert kinds[0] == "text/plain" and "text/rfc822-headers" in kinds
    assert b"Final-Recipient: rfc822; gone@harborlight.example" in store.source_of(world, notice).raw
    assert TOM.encode() not in store.source_of(world, notice).raw
    assert notice.thread_id == sent.thread_id
    assert {"INBOX", "UNREAD"} <= _labels(world, notice)
