"""The verbs of the mail system and all its SQL.

`mailbox` reads, `listing` lists what `finding` finds, `folders` and `lines` what pages show, `filing` puts
copies in and takes them out, `history` writes down what happened, `words` is the index; `labelling` and
`own_labels` are labels, `drafts` and `later` what is being written and what is sent or comes back later,
`post` sends, `arriving` receives, `settings` keeps what a person has set.
"""

from __future__ import annotations

from fakes.gmail.store.addresses import is_own_address, owner_of
from fakes.gmail.store.aliases import (
    SEND_AS_DEFAULTS,
    add_send_as,
    change_send_as,
    remove_send_as,
    send_as,
)
from fakes.gmail.store.confirming import Question, agree, ask_again, question
from fakes.gmail.store.correspondents import correspondents
from fakes.gmail.store.delegates import (
    add_delegate,
    delegate_of,
    delegates_of,
    invite_delegate,
    is_delegate,
    remove_delegate,
)
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
from fakes.gmail.store.filters import (
    Wanted,
    change_filter,
    create_filter,
    delete_filter,
    filter_of,
    filters_of,
)
from fakes.gmail.store.folders import Page, Ref, all_mail, folder, thread_count, unread_counts
from fakes.gmail.store.forwarding import (
    add_forwarding_address,
    forwarding_address,
    forwarding_addresses,
    remove_forwarding_address,
    set_auto_forwarding,
)
from fakes.gmail.store.history import Since, history_since, mailbox_of
from fakes.gmail.store.importing import import_mail, insert
from fakes.gmail.store.labelling import (
    archive,
    check_label,
    has_label,
    mark_read,
    not_spam,
    relabel,
    report_spam,
    trash,
    untrash,
)
from fakes.gmail.store.later import hand_in, schedule, snooze, take_back, unsnooze
from fakes.gmail.store.lines import Line, Sender, lines
from fakes.gmail.store.listing import Listing, Position, list_drafts, list_messages, list_threads
from fakes.gmail.store.mailbox import (
    MOST_COUNTED,
    history_ids_of,
    labels_of,
    message_in,
    messages_in,
    newest_in,
    source_of,
    thread_history_ids,
    thread_in,
)
from fakes.gmail.store.neighbours import neighbours
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
from fakes.gmail.store.refiltering import apply_to_mail, caught
from fakes.gmail.store.restoring import restore_draft
from fakes.gmail.store.settings import change_settings, default_send_as, send_as_of, settings_of
from fakes.gmail.store.undoing import messages_of, mute, undo, unmute
from fakes.gmail.store.unsubscribing import unsubscribe, unsubscription_of
from fakes.gmail.store.vacation import is_away, set_vacation
from fakes.gmail.store.watching import stop_watching, watch

__all__ = [
    "MOST_COUNTED",
    "SEND_AS_DEFAULTS",
    "Line",
    "Listing",
    "Page",
    "Position",
    "Question",
    "Ref",
    "Sender",
    "Since",
    "Wanted",
    "add_delegate",
    "add_forwarding_address",
    "add_send_as",
    "agree",
    "all_mail",
    "apply_to_mail",
    "archive",
    "ask_again",
    "caught",
    "change_filter",
    "change_label",
    "change_send_as",
    "change_settings",
    "check_label",
    "correspondents",
    "counts",
    "create_draft",
    "create_filter",
    "create_label",
    "default_send_as",
    "delegate_of",
    "delegates_of",
    "delete",
    "delete_filter",
    "delete_label",
    "deliver",
    "discard_draft",
    "draft_in",
    "draft_of_message",
    "filter_of",
    "filters_of",
    "folder",
    "forwarding_address",
    "forwarding_addresses",
    "hand_in",
    "has_label",
    "history_ids_of",
    "history_since",
    "import_mail",
    "insert",
    "invite_delegate",
    "is_away",
    "is_delegate",
    "is_own_address",
    "label_named",
    "labels_of",
    "lines",
    "list_drafts",
    "list_messages",
    "list_threads",
    "mailbox_of",
    "mark_read",
    "message_in",
    "messages_in",
    "messages_of",
    "mute",
    "neighbours",
    "newest_in",
    "not_spam",
    "own_label",
    "own_labels",
    "owner_of",
    "question",
    "relabel",
    "remove_delegate",
    "remove_forwarding_address",
    "remove_send_as",
    "report_spam",
    "restore_draft",
    "schedule",
    "send",
    "send_as",
    "send_as_of",
    "send_draft",
    "sending_of",
    "set_auto_forwarding",
    "set_vacation",
    "settings_of",
    "snooze",
    "source_of",
    "stop_watching",
    "take_back",
    "thread_count",
    "thread_history_ids",
    "thread_in",
    "trash",
    "undo",
    "unmute",
    "unread_counts",
    "unsnooze",
    "unsubscribe",
    "unsubscription_of",
    "untrash",
    "update_draft",
    "watch",
]
