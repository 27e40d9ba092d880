"""Tools that send, and drafts: who gets what, in which thread, with which files."""

from __future__ import annotations

import pytest

from fakes.core.mcp.tools import ToolRefused
from fakes.core.world import World
from fakes.gmail import store
from fakes.gmail.reading import ReadMail, read_mail
from fakes.gmail.schema import Draft, Message, Source
from tests.fakes.gmail.api.asking import received
from tests.fakes.gmail.mcp.conftest import Use
from tests.fakes.gmail.town import Cast

MAIL = {"to": ["Tom Reyes <tom@harborlight.example>"], "subject": "Dock 3", "body": "Is it open?"}
NOTE = {"filename": "a.txt", "mimeType": "text/plain", "content": "aGVsbG8="}


def mail_of(world: World, message_id: str) -> ReadMail:
    message = world.get(Message, message_id)
    assert message is not None
    source = world.get(Source, message.source_id)
    assert source is not None
    return read_mail(source.raw)


def newest(world: World, owner: str) -> Message:
    return world.all(Message, "WHERE owner = ? ORDER BY seq DESC LIMIT 1", (owner,))[0]


def test_a_mail_goes_out_with_all_that_was_asked_for(use: Use, world: World, cast: Cast) -> None:
    told = use(
        "send_email", **MAIL, cc=["lena@harborlight.example"], bcc=["x@out.example"], attachments=[NOTE]
    )
    sent = mail_of(world, told.facts["id"])
    assert (sent.to, sent.cc, sent.bcc) == (
        ("tom@harborlight.example",),
        ("lena@harborlight.example",),
        ("x@out.example",),
    )
    assert (sent.subject, sent.said, sent.files[0].content) == ("Dock 3", "Is it open?", b"hello")
    got = mail_of(world, newest(world, cast.tom.id).id)
    assert (got.sender, got.bcc) == (cast.mira.email, ())
    assert told.facts["labelIds"] == ["SENT"]


def test_html_comes_with_a_text_beside_it(use: Use, world: World) -> None:
    told = use("send_email", **{**MAIL, "body": "<p>Is it <b>open</b>?</p>"}, mimeType="text/html")
    sent = mail_of(world, told.facts["id"])
    assert (sent.html.strip(), sent.said) == ("<p>Is it <b>open</b>?</p>", "Is it open?")


def test_a_file_of_another_message_can_be_attached(use: Use, world: World) -> None:
    first = use("send_email", **MAIL, attachments=[NOTE]).facts["id"]
    again = use("send_email", **MAIL, attachments=[{"messageId": first, "filename": "a.txt"}])
    assert mail_of(world, again.facts["id"]).files == mail_of(world, first).files


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"to": ["nobody"]}, "Invalid To header"),
        ({"to": []}, "Recipient address required"),
        ({"to": "tom@harborlight.example"}, "'to': Input should be a valid list"),
        ({"inReplyTo": "ffff"}, "There is no message 'ffff'"),
        ({"inReplyTo": "no id"}, "neither a message's id nor a Message-ID"),
        ({"threadId": "ffff", "inReplyTo": "<a@b.example>"}, "Requested entity was not found"),
        ({"attachments": [{"filename": "a", "content": "?"}]}, "no base64"),
        ({"attachments": [{"filename": "a"}]}, "either content or a messageId"),
    ],
)
def test_what_can_not_be_sent_is_refused_and_leaves_nothing(
    use: Use, world: World, changes: dict[str, object], said: str
) -> None:
    before = world.journal.head()
    with pytest.raises(ToolRefused, match=said):
        use("send_email", **{**MAIL, **changes})
    assert world.journal.head() == before


def test_answers_stay_in_the_thread_and_go_to_whom_they_should(use: Use, world: World, cast: Cast) -> None:
    message = received(world, cast, Subject="Lunch", Cc="Lena <lena@harborlight.example>, x@out.example")
    one = use("reply_to_email", messageId=message.id, body="Yes.").facts
    sent = mail_of(world, one["id"])
    assert (sent.to, sent.cc, sent.subject) == ((cast.tom.email,), (), "Re: Lunch")
    assert one["threadId"] == message.thread_id and sent.references[-1] == message.rfc822_id
    everyone = mail_of(world, use("reply_all", messageId=message.id, body="Yes.").facts["id"])
    assert (everyone.to, everyone.cc) == ((cast.tom.email,), (cast.lena.email, "x@out.example"))
    own = mail_of(world, use("reply_all", messageId=one["id"], body="Well?").facts["id"])
    assert own.to == (cast.tom.email,)


def test_an_answer_goes_where_its_sender_wants_it(use: Use, world: World, cast: Cast) -> None:
    message = received(world, cast, **{"Reply-To": "desk@out.example"})
    sent = mail_of(world, use("reply_to_email", messageId=message.id, body="Yes.").facts["id"])
    assert sent.to == ("desk@out.example",)


def test_a_new_mail_that_names_what_it_answers_joins_the_thread(use: Use, world: World, cast: Cast) -> None:
    message = received(world, cast, Subject="Lunch")
    named = {"threadId": message.thread_id, "inReplyTo": message.id}
    told = use("send_email", **{**MAIL, "subject": "Re: Lunch"}, **named)
    assert told.facts["threadId"] == message.thread_id
    assert set(mail_of(world, told.facts["id"]).references) == {message.rfc822_id}


def test_a_forward_takes_text_and_files_along(use: Use, world: World, cast: Cast) -> None:
    first = use("send_email", **MAIL, attachments=[NOTE]).facts["id"]
    told = use("forward_email", messageId=first, to=[cast.lena.email], body="See below.")
    sent = mail_of(world, told.facts["id"])
    assert (sent.to, sent.subject, sent.said) == ((cast.lena.email,), "Fwd: Dock 3", "See below.")
    assert "Is it open?" in sent.text and [file.name for file in sent.files] == ["a.txt"]
    bare = use("forward_email", messageId=first, to=[cast.lena.email], body="", includeAttachments=False)
    assert mail_of(world, bare.facts["id"]).files == ()


def test_a_draft_is_kept_changed_in_what_is_given_and_sent(use: Use, world: World, cast: Cast) -> None:
    draft = use("draft_email", subject="Dock 3", body="Is it", attachments=[NOTE]).facts["id"]
    assert use("list_drafts").facts["drafts"][0]["id"] == draft
    changed = use("update_draft", draftId=draft, to=[cast.tom.email], body="Is it open?")
    assert changed.facts["id"] == draft
    kept = use("read_draft", draftId=draft).facts["message"]
    assert (kept["subject"], kept["to"], kept["body"].strip()) == ("Dock 3", cast.tom.email, "Is it open?")
    use("update_draft", draftId=draft, cc=[cast.lena.email])
    sent = mail_of(world, use("send_draft", draftId=draft).facts["id"])
    assert (sent.to, sent.cc, sent.said) == ((cast.tom.email,), (cast.lena.email,), "Is it open?")
    assert [file.name for file in sent.files] == ["a.txt"]
    assert world.count(Draft) == 0 and use("list_drafts").text == "There are no drafts."


def test_a_draft_without_recipients_is_not_sent(use: Use, world: World) -> None:
    draft = use("draft_email", subject="Dock 3").facts["id"]
    with pytest.raises(ToolRefused, match="Recipient address required"):
        use("send_draft", draftId=draft)
    use("delete_draft", draftId=draft)
    assert world.count(Draft) == world.count(Message) == 0
    with pytest.raises(ToolRefused, match="no draft"):
        use("delete_draft", draftId=draft)


def test_an_answer_that_is_drafted_keeps_its_thread(use: Use, world: World, cast: Cast) -> None:
    message = received(world, cast, Subject="Lunch")
    named = {"threadId": message.thread_id, "inReplyTo": message.id}
    draft = use("draft_email", to=[cast.tom.email], subject="Re: Lunch", body="Y", **named).facts["id"]
    use("update_draft", draftId=draft, body="Yes.")
    sent = use("send_draft", draftId=draft).facts
    assert sent["threadId"] == message.thread_id
    assert store.thread_in(world, cast.mira.id, message.thread_id)[-1].id == sent["id"]
