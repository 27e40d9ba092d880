"""The verbs of the mail system and all its SQL.

`mailbox` reads, `listing` lists and searches, `filing` puts copies in and takes them out, `history` writes
down what happened, `words` is the index; `labelling` and `own_labels` are labels, `drafts` and `later` what
is being written and what is sent or comes back later, `post` sends, `arriving` receives, `settings` keeps
what a person has set.
"""

from __future__ import annotations

from fakes.gmail.store.drafts import (
    create_draft,
    delete,
    discard_draft,
    draft_in,
    draft_of_message,
    send_draft,
    sending_of,
    update_draft,
)
from fakes.gmail.store.history import mailbox_of
from fakes.gmail.store.labelling import (
    archive,
    has_label,
    mark_read,
    not_spam,
    relabel,
    report_spam,
    trash,
    untrash,
)
from fakes.gmail.store.later import hand_in, schedule, snooze, take_back, unsnooze
from fakes.gmail.store.listing import (
    Conversation,
    Conversations,
    Listing,
    conversations,
    list_messages,
    search,
)
from fakes.gmail.store.mailbox import (
    history_id_of,
    labels_of,
    message_in,
    messages_in,
    source_of,
    thread_in,
    unread_count,
)
from fakes.gmail.store.own_labels import (
    change_label,
    counts,
    create_label,
    delete_label,
    label_named,
    own_label,
    own_labels,
)
from fakes.gmail.store.post import deliver, send
from fakes.gmail.store.settings import change_settings, default_send_as, send_as_of, settings_of

__all__ = [
    "Conversation",
    "Conversations",
    "Listing",
    "archive",
    "change_label",
    "change_settings",
    "conversations",
    "counts",
    "create_draft",
    "create_label",
    "default_send_as",
    "delete",
    "delete_label",
    "deliver",
    "discard_draft",
    "draft_in",
    "draft_of_message",
    "hand_in",
    "has_label",
    "history_id_of",
    "label_named",
    "labels_of",
    "list_messages",
    "mailbox_of",
    "mark_read",
    "message_in",
    "messages_in",
    "not_spam",
    "own_label",
    "own_labels",
    "relabel",
    "report_spam",
    "schedule",
    "search",
    "send",
    "send_as_of",
    "send_draft",
    "sending_of",
    "settings_of",
    "snooze",
    "source_of",
    "take_back",
    "thread_in",
    "trash",
    "unread_count",
    "unsnooze",
    "untrash",
    "update_draft",
]
