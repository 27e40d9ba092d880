"""How one leaves a mailing list: what a mail's List-Unsubscribe header offers (RFC 2369, RFC 8058)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal
from urllib.parse import parse_qsl, unquote, urlsplit

from fakes.gmail.rules.addresses import is_address
from fakes.gmail.rules.mime import Letter

_OFFER = re.compile(r"<\s*([^<>\s]+)\s*>")
_MOST = 8192
_ONE_CLICK = "List-Unsubscribe=One-Click"


@dataclass(frozen=True)
class Leaving:
    """A way to leave a list: `target` is an address to write to, or a URL.

    `way` is "mailto", "https" (one click: a POST that says so), or "page", where a person goes on by hand.
    """

    way: Literal["mailto", "https", "page"]
    target: str
    subject: str = ""
    text: str = ""


def leaving(letter: Letter) -> Leaving | None:
    """The best way that a mail offers: one click, else a mail, else a page; None if it offers none."""
    offers = _OFFER.findall(letter.header("List-Unsubscribe")[:_MOST])
    pages = [offer for offer in offers if _is_web(offer)]
    one_click = letter.header("List-Unsubscribe-Post").strip().lower() == _ONE_CLICK.lower()
    if one_click and (secure := next((page for page in pages if page.startswith("https:")), "")):
        return Leaving("https", secure, text=_ONE_CLICK)
    mails = (_mail(offer) for offer in offers if offer.lower().startswith("mailto:"))
    by_mail = next((mail for mail in mails if mail is not None), None)
    return by_mail or (Leaving("page", pages[0]) if pages else None)


def _is_web(offer: str) -> bool:
    try:
        parts = urlsplit(offer)
    except ValueError:
        return False
    return parts.scheme in ("https", "http") and bool(parts.netloc)


def _mail(offer: str) -> Leaving | None:
    address, _, query = offer[len("mailto:") :].partition("?")
    asked = {name.lower(): value for name, value in parse_qsl(query)}
    to = unquote(address).strip()
    if not is_address(to):
        return None
    return Leaving("mailto", to.lower(), asked.get("subject", "unsubscribe"), asked.get("body", ""))
