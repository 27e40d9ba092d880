"""One message of a conversation: folded to a line, or open with all that its header, text and files tell."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from markupsafe import Markup
from starlette.responses import Response

from fakes.core import links
from fakes.core.ui.filters import day, instant
from fakes.gmail import store
from fakes.gmail.rules import mime
from fakes.gmail.rules.addresses import Address
from fakes.gmail.rules.html import has_foreign_pictures, plain_text, safe, with_pictures
from fakes.gmail.rules.invitations import Invitation, invitation
from fakes.gmail.rules.labels import SPAM, STARRED, TRASH, UNREAD
from fakes.gmail.rules.links import split_links
from fakes.gmail.rules.lists import leaving
from fakes.gmail.rules.mime import Letter
from fakes.gmail.rules.parts import Part, tree
from fakes.gmail.rules.quoting import folded, split_text
from fakes.gmail.schema import Message
from fakes.gmail.web.attached import content_id, files_of, numbered, pictures_of
from fakes.gmail.web.rows import stamp
from fakes.gmail.web.visits import Visit, color, pages

MOST_SHOWN = 102_400
"""Characters of a plain text on the page; Gmail clips a mail at 102 KB too."""
_MOST_NAMED = 12
_CALENDAR = "text/calendar"


def line_of(visit: Visit, message: Message, labels: list[str]) -> dict[str, object]:
    """What a message shows when it is folded."""
    own = message.sender == visit.person.email
    name = message.sender_name or message.sender
    return {
        "id": message.id,
        "name": "me" if own else name,
        "full_name": name,
        "address": message.sender,
        "initial": (name or "?")[:1].upper(),
        "color": color(message.sender),
        "snippet": links.resolve(visit.request, message.snippet),
        "time": instant(message.received_at, visit.zone),
        "stamp": stamp(message.received_at, visit),
        "has_files": bool(message.files),
        "unread": UNREAD in labels,
        "starred": STARRED in labels,
        "spam": SPAM in labels,
        "deleted": TRASH in labels,
        "open": False,
    }


def open_of(visit: Visit, message: Message, labels: list[str]) -> dict[str, object]:
    """What it shows when it is open."""
    letter = mime.read(store.source_of(visit.world, message).raw, lenient=True)
    whole = tree(letter.raw)
    body = _body(visit, message, whole)
    files = files_of(whole, body.pictures)
    return {
        **line_of(visit, message, labels),
        "open": True,
        "to": _told(visit, [*letter.to, *letter.cc, *letter.bcc]),
        "details": _details(visit, message, letter),
        "document": body.document,
        "pieces": split_links(body.text),
        "quoted": split_links(body.quoted),
        "is_clipped": body.is_clipped,
        "foreign_pictures": body.foreign_pictures,
        "files": files,
        "leaving": _leaving(visit, message, letter),
        "invitation": _meeting(visit, whole),
    }


async def message(visit: Visit) -> Response:
    """One message by itself, as the page of its conversation puts it in: open, or with `?folded=1` a line."""
    found = store.message_in(visit.world, visit.person.id, visit.request.path_params["message_id"])
    if found is None:
        return Response(status_code=404)
    labels = store.labels_of(visit.world, [found.id])[found.id]
    shown = line_of(visit, found, labels) if visit.query("folded") else open_of(visit, found, labels)
    later = store.thread_in(visit.world, visit.person.id, found.thread_id)
    shown["from_here"] = [each.id for each in later if each.place >= found.place]
    return pages.response(
        visit.request, "_message.html", message=shown, thread_id=found.thread_id, opened=visit.query("open")
    )


# the body


@dataclass(frozen=True)
class _Body:
    """A document for a frame, or text; `pictures` are the Content-IDs that the document shows."""

    document: str = ""
    text: str = ""
    quoted: str = ""
    is_clipped: bool = False
    foreign_pictures: bool = False
    pictures: frozenset[str] = frozenset()


def _body(visit: Visit, message: Message, whole: Part) -> _Body:
    """A mail's HTML as a document of its own, or else its text; HTML out of bounds is shown as text."""
    html, plain = mime.body(whole, "html"), mime.body(whole, "plain")
    clean = safe(links.resolve(visit.request, html), pictures=True) if html is not None else None
    if clean is not None:
        urls = {cid: _here(visit, path) for cid, path in pictures_of(whole, message).items()}
        document = Markup(with_pictures(folded(clean), urls))
        return _Body(
            document=pages.render(visit.request, "message.html", body=document),
            foreign_pictures=has_foreign_pictures(html or ""),
            pictures=frozenset(cid for cid in urls if f"cid:{cid}" in clean),
        )
    text = links.resolve(visit.request, plain if plain is not None else plain_text(html or ""))
    own, quoted = split_text(text[:MOST_SHOWN])
    return _Body(text=own, quoted=quoted, is_clipped=len(text) > MOST_SHOWN)


def _here(visit: Visit, path: str) -> str:
    root: str = visit.request.scope.get("root_path", "")
    return root + path


# the header


def _told(visit: Visit, people: list[Address]) -> str:
    """Recipients as "me, Tom Reyes"."""
    told = list(dict.fromkeys(_name(visit, address) for address in people))
    more = len(told) - _MOST_NAMED
    return ", ".join(told[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def told_addresses(visit: Visit, addresses: str) -> str:
    """The same of bare addresses with commas between."""
    return _told(visit, [Address("", each) for each in addresses.split(", ") if each])


def _name(visit: Visit, address: Address) -> str:
    if address.email == visit.person.email:
        return "me"
    person = None if address.name else visit.world.person(address.email)
    return address.name or (person.name if person else address.email)


def _details(visit: Visit, message: Message, letter: Letter) -> list[tuple[str, str]]:
    """The lines of a header, those that say something."""
    found = [
        ("From", _listed(letter.senders)),
        ("Reply-to", _listed(letter.reply_to)),
        ("To", _listed(letter.to)),
        ("Cc", _listed(letter.cc)),
        ("Bcc", _listed(letter.bcc)),
        ("Date", instant(message.received_at, visit.zone)),
        ("Subject", letter.subject),
        ("Mailed-by", message.sender.rpartition("@")[2]),
        ("Mailing list", letter.header("List-Id")),
    ]
    return [(name, value) for name, value in found if value]


def _listed(people: tuple[Address, ...]) -> str:
    return ", ".join(f"{each.name} <{each.email}>" if each.name else each.email for each in people)


def _leaving(visit: Visit, message: Message, letter: Letter) -> dict[str, object] | None:
    """How its mailing list is left, and whether that was done."""
    way = leaving(letter)
    if way is None:
        return None
    done = store.unsubscription_of(visit.world, visit.person.id, message.sender, way.target)
    return {"way": way.way, "target": way.target, "done": instant(done.at, visit.zone) if done else ""}


def _meeting(visit: Visit, whole: Part) -> dict[str, str] | None:
    """An invitation that comes with it, as a card tells it."""
    parts = (part for _, part in numbered(whole) if part.media_type == _CALENDAR and not content_id(part))
    part = next(parts, None)
    found = invitation(part.text) if part is not None else None
    if found is None:
        return None
    return {
        "title": found.title or "(no title)",
        "place": found.place,
        "organizer": found.organizer,
        "cancelled": "Cancelled" if found.method == "CANCEL" else "",
        "when": _when(visit, found),
    }


def _when(visit: Visit, found: Invitation) -> str:
    if isinstance(found.begins, str):
        return day(date.fromisoformat(found.begins))
    begins = instant(found.begins, visit.zone)
    if not isinstance(found.ends, int):
        return begins
    ends = instant(found.ends, visit.zone)
    same_day = ends.partition(", ")[0] == begins.partition(", ")[0]
    return f"{begins} to {ends.partition(', ')[2] if same_day else ends}"
