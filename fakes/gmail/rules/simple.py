"""A mail that is one text, written and read in one go: what `mime.read` makes of what `mime.write` wrote, for
a tenth of the time. Seeds write thousands.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from fakes.gmail.rules import mime
from fakes.gmail.rules.addresses import Address
from fakes.gmail.rules.mime import Letter
from fakes.gmail.rules.threads import message_ids

_NAME = re.compile(r"[A-Za-z0-9'-]+(?: [A-Za-z0-9'-]+)*")
_VALUE = re.compile(r"(?!.*=\?)[!-~](?:[ -~]{0,900}[!-~])?")


def letter(
    *, sender: Address, to: tuple[Address, ...], cc: tuple[Address, ...], subject: str, message_id: str,
    date: str, text: str, more: Mapping[str, str],
) -> Letter | None:  # fmt: skip
    """The letter, its headers in the order of these arguments; None for one that is not so simple: names and
    values have to be plain ASCII that reads as it is written.
    """
    if not all(map(_is_plain, (sender, *to, *cc))):
        return None
    headers = [
        ("From", _listed([sender])), ("To", _listed(to)), ("Cc", _listed(cc)), ("Subject", subject),
        ("Message-ID", message_id), ("Date", date), *more.items(),
    ]  # fmt: skip
    headers = [field for field in headers if field[1] or field[0] in more]
    if not all(_VALUE.fullmatch(value) for _, value in headers):
        return None
    references = f"{_first(more, 'references')} {_first(more, 'in-reply-to')}"
    read = text.replace("\r\n", "\n").replace("\r", "\n")
    return Letter(
        raw=mime.write(headers, text),
        headers=tuple(headers),
        senders=(sender,),
        to=to,
        cc=cc,
        bcc=(),
        reply_to=(),
        message_id=message_id,
        references=message_ids(references)[-mime.MOST_REFERENCES :],
        text=read if read.endswith("\n") else f"{read}\n",
    )


def _is_plain(address: Address) -> bool:
    return address.email.islower() and (not address.name or bool(_NAME.fullmatch(address.name)))


def _listed(people: Iterable[Address]) -> str:
    return ", ".join(f"{each.name} <{each.email}>" if each.name else each.email for each in people)


def _first(headers: Mapping[str, str], name: str) -> str:
    return next((value for key, value in headers.items() if key.lower() == name), "")
