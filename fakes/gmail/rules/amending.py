"""Headers put into a mail that was read already: what follows from its body is not read again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from fakes.gmail.rules import mime
from fakes.gmail.rules.headers import head_of
from fakes.gmail.rules.mime import Letter


def amended(letter: Letter, *, drop: Iterable[str] = (), add: Iterable[tuple[str, str]] = ()) -> Letter:
    """The letter without the headers in `drop` and with those in `add` at its head; they touch no body.

    Raises BadHeader for more than a header may hold.
    """
    raw = mime.edited(letter.raw, drop=drop, add=add)
    head = mime.read(head_of(raw) + b"\r\n\r\n", lenient=True)
    return replace(head, raw=raw, text=letter.text, files=letter.files)
