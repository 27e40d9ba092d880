"""Tools that read: what they say, in words and as values, and that they write nothing."""

from __future__ import annotations

import base64

import pytest

from fakes.core.mcp.tools import ToolRefused
from fakes.core.world import World
from fakes.gmail import store
from fakes.gmail.mcp import tools
from fakes.gmail.rules.search import parse
from tests.fakes.gmail.api.asking import received
from tests.fakes.gmail.mcp.conftest import Use
from tests.fakes.gmail.town import Cast


def test_search_finds_messages_newest_first_and_goes_on_where_it_ended(
    use: Use, world: World, cast: Cast
) -> None:
    first, second, third = (received(world, cast, Subject=f"Dock {n}") for n in (1, 2, 3))
    found = use("search_emails", query="from:tom", maxResults=2)
    assert [row["id"] for row in found.facts["messages"]] == [third.id, second.id]
    assert f"ID: {third.id} (unread)" in found.text and "Subject: Dock 3" in found.text
    rest = use("search_emails", query="from:tom", maxResults=2, pageToken=found.facts["nextPageToken"])
    assert [row["id"] for row in rest.facts["messages"]] == [first.id]
    assert "nextPageToken" not in rest.facts
    with pytest.raises(ToolRefused, match="another search"):
        use("search_emails", query="from:lena", pageToken=found.facts["nextPageToken"])


def test_a_search_for_nothing_that_is_there_says_so(use: Use) -> None:
    assert use("search_emails", query="in:spam").text == "No message is found."


def test_a_message_is_read_whole_and_stays_unread(use: Use, world: World, cast: Cast) -> None:
    message = received(world, cast, "The door is in.", Subject="Dock 3", Cc=cast.lena.email)
    before = world.journal.head()
    told = use("read_email", messageId=message.id)
    assert "Subject: Dock 3\n" in told.text and told.text.endswith("The door is in.")
    assert told.facts["cc"] == cast.lena.email and "UNREAD" in told.facts["labelIds"]
    assert world.journal.head() == before


def test_a_thread_is_told_oldest_first(use: Use, world: World, cast: Cast) -> None:
    message = received(world, cast, "Shall we?", Subject="Lunch")
    use("reply_to_email", messageId=message.id, body="Yes.")
    told = use("get_thread", threadId=message.thread_id)
    assert [each["body"].strip() for each in told.facts["messages"]] == ["Shall we?", "Yes."]
    assert told.text.index("Shall we?") < told.text.index("Yes.")


def test_files_are_listed_and_read_by_id_or_by_name(use: Use) -> None:
    sheet = {"filename": "b.bin", "mimeType": "application/x-thing", "content": "AAEC"}
    note = {"filename": "a.txt", "mimeType": "text/plain", "content": base64.b64encode(b"hello").decode()}
    mail = {"to": ["tom@harborlight.example"], "subject": "Files", "body": "Here."}
    sent = use("send_email", **mail, attachments=[note, sheet]).facts["id"]
    listed = use("list_attachments", messageId=sent)
    assert [(row["filename"], row["size"]) for row in listed.facts["attachments"]] == [
        ("a.txt", 5),
        ("b.bin", 3),
    ]
    by_id = use("download_attachment", messageId=sent, attachmentId=listed.facts["attachments"][1]["id"])
    assert by_id.facts["data"] == "AAEC"
    assert use("download_attachment", messageId=sent, filename="a.txt").text.endswith("\n\nhello")
    with pytest.raises(ToolRefused, match=r"no file 'c\.txt'; its files: 'a\.txt', 'b\.bin'\."):
        use("download_attachment", messageId=sent, filename="c.txt")


def test_the_profile_counts(use: Use, world: World, cast: Cast) -> None:
    received(world, cast)
    told = use("get_profile")
    assert (told.facts["emailAddress"], told.facts["messagesTotal"]) == (cast.mira.email, 1)


def test_what_lies_in_other_mailboxes_is_not_there(use: Use, world: World, cast: Cast) -> None:
    received(world, cast)
    toms = store.list_messages(world, cast.tom.id, parse(""), limit=1).refs[0]
    for tool, given in (("read_email", {"messageId": toms[0]}), ("get_thread", {"threadId": toms[1]})):
        with pytest.raises(ToolRefused, match="in this mailbox"):
            use(tool, **given)


def test_tools_that_read_are_said_to() -> None:
    named = {name for name, tool in tools().by_name.items() if tool.reads}
    assert named == {
        "search_emails", "read_email", "get_thread", "list_attachments", "download_attachment", "get_profile",
        "read_draft", "list_drafts", "list_email_labels", "list_filters", "get_filter", "get_vacation",
    }  # fmt: skip
