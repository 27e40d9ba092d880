"""Mails that follow from another one's arrival."""

from __future__ import annotations

from dataclasses import dataclass

from fakes.gmail.rules.mime import Letter


@dataclass(frozen=True)
class Onward:
    """A mail on its way to one address: forwarded, or an answer of somebody who is away.

    `answers` is the Message-ID of what it answers: it joins that conversation whatever its subject.
    """

    letter: Letter
    to: str
    answers: str = ""
