"""The scopes of the Gmail API, and the sets of them that allow its methods."""

from __future__ import annotations

_AUTH = "https://www.googleapis.com/auth/gmail"
ALL = "https://mail.google.com/"
METADATA = f"{_AUTH}.metadata"
SCOPES = {
    ALL: "All of a mailbox, and removal for good",
    f"{_AUTH}.addons.current.action.compose": "Drafts and sending, from an add-on",
    f"{_AUTH}.addons.current.message.action": "The open message, from an add-on that was clicked",
    f"{_AUTH}.addons.current.message.metadata": "The open message's headers, from an add-on",
    f"{_AUTH}.addons.current.message.readonly": "The open message, from an add-on",
    f"{_AUTH}.compose": "Drafts and sending",
    f"{_AUTH}.insert": "Putting mail into the mailbox",
    f"{_AUTH}.labels": "Labels",
    METADATA: "Headers and labels, without what mails say",
    f"{_AUTH}.modify": "Everything but removal for good and settings",
    f"{_AUTH}.readonly": "Reading mail and settings",
    f"{_AUTH}.send": "Sending alone",
    f"{_AUTH}.settings.basic": "Settings and filters",
    f"{_AUTH}.settings.sharing": "Settings that let others in, or mail out",
}


def scopes(words: str) -> tuple[str, ...]:
    """Scopes by the ends of their names, sorted as the vendor sorts them; "all" is that of everything."""
    return tuple(sorted(ALL if word == "all" else f"{_AUTH}.{word}" for word in words.split()))


_ADDON = "addons.current.message."
MODIFY = scopes("all modify")
LIST = scopes("all metadata modify readonly")
PROFILE = scopes("all compose metadata modify readonly")
COMPOSE = scopes("all addons.current.action.compose compose modify")
SEND = scopes("all addons.current.action.compose compose modify send")
DRAFTS = scopes("all compose modify readonly")
LABELS = scopes("all labels metadata modify readonly")
NAMING = scopes("all labels modify")
INSERT = scopes("all insert modify")
FILES = scopes(f"all {_ADDON}action {_ADDON}readonly modify readonly")
READ = scopes(f"all {_ADDON}action {_ADDON}metadata {_ADDON}readonly metadata modify readonly")
SETTINGS = scopes("all modify readonly settings.basic")
BASIC = scopes("settings.basic")
SHARING = scopes("settings.sharing")
BOTH = scopes("settings.basic settings.sharing")
KEYS = scopes("all modify readonly settings.basic settings.sharing")
WHOLE = scopes("all")
