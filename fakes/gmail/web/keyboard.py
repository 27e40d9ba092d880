"""What the keyboard does, for the sheet that tells it; the scripts of the pages do it.

The keys are those of support.google.com/mail/answer/6594.
"""

from __future__ import annotations

from functools import cache

from markupsafe import Markup

SHORTCUTS = (
    ("Go to", (
        ("g i", "Inbox"), ("g s", "Starred"), ("g b", "Snoozed"), ("g t", "Sent"), ("g d", "Drafts"),
        ("g a", "All mail"), ("g l", "A label"), ("/", "Search"), ("c", "New message"),
    )),
    ("In a list", (
        ("j", "Next conversation"), ("k", "Conversation before"), ("o", "Open it; Enter does too"),
        ("x", "Select it"), ("* a", "Select all"), ("* n", "Select none"), ("* r", "Select read"),
        ("* u", "Select unread"), ("* s", "Select starred"),
    )),
    ("Do", (
        ("e", "Archive"), ("#", "Delete"), ("!", "Report as spam"), ("s", "Star"), ("b", "Snooze"),
        ("l", "Label"), ("v", "Move to"), ("m", "Mute"), ("I", "Mark as read"), ("U", "Mark as unread"),
        ("+", "Mark as important"), ("-", "Mark as not important"), ("z", "Undo"),
    )),
    ("In a conversation", (
        ("r", "Reply"), ("a", "Reply to all"), ("f", "Forward"), ("n", "Next message"),
        ("p", "Message before"), ("j", "Older conversation"), ("k", "Newer conversation"),
        (";", "Show all messages"), (":", "Fold all messages"), ("u", "Back to the list"),
    )),
    ("Anywhere", (("?", "This sheet"), ("Esc", "Close what is open"))),
)  # fmt: skip
"""Groups of keys and what each does; a space stands between keys that are pressed one after the other."""


@cache
def sheet() -> Markup:
    """The groups as lists; drawn once, as every page holds them."""
    return Markup("").join(
        Markup("<section><h3>{}</h3><dl>{}</dl></section>").format(
            title, Markup("").join(_line(key, words) for key, words in keys)
        )
        for title, keys in SHORTCUTS
    )


def _line(key: str, words: str) -> Markup:
    drawn = Markup(" ").join(Markup("<kbd>{}</kbd>").format(part) for part in key.split(" "))
    return Markup("<div><dt>{}</dt><dd>{}</dd></div>").format(drawn, words)
