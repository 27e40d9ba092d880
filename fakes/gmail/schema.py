"""The tables of the mail system. A message is one person's copy: sender and recipients have their own."""

from __future__ import annotations

from fakes.core.store import Row


class Message(
    Row,
    table="gmail_messages",
    indexes=(
        "owner, place, id, thread_id",
        "owner, thread_id, place",
        "owner, rfc822_id",
    ),
):
    """One copy of a mail in one mailbox. It never changes; what does is in its labels.

    `owner` is a person's id, `rfc822_id` the Message-ID header, `received_at` Gmail's internalDate, `place`
    where lists show it (see `rules.places`). `sender` and the comma-separated `recipients` (To and Cc; Bcc
    only in the sender's copy) are bare, in lower case; `files` are the names of attached files, a line each.
    `delivered_to` is the address that a received copy came to, "" where nothing was received.
    """

    id: str
    seq: int
    owner: str
    thread_id: str
    source_id: str
    rfc822_id: str
    received_at: int
    place: int
    sender: str
    sender_name: str
    recipients: str
    subject: str
    snippet: str
    size: int
    files: str
    delivered_to: str


class MessageLabel(
    Row,
    table="gmail_message_labels",
    key=("message_id", "label"),
    indexes=(
        "owner, label, place, message_id, thread_id",
        "owner, label, thread_id, place",
    ),
):
    """A label, by its id, on a message. Owner, thread and place are repeated: each label is a list.

    `place` is the message's, but for what comes back to the inbox: that is listed as of when it came back.
    """

    message_id: str
    label: str
    owner: str
    thread_id: str
    place: int


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
    """What happened to a message, numbered within its mailbox. Bookkeeping.

    `kind` is messageAdded, messageDeleted, labelAdded or labelRemoved; `labels` is space-separated: those
    that were added or removed, or all that the message had when it came or went.
    """

    owner: str
    id: int
    at: int
    message_id: str
    thread_id: str
    kind: str
    labels: str


class UserLabel(Row, table="gmail_labels", key=("owner", "id"), indexes=("owner, name",)):
    """A label of one's own; a slash in the name nests it. Colours are "#rrggbb", or None for neither."""

    owner: str
    id: str
    seq: int
    name: str
    message_list_visibility: str
    label_list_visibility: str
    text_color: str | None
    background_color: str | None


class Draft(Row, table="gmail_drafts", indexes=("owner, seq", "message_id")):
    """A mail being written: its id stays, its message is another one with each change."""

    id: str
    seq: int
    owner: str
    message_id: str
    updated_at: int


class Sending(Row, table="gmail_sendings", key="draft_id", indexes=("owner, due_at",)):
    """A draft that goes out by itself at `due_at`. `kind` is "scheduled", or "undo": it can be undone."""

    draft_id: str
    owner: str
    kind: str
    asked_at: int
    due_at: int


class Snooze(Row, table="gmail_snoozes", key=("owner", "thread_id")):
    """A conversation that comes back to the inbox at `until_at`."""

    owner: str
    thread_id: str
    snoozed_at: int
    until_at: int


class Unsubscription(Row, table="gmail_unsubscriptions", indexes=("owner, seq",)):
    """That somebody left a list by its List-Unsubscribe header: `way` is "mailto" or "https"."""

    id: str
    seq: int
    owner: str
    sender: str
    message_id: str
    way: str
    target: str
    at: int


class Settings(Row, table="gmail_settings", key="owner"):
    """A mailbox's settings, made with the first change; instants are UTC ms. Names follow the API's.

    `hidden_folders` are space-separated names of folders that the pages do not list.
    """

    owner: str
    language: str
    imap_enabled: bool
    imap_auto_expunge: bool
    imap_expunge_behavior: str
    imap_max_folder_size: int
    pop_access_window: str
    pop_disposition: str
    forwarding_enabled: bool
    forwarding_email: str
    forwarding_disposition: str
    vacation_enabled: bool
    vacation_subject: str
    vacation_text: str
    vacation_html: str
    vacation_contacts_only: bool
    vacation_domain_only: bool
    vacation_start_at: int | None
    vacation_end_at: int | None
    undo_seconds: int
    shortcuts_on: bool
    tabs_on: bool
    hidden_folders: str


class SendAs(Row, table="gmail_send_as", key=("owner", "email")):
    """An address that a person writes from. The account's own has a row once something of it was changed.

    `signature` is HTML; `verification` is "accepted" or "pending", for the account's own address "".
    `smtp_*` is the server that mail from another domain goes through.
    """

    owner: str
    email: str
    seq: int
    display_name: str
    reply_to: str
    signature: str
    is_primary: bool
    is_default: bool
    treat_as_alias: bool
    verification: str
    smtp_host: str
    smtp_port: int
    smtp_username: str
    smtp_security: str


class Filter(Row, table="gmail_filters", key=("owner", "id"), indexes=("owner, seq",)):
    """What is done with mail that comes in: criteria that must all hold ("" and None: any), then the actions.

    `size` goes with `size_comparison` ("larger", "smaller"); `add_labels` and `remove_labels` are
    space-separated ids; `forward` is an address, or "".
    """

    owner: str
    id: str
    seq: int
    sender: str
    recipient: str
    subject: str
    query: str
    negated_query: str
    has_attachment: bool | None
    exclude_chats: bool | None
    size: int | None
    size_comparison: str
    add_labels: str
    remove_labels: str
    forward: str


class ForwardingAddress(Row, table="gmail_forwarding_addresses", key=("owner", "email")):
    """An address that mail may be forwarded to, once its `verification` is "accepted"."""

    owner: str
    email: str
    seq: int
    verification: str


class Delegate(Row, table="gmail_delegates", key=("owner", "email")):
    """Somebody who may use this mailbox, once `verification` is "accepted"."""

    owner: str
    email: str
    seq: int
    verification: str


class Watch(Row, table="gmail_watches", key="owner", judged=False):
    """A topic that is told of each change; `labels` is space-separated, `behavior` "include" or "exclude"."""

    owner: str
    topic: str
    labels: str
    behavior: str
    expires_at: int


class VacationReply(Row, table="gmail_vacation_replies", key=("owner", "sender"), judged=False):
    """When a sender was last told that this person is away."""

    owner: str
    sender: str
    at: int


class SearchZone(Row, table="gmail_search_zone", judged=False):
    """The zone whose midnights are the dates of searches, where a world has another than Gmail's; one row."""

    id: int
    zone: str


TABLES: tuple[type[Row], ...] = (
    Message, MessageLabel, Source, Mailbox, HistoryEntry, UserLabel, Draft, Sending, Snooze, Unsubscription,
    Settings, SendAs, Filter, ForwardingAddress, Delegate, Watch, VacationReply, SearchZone,
)  # fmt: skip

# The index of words. `rowid` is the message's place; contentless, so it holds no state of its own.
SEARCH_DDL = (
    "CREATE VIRTUAL TABLE gmail_search USING fts5(owner, sender, recipients, cc, bcc, subject, body, files, "
    "list, delivered, marks, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2')"
)
