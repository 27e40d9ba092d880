"""Tools that move and file mail: labels, trash, filters, the vacation answer, leaving lists."""

from __future__ import annotations

import pytest

from fakes.core.mcp.tools import ToolRefused
from fakes.core.world import World
from fakes.gmail import store
from fakes.gmail.schema import Filter, Message, Unsubscription, UserLabel
from tests.fakes.gmail.api.asking import received
from tests.fakes.gmail.mcp.conftest import Use
from tests.fakes.gmail.town import Cast


@pytest.fixture
def message(world: World, cast: Cast) -> Message:
    return received(world, cast, Subject="Lunch")


def labels(world: World, message: Message) -> set[str]:
    return set(store.labels_of(world, [message.id])[message.id]) - {"CATEGORY_PERSONAL"}


@pytest.mark.parametrize(
    ("tool", "left"),
    [
        ("archive_email", {"UNREAD"}),
        ("trash_email", {"UNREAD", "TRASH"}),
        ("mark_as_read", {"INBOX"}),
        ("mark_as_unread", {"INBOX", "UNREAD"}),
        ("report_spam", {"UNREAD", "SPAM"}),
    ],
)
def test_a_message_is_moved_as_the_tool_says(
    use: Use, world: World, message: Message, tool: str, left: set[str]
) -> None:
    told = use(tool, messageId=message.id)
    assert labels(world, message) == left
    assert left <= set(told.facts["messages"][0]["labelIds"])


def test_what_was_trashed_can_be_had_back(use: Use, world: World, message: Message) -> None:
    use("trash_email", messageId=message.id)
    use("untrash_email", messageId=message.id)
    assert "TRASH" not in labels(world, message)


def test_labels_go_by_their_ids_on_one_on_a_thread_and_on_several(
    use: Use, world: World, cast: Cast, message: Message
) -> None:
    made = use("create_label", name="Urgent").facts["id"]
    use("modify_email", messageId=message.id, addLabelIds=[made], removeLabelIds=["INBOX"])
    assert labels(world, message) == {"UNREAD", made}
    use("modify_thread", threadId=message.thread_id, addLabelIds=["STARRED"])
    other = received(world, cast, Subject="Other")
    use("batch_modify_emails", messageIds=[message.id, other.id], removeLabelIds=["UNREAD"])
    assert labels(world, message) == {made, "STARRED"} and labels(world, other) == {"INBOX"}


@pytest.mark.parametrize(
    ("tool", "given", "said"),
    [
        ("modify_email", {"addLabelIds": ["Urgent"]}, "Labels go by their ids"),
        ("modify_email", {"addLabelIds": ["Label_9"]}, "Labels go by their ids"),
        ("modify_email", {"addLabelIds": ["SENT"]}, "Invalid label"),
        ("modify_email", {}, "No label add or removes specified"),
        ("modify_email", {"addLabelIds": ["SPAM"], "removeLabelIds": ["SPAM"]}, "both add and remove"),
        ("batch_modify_emails", {"messageIds": ["ffff"], "addLabelIds": ["SPAM"]}, "nothing was changed"),
        ("batch_delete_emails", {"messageIds": []}, "'messageIds'"),
        ("archive_email", {"messageId": "ffff"}, "There is no message 'ffff'"),
        ("update_label", {"id": "INBOX", "name": "In"}, "one of the system's"),
        ("delete_label", {"id": "Label_9"}, "There is no label 'Label_9'"),
        ("create_label", {"name": "Inbox"}, "Invalid label name"),
        ("delete_filter", {"filterId": "x"}, "There is no filter 'x'"),
        ("create_filter", {"criteria": {}, "action": {"addLabelIds": ["STARRED"]}}, "criterion"),
        ("create_filter", {"criteria": {"from": "a@b.example"}, "action": {}}, "action"),
        ("set_vacation", {"enabled": True}, "must be nonempty"),
        ("set_vacation", {"enabled": True, "body": "x", "startTime": "soon"}, "startTime 'soon' is no date"),
        ("unsubscribe_email", {}, "offers no way to unsubscribe"),
    ],
)
def test_what_can_not_be_done_is_told_and_leaves_nothing(
    use: Use, world: World, message: Message, tool: str, given: dict[str, object], said: str
) -> None:
    if tool in ("modify_email", "unsubscribe_email"):
        given = {"messageId": message.id, **given}
    before = world.journal.head()
    with pytest.raises(ToolRefused, match=said):
        use(tool, **given)
    assert world.journal.head() == before


def test_messages_are_gone_for_good(use: Use, world: World, cast: Cast, message: Message) -> None:
    others = [received(world, cast, Subject=name).id for name in "ab"]
    use("delete_email", messageId=message.id)
    use("batch_delete_emails", messageIds=others)
    assert store.messages_in(world, cast.mira.id, [message.id, *others]) == []


def test_labels_are_listed_made_once_renamed_and_removed(use: Use, world: World) -> None:
    made = use("get_or_create_label", name="Urgent").facts["id"]
    assert use("get_or_create_label", name="urgent").facts["id"] == made
    use("update_label", id=made, name="Soon", labelListVisibility="labelHide")
    listed = use("list_email_labels")
    assert listed.facts["labels"][-1] == {
        "id": made, "name": "Soon", "type": "user", "messageListVisibility": "show",
        "labelListVisibility": "labelHide",
    }  # fmt: skip
    assert f"- Soon (ID: {made})" in listed.text and "INBOX" in listed.text
    use("delete_label", id=made)
    assert world.count(UserLabel) == 0


def test_a_filter_is_made_told_and_removed(use: Use, world: World) -> None:
    given = {"criteria": {"from": "tom@harborlight.example"}, "action": {"removeLabelIds": ["INBOX"]}}
    made = use("create_filter", **given).facts
    assert use("list_filters").facts["filters"] == [made] and made["criteria"] == given["criteria"]
    assert "takes INBOX off" in use("get_filter", filterId=made["id"]).text
    use("delete_filter", filterId=made["id"])
    assert world.count(Filter) == 0


def test_the_vacation_answer_is_set_in_the_persons_own_time(use: Use, world: World, cast: Cast) -> None:
    use("set_vacation", enabled=True, subject="Away", body="Back soon.", startTime="2025-11-03")
    settings = store.settings_of(world, cast.mira.id)
    assert settings.vacation_start_at == 1_762_146_000_000  # midnight in New York
    told = use("get_vacation")
    assert told.facts["enabled"] and "from Mon 3 Nov 2025, 00:00 until further notice" in told.text
    use("set_vacation", enabled=False)
    assert use("get_vacation").text == "The vacation answer is off."


def test_a_list_is_left_as_its_mail_offers(use: Use, world: World, cast: Cast) -> None:
    mail = received(world, cast, **{"List-Unsubscribe": "<mailto:off@list.example?subject=bye>"})
    told = use("unsubscribe_email", messageId=mail.id)
    assert (told.facts["way"], told.facts["target"]) == ("mailto", "off@list.example")
    assert world.count(Unsubscription) == 1
