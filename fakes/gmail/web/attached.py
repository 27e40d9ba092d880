"""What is attached to a mail: which parts of it are files, and the routes that hand them out."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.responses import Response

from fakes.core import links
from fakes.core.ui.pages import PAGE_HEADERS
from fakes.gmail import store
from fakes.gmail.rules.parts import ATTACHED_MAIL, Part, tree
from fakes.gmail.schema import Message
from fakes.gmail.web.visits import Visit

_SHOWABLE = ("image/png", "image/jpeg", "image/gif", "image/webp", "text/plain")
"""What a browser may show by itself: nothing in it can run. The rest is only ever downloaded."""
_KINDS = {"image/": "image", "text/calendar": "calendar-days", "text/csv": "table", "text/": "file-text"}
_ENDINGS = {
    "pdf": "file-text", "doc": "file-text", "docx": "file-text", "odt": "file-text", "rtf": "file-text",
    "xls": "table", "xlsx": "table", "ods": "table", "csv": "table", "zip": "package", "gz": "package",
    "eml": "mail", "ics": "calendar-days",
}  # fmt: skip
_MEDIA_TYPE = re.compile(r"[a-z0-9][a-z0-9.+-]*/[a-z0-9][a-z0-9.+-]*")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]+")
_UNNAMED = "attachment"
_FILE_HEADERS = {**PAGE_HEADERS, "Content-Security-Policy": "default-src 'none'; sandbox"}


@dataclass(frozen=True)
class File:
    """An attached file as a card shows it; `n` is its part's number in the mail."""

    n: int
    name: str
    media_type: str
    size: int

    @property
    def told_size(self) -> str:
        """As in "12 KB"."""
        return told_size(self.size)

    @property
    def drawing(self) -> str:
        """The icon for its kind."""
        ending = self.name.rpartition(".")[2].lower()
        kinds = (drawing for kind, drawing in _KINDS.items() if self.media_type.startswith(kind))
        return _ENDINGS.get(ending) or next(kinds, "file")

    @property
    def is_picture(self) -> bool:
        """Whether a card shows the file itself."""
        return self.media_type.startswith("image/") and self.media_type in _SHOWABLE

    @property
    def is_showable(self) -> bool:
        """Whether a browser may open it."""
        return self.media_type in _SHOWABLE


def told_size(size: int) -> str:
    """Bytes as people read them."""
    if size < 1024:
        return f"{size} bytes"
    return f"{size / 1024:.0f} KB" if size < 1024 * 1024 else f"{size / 1024 / 1024:.1f} MB"


def numbered(whole: Part) -> Iterator[tuple[int, Part]]:
    """The parts of a mail with their numbers; what is in an attached mail is that mail's own."""
    n = 0

    def below(part: Part) -> Iterator[tuple[int, Part]]:
        nonlocal n
        yield n, part
        n += 1
        if part.media_type != ATTACHED_MAIL or part is whole:
            for each in part.parts:
                yield from below(each)

    yield from below(whole)


def files_of(whole: Part, shown: frozenset[str] = frozenset()) -> list[File]:
    """The attached files, without the pictures that the text shows, given by their Content-IDs."""
    return [
        File(n, name_of(part), part.media_type, len(part.octets))
        for n, part in numbered(whole)
        if part.is_attachment and content_id(part) not in shown
    ]


def pictures_of(whole: Part, message: Message) -> dict[str, str]:
    """The path of each picture in a mail that its HTML may show, by Content-ID."""
    return {
        content_id(part): f"/m/{message.id}/files/{n}?view=1"
        for n, part in numbered(whole)
        if content_id(part) and part.media_type in _SHOWABLE
    }


def content_id(part: Part) -> str:
    """A part's Content-ID without its brackets, or ""."""
    return part.header("content-id").decode("utf-8", "replace").strip().strip("<>")


def name_of(part: Part) -> str:
    """The name of a file as it can be shown and saved: no path, no control characters."""
    name = re.split(r"[/\\]", _CONTROL.sub(" ", part.file_name))[-1].strip(" .")
    return name or ("message.eml" if part.media_type == ATTACHED_MAIL else _UNNAMED)


async def file(visit: Visit) -> Response:
    """One attached file, for its owner: saved, or with `?view=1` shown if that is harmless."""
    _, whole = _mail(visit)
    wanted = visit.request.path_params["n"]
    part = next((each for n, each in numbered(whole) if n == wanted), None)
    if part is None or not (part.is_attachment or content_id(part)):
        raise HTTPException(404)
    media_type = part.media_type if _MEDIA_TYPE.fullmatch(part.media_type) else "application/octet-stream"
    view = bool(visit.query("view")) and media_type in _SHOWABLE
    content, told = (part.content, f"{media_type}; charset=utf-8") if view else (part.octets, media_type)
    return _saved(content, told if media_type.startswith("text/") else media_type, name_of(part), view=view)


async def all_files(visit: Visit) -> Response:
    """All attached files in one archive; the same mail gives the same bytes."""
    message, whole = _mail(visit)
    packed, names = io.BytesIO(), set[str]()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for _, part in numbered(whole):
            if part.is_attachment:
                info = zipfile.ZipInfo(_unlike(name_of(part), names))
                info.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(info, part.octets)
    if not names:
        raise HTTPException(404)
    return _saved(packed.getvalue(), "application/zip", f"{message.subject or 'attachments'}.zip")


def _unlike(name: str, names: set[str]) -> str:
    """A name that no other file of the archive has."""
    stem, dot, ending = name.rpartition(".") if "." in name else (name, "", "")
    n, unlike = 1, name
    while unlike in names:
        n += 1
        unlike = f"{stem} ({n}){dot}{ending}"
    names.add(unlike)
    return unlike


async def original(visit: Visit) -> Response:
    """A mail as its bytes are: on a page, or with `?save=1` as a file."""
    message, _ = _mail(visit)
    raw = links.resolve(visit.request, store.source_of(visit.world, message).raw.decode("utf-8", "replace"))
    if visit.query("save"):
        return _saved(raw.encode(), "message/rfc822", f"{message.subject or 'message'}.eml")
    return visit.page("original.html", {"message": message, "raw": raw})


def _mail(visit: Visit) -> tuple[Message, Part]:
    """The message in the path, of this mailbox, and its parts. Raises HTTPException 404."""
    message = store.message_in(visit.world, visit.person.id, visit.request.path_params["message_id"])
    if message is None:
        raise HTTPException(404)
    return message, tree(store.source_of(visit.world, message).raw)


def _saved(content: bytes, media_type: str, name: str, *, view: bool = False) -> Response:
    plain = re.sub(r'[^\x20-\x7e]|["\\/%]', "_", name)
    named = f"filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"
    told = f"{'inline' if view else 'attachment'}; {named}"
    headers = {**_FILE_HEADERS, "Content-Disposition": told, "Content-Type": media_type}
    return Response(content, headers=headers)
