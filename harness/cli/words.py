"""How commands end: exit codes, and the one sentence on stderr that goes with them."""

from __future__ import annotations

import re

DONE, FAILED, WRONG_USE = 0, 1, 2
_OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


class Ending(Exception):
    """A command can't go on; the argument is the sentence to show."""

    code = FAILED


class Failed(Ending):
    """What was asked for was tried and did not work."""


class WrongUse(Ending):
    """What was asked for can't be done as it was put: a wrong name, no server, a busy port."""

    code = WRONG_USE


def harmless(text: str) -> str:
    """A text without what a terminal would obey, such as colours, and as UTF-8 can say it."""
    return _OBEYED.sub("", text.encode("utf-8", "replace").decode())
