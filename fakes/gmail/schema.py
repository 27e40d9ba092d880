"""The tables of the mail system. A message is one person's copy: sender and recipients have their own."""

from __future__ import annotations

from fakes.core.store import Row


class Message(
    Row,
    table="gmail_messages",
    indexes=(
        "owner, received_at, seq, id, thread_id",
        "owner, thread_id, received_at, seq",
        "owner, rfc822_id",
        "owner, seq",
    ),
):
    """One copy of a mail in one mailbox. It never changes; what does is in its labels.

    `owner` is a person's id, `rfc822_id` the Message-ID header, `received_at` Gmail's internalDate. `sender`
    and the comma-separated `recipients` (To and Cc; Bcc only in the sender's copy) are bare, in lower case.
    """

    id: str
    seq: int
    owner: str
    thread_id: str
    source_id: str
    rfc822_id: str
    received_at: int
    sender: str
    sender_name: str
    recipients: str
    subject: str
    snippet: str
    size: int


class MessageLabel(
    Row,
    table="gmail_message_labels",
    key=("message_id", "label"),
    indexes=(
        "owner, label, received_at, seq, message_id, thread_id",
        "owner, label, thread_id, received_at, seq",
    ),
):
    """A label on a message. Owner, thread and order are repeated here: each label is a list of its own."""

    message_id: str
    label: str
    owner: str
    thread_id: str
    received_at: int
    seq: int


class Source(Row, table="gmail_sources"):
    """A mail as it was sent, shared by all copies that read the same, and the text a reader sees."""

    id: str
    raw: bytes
    text: str


class Mailbox(Row, table="gmail_mailboxes", key="owner", judged=False):
    """Totals of a person's mailbox; made with the first message. Bookkeeping: no guard need allow for it."""

    owner: str
    history_id: int
    messages_total: int
    threads_total: int


class HistoryEntry(
    Row, table="gmail_history", key=("owner", "id"), indexes=("message_id, id",), judged=False
):
    """What happened to a message, numbered within its mailbox; `labels` is space-separated. Bookkeeping."""

    owner: str
    id: int
    message_id: str
    kind: str
    labels: str


TABLES: tuple[type[Row], ...] = (Message, MessageLabel, Source, Mailbox, HistoryEntry)

# The index of words. `rowid` is the message's seq; contentless, so it holds no text and no state of its own.
SEARCH_DDL = (
    "CREATE VIRTUAL TABLE gmail_search USING fts5(owner, sender, recipients, subject, body, "
    "content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2')"
)
