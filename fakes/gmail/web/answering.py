"""Answers: whom they go to, what they are called, what they quote and carry along."""

from __future__ import annotations

from typing import Literal

from fakes.core import links
from fakes.core.capabilities import Attachment
from fakes.gmail import store
from fakes.gmail.rules import mime, quoting
from fakes.gmail.rules.addresses import named
from fakes.gmail.rules.html import safe
from fakes.gmail.rules.mime import Letter
from fakes.gmail.rules.parts import tree
from fakes.gmail.rules.plain import as_html
from fakes.gmail.rules.quoting import Quoted
from fakes.gmail.rules.threads import reply_subject
from fakes.gmail.rules.timing import spoken
from fakes.gmail.schema import Message
from fakes.gmail.web import composing
from fakes.gmail.web.attached import name_of, numbered
from fakes.gmail.web.composing import Writing
from fakes.gmail.web.visits import Visit

Kind = Literal["reply", "all", "forward"]
KINDS: tuple[Kind, ...] = ("reply", "all", "forward")
_REFERENCES = 20


def answer(visit: Visit, message: Message, kind: Kind) -> Writing:
    """An answer as it begins, with what it quotes; a forward has that in its own text, and the files."""
    letter = mime.read(store.source_of(visit.world, message).raw, lenient=True)
    sender = _sender(visit, letter)
    quoted = _quoted(visit, message, letter)
    forward = kind == "forward"
    to, others = answer_to(visit, message)
    text, html = composing.signed(visit, sender)
    if forward:
        text, html = f"{text}\n\n{quoting.forward_text(quoted)}", f"{html}<br>{quoting.forward_html(quoted)}"
    return Writing(
        kind=kind,
        about=message.id,
        thread_id=message.thread_id,
        sender=sender,
        to="" if forward else _line(visit, to),
        cc=_line(visit, others) if kind == "all" else "",
        subject=_forward_subject(message.subject) if forward else reply_subject(message.subject),
        text=text,
        html=html,
        quote_text="" if forward else quoting.quote_text(quoted),
        quote_html="" if forward else quoting.quote_html(quoted),
        files=_files(letter) if forward else (),
        in_reply_to=message.rfc822_id,
        references=" ".join([*letter.references, message.rfc822_id][-_REFERENCES:]),
    )


def answer_to(visit: Visit, message: Message) -> tuple[list[str], list[str]]:
    """Whom an answer goes to, and who else got the message; an answer to one's own goes to its recipients."""
    letter = mime.read(store.source_of(visit.world, message).raw, lenient=True)
    own = {address.email for address in store.send_as_of(visit.world, visit.person)}
    others = [each.email for each in (*letter.to, *letter.cc) if each.email not in own]
    if message.sender in own:
        to = [each.email for each in letter.to if each.email not in own]
        return to or [visit.person.email], [each for each in dict.fromkeys(others) if each not in to]
    to = [address.email for address in letter.reply_to] or [message.sender]
    everyone = [message.sender, *others] if letter.reply_to else others
    return to, [each for each in dict.fromkeys(everyone) if each not in to and each not in own]


def _line(visit: Visit, addresses: list[str]) -> str:
    """Addresses as a field has them, people of the world by name."""
    found = [(visit.world.person(address), address) for address in addresses]
    return ", ".join(named(person.name if person else "", address) for person, address in found)


def _sender(visit: Visit, letter: Letter) -> str:
    """The address of ours that a mail was sent to, else the one that new mail goes out from."""
    ours = [each.email for each in store.send_as_of(visit.world, visit.person)]
    to = {address.email for address in (*letter.to, *letter.cc, *letter.senders)}
    asked = next((address for address in ours if address in to), None)
    return asked or store.default_send_as(visit.world, visit.person).email


def _quoted(visit: Visit, message: Message, letter: Letter) -> Quoted:
    html = mime.body(tree(letter.raw), "html")
    clean = safe(links.resolve(visit.request, html)) if html is not None else None
    text = links.resolve(visit.request, letter.text)
    return Quoted(
        sender=message.sender_name,
        address=message.sender,
        at=spoken(message.received_at, visit.zone),
        subject=message.subject,
        to=composing.typed_line(letter.to),
        cc=composing.typed_line(letter.cc),
        text=text,
        html=clean if clean is not None else as_html(text.rstrip("\n")),
    )


def _forward_subject(subject: str) -> str:
    return subject if subject.lower().startswith("fwd:") else f"Fwd: {subject}"


def _files(letter: Letter) -> tuple[Attachment, ...]:
    whole = tree(letter.raw)
    parts = (part for _, part in numbered(whole) if part.is_attachment)
    return tuple(Attachment(name_of(part), part.media_type, part.octets) for part in parts)
