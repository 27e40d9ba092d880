"""The notice to a sender whose mail did not reach everyone (RFC 3462, RFC 3464)."""

from __future__ import annotations

from email.utils import format_datetime
from hashlib import blake2b
from typing import TYPE_CHECKING

from fakes.core.clock import civil
from fakes.gmail.rules import mime
from fakes.gmail.rules.addresses import named
from fakes.gmail.rules.headers import head_of
from fakes.gmail.rules.mime import Letter
from fakes.gmail.schema import Message
from fakes.gmail.store.addresses import domain_of
from fakes.gmail.store.carrying import carry
from fakes.gmail.store.outgoing import new_message_id

if TYPE_CHECKING:
    from fakes.core.journal import Tx
    from fakes.core.people import Person
    from fakes.core.world import World

_WHY = "550-5.1.1 The email account that you tried to reach does not exist."


def bounce(tx: Tx, world: World, person: Person, sent: Message, letter: Letter, unknown: list[str]) -> None:
    """Tells the sender whom the mail did not reach, in the conversation of what was sent."""
    daemon = f"mailer-daemon@{domain_of(person.email)}"
    headers = [
        ("From", named("Mail Delivery Subsystem", daemon)),
        ("To", person.email),
        ("Subject", "Delivery Status Notification (Failure)"),
        ("Message-ID", new_message_id(tx, daemon)),
        ("Date", format_datetime(civil(world.now(), world.zone))),
        ("In-Reply-To", sent.rfc822_id),
        ("References", sent.rfc822_id),
        ("Auto-Submitted", "auto-replied"),
        ("X-Failed-Recipients", ", ".join(unknown)),
    ]
    mark = f"=_b{blake2b(sent.rfc822_id.encode(), digest_size=12).hexdigest()}"
    kind = f'multipart/report; boundary="{mark}"; report-type=delivery-status'
    sections = (_told(sent, unknown), _status(domain_of(person.email), unknown), _returned(letter))
    body = "".join(f"--{mark}\r\n{section}\r\n" for section in sections) + f"--{mark}--\r\n"
    head = mime.edited(b"", add=[*headers, ("MIME-Version", "1.0"), ("Content-Type", kind)])
    notice = mime.read(head + b"\r\n" + body.encode())
    carry(tx, world, notice, None, {person.email: person}, answers=sent.rfc822_id)


def _told(sent: Message, unknown: list[str]) -> str:
    lines = "".join(f"  {address}\r\n" for address in unknown)
    return (
        'Content-Type: text/plain; charset="UTF-8"\r\nContent-Transfer-Encoding: 8bit\r\n\r\n'
        f"Your message was not delivered: there is no mailbox for\r\n\r\n{lines}\r\n"
        f"Subject: {sent.subject}\r\n"
    )


def _status(domain: str, unknown: list[str]) -> str:
    each = "".join(
        f"\r\nFinal-Recipient: rfc822; {address}\r\nAction: failed\r\nStatus: 5.1.1\r\n"
        f"Diagnostic-Code: smtp; {_WHY}\r\n"
        for address in unknown
    )
    return f"Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; {domain}\r\n{each}"


def _returned(letter: Letter) -> str:
    """The head of what was sent, as it went out: without Bcc."""
    head = head_of(mime.edited(letter.raw, drop=["Bcc", "Resent-Bcc"])).decode("utf-8", "replace")
    return f"Content-Type: text/rfc822-headers\r\n\r\n{head}\r\n"
