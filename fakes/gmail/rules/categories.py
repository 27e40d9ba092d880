"""Which tab of the inbox a mail belongs to.

Gmail learns it from what people do; here it follows from what bulk mail says of itself, so that a scenario
can tell beforehand: a List-Id makes a forum, a List-Unsubscribe a promotion, a sender that takes no answers
an update, a known network's sender social; all else is personal.
"""

from __future__ import annotations

import re

from fakes.gmail.rules.labels import PERSONAL
from fakes.gmail.rules.mime import Letter

_NO_ANSWERS = re.compile(
    r"^(?:no-?reply|do-?not-?reply|notifications?|notify|alerts?|updates?|receipts?|billing|orders?|mailer-daemon)"
    r"[^@]*@"
)
_SOCIAL = re.compile(r"@(?:[a-z0-9-]+\.)*(?:social|network|friends|connect)[a-z0-9-]*\.", re.IGNORECASE)


def category_of(letter: Letter) -> str:
    """The category's label."""
    sender = letter.senders[0].email if letter.senders else ""
    if _SOCIAL.search(sender):
        return "CATEGORY_SOCIAL"
    if letter.header("List-Id"):
        return "CATEGORY_FORUMS"
    if letter.header("List-Unsubscribe"):
        return "CATEGORY_PROMOTIONS"
    if _NO_ANSWERS.match(sender) or letter.header("Auto-Submitted") not in ("", "no"):
        return "CATEGORY_UPDATES"
    return PERSONAL
