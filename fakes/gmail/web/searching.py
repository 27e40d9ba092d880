"""The search form: its fields make a search text, and a text fills the fields again."""

from __future__ import annotations

import re
from functools import cache
from urllib.parse import urlencode

from markupsafe import Markup
from starlette.responses import Response

from fakes.gmail.rules.timing import day_after, days_before
from fakes.gmail.web.visits import Visit, pages, redirect

_FIELDS = ("from", "to", "subject", "q", "not", "in", "size", "unit", "compare", "date", "within", "has")
_WITHIN = {"1d": 1, "3d": 3, "1w": 7, "2w": 14, "1m": 30, "2m": 61, "6m": 183, "1y": 365}
_KNOWN = re.compile(r'(?:^|\s)(from|to|subject|in|larger|smaller|has):(?:\(([^)]*)\)|"([^"]*)"|(\S+))')
_NOT = re.compile(r"(?:^|\s)-(?:\{([^}]*)\}|(\w\S*))")
OPERATORS = (
    ("from:ana", "who sent it"),
    ("to:tom", "who got it; cc: and bcc: too"),
    ("subject:lunch", "words of the subject"),
    ('"exact words"', "these words, one after the other"),
    ("lunch OR dinner", "either of them; {lunch dinner} is the same"),
    ("-dinner", "not with this word"),
    ("label:bills", "under a label"),
    ("category:updates", "in a category"),
    ("has:attachment", "with a file"),
    ("filename:pdf", "with a file of this name or kind"),
    ("is:unread", "also is:read, is:starred, is:important, is:muted"),
    ("in:anywhere", "in spam and trash too; also in:inbox, in:sent, in:trash"),
    ("after:2025/10/01", "since that day; before: up to it"),
    ("newer_than:7d", "of the last days (d), months (m) or years (y); older_than: before"),
    ("larger:2M", "bigger than that; smaller: the other way"),
    ("list:news.example", "of a mailing list"),
    ("rfc822msgid:<id>", "the mail with this Message-ID"),
)
"""What the help sheet tells: an example, and what it finds."""


@cache
def sheet() -> Markup:
    """The operators as a list; drawn once, as every page holds them."""
    line = Markup("<div><dt><code>{}</code></dt><dd>{}</dd></div>")
    return Markup("").join(line.format(example, words) for example, words in OPERATORS)


pages.env.globals["search_sheet"] = sheet


async def compose(visit: Visit) -> Response:
    """Searches for what the form's fields say."""
    text = composed({name: visit.query(name).strip() for name in _FIELDS})
    return redirect(visit.request, f"/search?{urlencode({'q': text})}")


def composed(fields: dict[str, str]) -> str:
    """The search text of the form's fields."""
    found = [f"{name}:{_grouped(fields[name])}" for name in ("from", "to", "subject") if fields.get(name)]
    if fields.get("q"):
        found.append(fields["q"])
    if fields.get("not"):
        words = fields["not"]
        found.append(f"-{{{words}}}" if " " in words else f"-{words}")
    if fields.get("size", "").isdecimal():
        compare = "smaller" if fields.get("compare") == "smaller" else "larger"
        unit = {"MB": "M", "KB": "K"}.get(fields.get("unit", "MB"), "")
        found.append(f"{compare}:{fields['size']}{unit}")
    found += _dates(fields)
    if fields.get("has"):
        found.append("has:attachment")
    if fields.get("in"):
        found.append(_place(fields["in"]))
    return " ".join(found)


def _grouped(value: str) -> str:
    return f"({value})" if " " in value and not value.startswith(('"', "(", "{")) else value


def _place(value: str) -> str:
    name = value.replace('"', "")
    if ":" in name:
        kind, _, rest = name.partition(":")
        return f'{kind}:"{rest}"' if " " in rest else name
    return f"in:{name}"


def _dates(fields: dict[str, str]) -> list[str]:
    """A day and how far around it, as `after:` and `before:`."""
    days = _WITHIN.get(fields.get("within", ""))
    date = fields.get("date", "")
    if days is None:
        return []
    if not date:
        return [f"newer_than:{days}d"]
    first, last = days_before(date, days), day_after(date, days)
    return [f"after:{first}", f"before:{last}"] if first and last else []


def fields(text: str) -> dict[str, str]:
    """The form's fields for a search text, as far as they can say it; the rest are words."""
    found = dict.fromkeys(_FIELDS, "")
    rest = text
    for match in _KNOWN.finditer(text):
        name, value = match[1], next(part for part in match.groups()[1:] if part is not None)
        if name in ("from", "to", "subject") and not found[name]:
            found[name] = value
        elif match[0].strip() == "has:attachment":
            found["has"] = "attachment"
        elif name in ("larger", "smaller") and (
            size := re.fullmatch(r"(\d+)([MK]?)B?", value, re.IGNORECASE)
        ):
            unit = {"M": "MB", "K": "KB"}.get(size[2].upper(), "bytes")
            found |= {"compare": name, "size": size[1], "unit": unit}
        elif name == "in":
            found["in"] = value
        else:
            continue
        rest = rest.replace(match[0], " ", 1)
    if unwanted := _NOT.search(rest):
        found["not"] = unwanted[1] if unwanted[1] is not None else unwanted[2]
        rest = rest.replace(unwanted[0], " ", 1)
    return {**found, "q": " ".join(rest.split())}
