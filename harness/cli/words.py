"""How commands end: exit codes, and the one sentence on stderr that goes with them."""

from __future__ import annotations

DONE, FAILED, WRONG_USE = 0, 1, 2


class Ending(Exception):
    """A command can't go on; the argument is the sentence to show."""

    code = FAILED


class Failed(Ending):
    """What was asked for was tried and did not work."""


class WrongUse(Ending):
    """What was asked for can't be done as it was put: a wrong name, no server, a busy port."""

    code = WRONG_USE
