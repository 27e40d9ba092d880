"""What is being written: as it begins, as a form brings it, as a draft keeps it, and as a mail."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from fakes.core.capabilities import Attachment
from fakes.gmail import store
from fakes.gmail.rules import mime
from fakes.gmail.rules.addresses import Address, address_line, named
from fakes.gmail.rules.html import plain_text, safe
from fakes.gmail.rules.mime import Letter
from fakes.gmail.rules.parts import tree
from fakes.gmail.rules.plain import as_html, as_text
from fakes.gmail.rules.quoting import split_html, split_text
from fakes.gmail.schema import Draft, SendAs
from fakes.gmail.web.attached import name_of, numbered
from fakes.gmail.web.visits import Visit

Problems = Mapping[str, str]
"""Sentences by the name of the field that each is about; "" for the whole."""
_BREAKS = re.compile(r"(?:<br>|\s)+$")
_FIELDS = ("to", "cc", "bcc", "subject")


@dataclass(frozen=True)
class Writing:
    """A mail in the making. `to`, `cc` and `bcc` are as typed; `text` and `html` ("" for plain text) are what
    is new in it, the quotes what it answers; `about` is the message that it answers.
    """

    kind: str = "new"
    about: str = ""
    draft_id: str = ""
    thread_id: str = ""
    sender: str = ""
    to: str = ""
    cc: str = ""
    bcc: str = ""
    subject: str = ""
    text: str = ""
    html: str = ""
    quote_text: str = ""
    quote_html: str = ""
    files: tuple[Attachment, ...] = ()
    in_reply_to: str = ""
    references: str = ""


# as it begins


def blank(visit: Visit) -> Writing:
    """A new mail; the query may fill its fields, as links to an address do."""
    sender = store.default_send_as(visit.world, visit.person).email
    text, html = signed(visit, sender)
    body = visit.query("body")
    to, cc, bcc, subject = (visit.query(name) for name in _FIELDS)
    return Writing(
        sender=sender, to=to, cc=cc, bcc=bcc, subject=subject, text=body + text, html=as_html(body) + html
    )


def signed(visit: Visit, sender: str) -> tuple[str, str]:
    """The signature of an address, below two empty lines, as text and as HTML; "" where there is none."""
    found = next((each for each in store.send_as_of(visit.world, visit.person) if each.email == sender), None)
    html = (safe(found.signature) or "") if found is not None else ""
    if not html.strip():
        return "", ""
    block = f'<div class="gmail_signature">-- <br>{html}</div>'
    return f"\n\n-- \n{as_text(html)}", f"<div><br></div><div><br></div>{block}"


def of_draft(visit: Visit, draft: Draft) -> Writing:
    """A draft as it was left."""
    message = store.message_in(visit.world, visit.person.id, draft.message_id)
    letter = mime.read(store.source_of(visit.world, message).raw if message else b"", lenient=True)
    whole = tree(letter.raw)
    html = mime.body(whole, "html")
    clean = safe(html) if html is not None else None
    own_html, quote_html, _ = split_html(clean, alone=True) if clean else ("", "", "")
    own, quote = split_text(letter.text.rstrip("\n"), alone=True)
    files = tuple(
        Attachment(name_of(part), part.media_type, part.octets)
        for _, part in numbered(whole)
        if part.is_attachment
    )
    return Writing(
        kind=_kind(letter),
        draft_id=draft.id,
        thread_id=message.thread_id if message else "",
        sender=letter.senders[0].email if letter.senders else visit.person.email,
        to=_typed(letter, "To"),
        cc=_typed(letter, "Cc"),
        bcc=_typed(letter, "Bcc"),
        subject=letter.subject,
        text=own.rstrip("\n"),
        html=(_BREAKS.sub("", own_html) if quote_html else own_html).rstrip("\r\n"),
        quote_text=quote,
        quote_html=quote_html,
        files=files,
        in_reply_to=letter.header("In-Reply-To"),
        references=letter.header("References"),
    )


def _kind(letter: Letter) -> str:
    if not letter.header("In-Reply-To"):
        return "new"
    return "forward" if letter.subject.lower().startswith("fwd:") else "reply"


def _typed(letter: Letter, field: str) -> str:
    """An address field as it was typed, even where it names no mailbox."""
    found = {"To": letter.to, "Cc": letter.cc, "Bcc": letter.bcc}[field]
    return typed_line(found) if found else letter.header(field)


def typed_line(people: tuple[Address, ...]) -> str:
    """Mailboxes as a field shows them: names as people read them."""
    return ", ".join(_readable(each) for each in people)


def _readable(address: Address) -> str:
    if not address.name:
        return address.email
    if not re.search(r'[",<>()@:;\\.]', address.name):
        return f"{address.name} <{address.email}>"
    name = re.sub(r'(["\\])', r"\\\1", address.name)
    return f'"{name}" <{address.email}>'


# as a form brings it


def typed(visit: Visit, begun: Writing) -> Writing:
    """What a form sent, on the base of what was begun: its draft, or the answer that it was opened as.

    `quote=keep` keeps what is quoted, `remove` takes away the file of that number, files that came are added.
    """
    html, text = _said(visit)
    to, cc, bcc, subject = (visit.form.get(name, getattr(begun, name)) for name in _FIELDS)
    keeps = visit.field("quote") == "keep"
    removed = visit.field("remove")
    kept = [each for n, each in enumerate(begun.files) if str(n) != removed]
    return replace(
        begun,
        to=to,
        cc=cc,
        bcc=bcc,
        subject=subject,
        sender=visit.field("from") or begun.sender,
        text=text,
        html=html,
        quote_text=begun.quote_text if keeps else "",
        quote_html=begun.quote_html if keeps else "",
        files=(*kept, *visit.files),
    )


def _said(visit: Visit) -> tuple[str, str]:
    """HTML, or "" where plain text was written, and text; HTML out of bounds is kept as text."""
    if visit.field("format") != "html":
        return "", visit.field("text").replace("\r\n", "\n")
    clean = safe(visit.field("html"))
    return ("", plain_text(visit.field("html"))) if clean is None else (clean, as_text(clean))


# as a mail


def mail_of(visit: Visit, writing: Writing) -> bytes:
    """The mail, as its sender's program writes it. Raises BadHeader."""
    headers = [
        ("From", _from(visit, writing.sender)),
        ("To", address_line(writing.to)),
        ("Cc", address_line(writing.cc)),
        ("Bcc", address_line(writing.bcc)),
        ("Subject", writing.subject),
        ("In-Reply-To", writing.in_reply_to),
        ("References", writing.references),
    ]
    html = writing.html
    if html and writing.quote_html:
        html = f"{html}<br>{writing.quote_html}"
    elif writing.quote_html and not writing.text:
        html = writing.quote_html
    text = "\n\n".join(part for part in (writing.text, writing.quote_text) if part)
    return mime.write([each for each in headers if each[1].strip()], text, html, writing.files)


def _from(visit: Visit, sender: str) -> str:
    found = _alias(visit, sender)
    return named(found.display_name or visit.person.name, found.email)


def _alias(visit: Visit, sender: str) -> SendAs:
    """The address of one's own that was chosen; the default one for any other."""
    found = next((each for each in senders(visit) if each.email == sender), None)
    return found or store.default_send_as(visit.world, visit.person)


def senders(visit: Visit) -> list[SendAs]:
    """The addresses that the person may write from."""
    return [each for each in store.send_as_of(visit.world, visit.person) if each.verification != "pending"]
