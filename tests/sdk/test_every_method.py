"""Each faked method of the Gmail API, called by Google's own Python client."""

from __future__ import annotations

import base64
import io
from collections.abc import Awaitable, Callable
from typing import Any

import anyio.to_thread
import googleapiclient.errors
import googleapiclient.http
import pytest

from fakes.gmail.api.faked import FAKED
from tests.fakes.gmail.town import encoded, raw

MIRA, TOM = "mira@harborlight.example", "tom@harborlight.example"
FILE = (
    b'To: tom@harborlight.example\r\nSubject: Plan\r\nMIME-Version: 1.0\r\n'
    b'Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nSee it.\r\n'
    b'--b\r\nContent-Type: text/csv; name="plan.csv"\r\nContent-Disposition: attachment; filename="plan.csv"'
    b"\r\n\r\na,b\r\n--b--\r\n"
)  # fmt: skip


class Caller:
    """Executes requests of one person's client, and remembers which methods they were of."""

    def __init__(self, service: Any) -> None:
        self.users = service.users()
        self.called: set[str] = set()

    def __call__(self, request: Any) -> Any:
        answer = request.execute()
        self.called.add(request.methodId.removeprefix("gmail."))
        return answer

    def refused(self, request: Any) -> int:
        """The status that a request is refused with."""
        with pytest.raises(googleapiclient.errors.HttpError) as raised:
            request.execute()
        return int(raised.value.status_code)

    def send(self, **headers: str) -> Any:
        """Sends a mail to Tom, or as the headers say."""
        mail = encoded(raw("Hello", **{"To": TOM, "Subject": "Hello", **headers}))
        return self(self.users.messages().send(userId="me", body={"raw": mail}))


async def test_every_method_is_called(
    built: Callable[[str], Awaitable[Any]], token_of: Callable[[str], str]
) -> None:
    service = await built(token_of(MIRA))
    call = Caller(service)

    def all_of_them() -> None:
        for resource in (messages, threads, labels, drafts, mailbox, clients, filters, addresses, delegates):
            resource(call, call.users)

    try:
        await anyio.to_thread.run_sync(all_of_them)
    finally:
        service.close()
    assert sorted(set(FAKED) - call.called) == []


def messages(call: Caller, users: Any) -> None:
    """users.messages and attachments."""
    sent, other = call.send(), call.send()
    calls, me = users.messages(), {"userId": "me"}
    assert len(call(calls.list(**me))["messages"]) == 2
    assert call(calls.get(**me, id=sent["id"], format="minimal"))["labelIds"] == ["SENT"]
    starred = call(calls.modify(**me, id=sent["id"], body={"addLabelIds": ["STARRED"]}))
    assert sorted(starred["labelIds"]) == ["SENT", "STARRED"]
    assert "TRASH" in call(calls.trash(**me, id=sent["id"]))["labelIds"]
    assert "TRASH" not in call(calls.untrash(**me, id=sent["id"]))["labelIds"]
    both = [sent["id"], other["id"]]
    assert call(calls.batchModify(**me, body={"ids": both, "addLabelIds": ["IMPORTANT"]})) == ""
    assert call(calls.delete(**me, id=sent["id"])) == ""
    assert call(calls.batchDelete(**me, body={"ids": both})) == ""
    assert call.refused(calls.get(**me, id=sent["id"])) == 404
    kept = call(calls.insert(**me, body={"raw": encoded(raw(To=MIRA, From=TOM)), "labelIds": ["INBOX"]}))
    taken = call(calls.import_(**me, body={"raw": encoded(raw(To=MIRA, From=TOM)), "labelIds": ["UNREAD"]}))
    assert kept["labelIds"] == ["INBOX"] and "UNREAD" in taken["labelIds"]
    file = googleapiclient.http.MediaIoBaseUpload(io.BytesIO(FILE), mimetype="message/rfc822")
    planned = call(calls.send(**me, media_body=file))
    [_, part] = call(calls.get(**me, id=planned["id"]))["payload"]["parts"]
    at = {"messageId": planned["id"], "id": part["body"]["attachmentId"]}
    assert base64.urlsafe_b64decode(call(calls.attachments().get(**me, **at))["data"]) == b"a,b"


def threads(call: Caller, users: Any) -> None:
    """users.threads."""
    sent = call.send(Subject="A thread")
    calls, named = users.threads(), {"userId": "me", "id": sent["threadId"]}
    listed = call(calls.list(userId="me", q="subject:thread"))["threads"]
    assert [thread["id"] for thread in listed] == [sent["threadId"]]
    [only] = call(calls.get(**named, format="metadata"))["messages"]
    assert only["id"] == sent["id"]
    [changed] = call(calls.modify(**named, body={"addLabelIds": ["STARRED"]}))["messages"]
    assert "STARRED" in changed["labelIds"]
    [gone] = call(calls.trash(**named))["messages"]
    [back] = call(calls.untrash(**named))["messages"]
    assert "TRASH" in gone["labelIds"] and "TRASH" not in back["labelIds"]
    assert call(calls.delete(**named)) == "" and call.refused(calls.get(**named)) == 404


def labels(call: Caller, users: Any) -> None:
    """users.labels."""
    calls = users.labels()
    made = call(calls.create(userId="me", body={"name": "Claims"}))
    named = {"userId": "me", "id": made["id"]}
    assert made["id"] in [label["id"] for label in call(calls.list(userId="me"))["labels"]]
    call(calls.patch(**named, body={"labelListVisibility": "labelHide"}))
    call(calls.update(**named, body={"name": "Claims/Old", "id": made["id"]}))
    assert call(calls.get(**named))["name"] == "Claims/Old"
    assert call(calls.delete(**named)) == "" and call.refused(calls.get(**named)) == 404


def drafts(call: Caller, users: Any) -> None:
    """users.drafts."""
    calls = users.drafts()
    first = {"message": {"raw": encoded(raw("One", To=TOM, Subject="Draft"))}}
    made = call(calls.create(userId="me", body=first))
    named = {"userId": "me", "id": made["id"]}
    again = {"message": {"raw": encoded(raw("Two", To=TOM, Subject="Draft"))}}
    assert call(calls.update(**named, body=again))["id"] == made["id"]
    assert call(calls.get(**named))["message"]["snippet"] == "Two"
    assert [draft["id"] for draft in call(calls.list(userId="me"))["drafts"]] == [made["id"]]
    assert call(calls.send(userId="me", body={"id": made["id"]}))["labelIds"] == ["SENT"]
    other = call(calls.create(userId="me", body=first))
    assert call(calls.delete(userId="me", id=other["id"])) == ""


def mailbox(call: Caller, users: Any) -> None:
    """users itself, and users.history."""
    begun = call(users.getProfile(userId="me"))["historyId"]
    sent = call.send()
    [record] = call(users.history().list(userId="me", startHistoryId=begun))["history"]
    assert record["messagesAdded"][0]["message"]["id"] == sent["id"]
    topic = {"topicName": "projects/harborlight/topics/mail", "labelIds": ["INBOX"]}
    assert int(call(users.watch(userId="me", body=topic))["expiration"]) > 0
    assert call(users.stop(userId="me")) == ""


def clients(call: Caller, users: Any) -> None:
    """How other programs, the language and absence are set."""
    settings = users.settings()
    for name, change in (
        ("Imap", {"enabled": True, "expungeBehavior": "archive"}),
        ("Pop", {"accessWindow": "allMail", "disposition": "leaveInInbox"}),
        ("Language", {"displayLanguage": "en"}),
        ("Vacation", {"enableAutoReply": True, "responseSubject": "Away", "responseBodyPlainText": "Soon."}),
    ):
        call(getattr(settings, f"update{name}")(userId="me", body=change))
        told = call(getattr(settings, f"get{name}")(userId="me"))
        assert told.items() >= change.items()


def filters(call: Caller, users: Any) -> None:
    """users.settings.filters."""
    calls = users.settings().filters()
    rule = {"criteria": {"from": TOM}, "action": {"addLabelIds": ["STARRED"]}}
    made = call(calls.create(userId="me", body=rule))
    named = {"userId": "me", "id": made["id"]}
    assert call(calls.get(**named)) == made
    assert call(calls.list(userId="me"))["filter"] == [made]
    assert call(calls.delete(**named)) == "" and "filter" not in call(calls.list(userId="me"))


def addresses(call: Caller, users: Any) -> None:
    """Forwarding, and aliases."""
    settings, me = users.settings(), {"userId": "me"}
    calls = settings.forwardingAddresses()
    assert call(calls.create(**me, body={"forwardingEmail": TOM}))["verificationStatus"] == "accepted"
    assert call(calls.get(**me, forwardingEmail=TOM))["forwardingEmail"] == TOM
    assert len(call(calls.list(**me))["forwardingAddresses"]) == 1
    rule = {"enabled": True, "emailAddress": TOM, "disposition": "leaveInInbox"}
    call(settings.updateAutoForwarding(**me, body=rule))
    assert call(settings.getAutoForwarding(**me)) == rule
    call(settings.updateAutoForwarding(**me, body={"enabled": False}))
    assert call(calls.delete(**me, forwardingEmail=TOM)) == ""
    calls, alias = settings.sendAs(), {"userId": "me", "sendAsEmail": "desk@elsewhere.example"}
    server = {"host": "smtp.elsewhere.example", "port": 587, "securityMode": "starttls"}
    body = {"sendAsEmail": alias["sendAsEmail"], "displayName": "Desk", "smtpMsa": server}
    made = call(calls.create(**me, body=body))
    assert made["verificationStatus"] == "pending"
    assert call(calls.verify(**alias)) == ""
    call(calls.patch(**alias, body={"signature": "<b>Desk</b>"}))
    call(calls.update(**alias, body={"sendAsEmail": alias["sendAsEmail"], "displayName": "The desk"}))
    assert call(calls.get(**alias))["displayName"] == "The desk"
    assert len(call(calls.list(**me))["sendAs"]) == 2
    assert call(calls.delete(**alias)) == ""


def delegates(call: Caller, users: Any) -> None:
    """users.settings.delegates."""
    calls, named = users.settings().delegates(), {"userId": "me", "delegateEmail": TOM}
    assert call(calls.create(userId="me", body={"delegateEmail": TOM}))["delegateEmail"] == TOM
    assert call(calls.get(**named))["delegateEmail"] == TOM
    assert len(call(calls.list(userId="me"))["delegates"]) == 1
    assert call(calls.delete(**named)) == ""
