"""MIME parts of a request's body, and requests inside of parts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import unquote_to_bytes, urlsplit

from fakes.core.google.errors import BadRequest

_BOUNDARY = re.compile(r'boundary=(?:"([^"]+)"|([^;\s]+))', re.IGNORECASE)
_LINE = re.compile(r"([A-Z]+) (\S+)(?: HTTP/\d(?:\.\d)?)?\s*")


@dataclass(frozen=True)
class Part:
    """A part: its headers, with names in lower case, and its bytes."""

    headers: dict[str, str]
    content: bytes

    @property
    def content_id(self) -> str:
        """Its Content-ID, without the angle brackets."""
        return self.headers.get("content-id", "").strip().removeprefix("<").removesuffix(">")


@dataclass(frozen=True)
class Inner:
    """A request inside of a part; `path` is not quoted."""

    verb: str
    path: str
    query: str
    headers: tuple[tuple[str, str], ...]
    body: bytes


def parts_of(body: bytes, media_type: str) -> list[Part]:
    """The parts of a multipart body; none where it is none."""
    found = _BOUNDARY.search(media_type)
    if found is None:
        return []
    name = re.escape((found[1] or found[2]).encode("latin-1", "replace"))
    delimiter = re.compile(rb"(?:^|\r?\n)--" + name + rb"(--)?[ \t]*(?=\r?\n|$)")
    marks = list(delimiter.finditer(body))
    parts = []
    for mark, following in zip(marks, [*marks[1:], None], strict=False):
        if mark[1]:
            break
        section = body[mark.end() : following.start() if following else len(body)]
        parts.append(Part(*_split(section.removeprefix(b"\r").removeprefix(b"\n"))))
    return parts


def inner(part: Part) -> Inner:
    """The request in a part. Raises BadRequest."""
    media_type = part.headers.get("content-type", "application/http").split(";")[0].strip().lower()
    line, _, rest = part.content.lstrip(b"\r\n").partition(b"\n")
    found = _LINE.fullmatch(line.decode("latin-1"))
    if found is None or media_type != "application/http":
        raise BadRequest("Failed to parse the inner request: a part holds one HTTP request")
    fields, content = _split(rest)
    size = fields.get("content-length", "")[:12]
    try:
        target = urlsplit(found[2])
    except ValueError:
        raise BadRequest("Failed to parse the inner request: its address is none") from None
    path = "/" + unquote_to_bytes(target.path).decode("utf-8", "replace").removeprefix("/")
    body = content[: int(size)] if size.isdecimal() else content
    return Inner(found[1], path, target.query, tuple(fields.items()), body)


def _split(section: bytes) -> tuple[dict[str, str], bytes]:
    """Headers and what follows the empty line after them."""
    if section.startswith((b"\r\n", b"\n")):
        return {}, section.removeprefix(b"\r").removeprefix(b"\n")
    found = re.search(rb"\r?\n\r?\n", section)
    head, content = (section[: found.start()], section[found.end() :]) if found else (section, b"")
    unfolded = re.sub(r"\r?\n[ \t]+", " ", head.decode("latin-1"))
    pairs = (line.partition(":") for line in unfolded.splitlines() if ":" in line)
    return {name.strip().lower(): value.strip() for name, _, value in pairs}, content
