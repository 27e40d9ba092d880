"""What a mail collects on its way: the fields that stand at the head of a received copy.

Which fields these are, in which order: support.google.com/mail/answer/29436 (tracing a mail by its headers).
They follow from who sent it, where it arrived and when, so no copy of the bytes is kept for them.
"""

from __future__ import annotations

import re
from email.utils import format_datetime

from fakes.core.clock import utc
from fakes.gmail.rules.headers import head_of

_HOST = "mx.google.com"
_SPAM = re.compile(rb"^X-Spam-Flag:[ \t]*YES\b", re.IGNORECASE | re.MULTILINE)


def is_flagged(raw: bytes) -> bool:
    """Whether a spam filter on the way marked the mail: `X-Spam-Flag: YES`, as SpamAssassin writes it."""
    return bool(_SPAM.search(head_of(raw)))


def trace(raw: bytes, *, delivered_to: str, sender: str, at_ms: int, message_id: str) -> bytes:
    """The lines, each with its line end, of a mail received at an instant (UTC ms) as `message_id`.

    A mail that was marked as spam on the way did not come from where it says.
    """
    verdict = "fail" if is_flagged(raw) else "pass"
    at, domain = format_datetime(utc(at_ms).replace(microsecond=0)), sender.rpartition("@")[2]
    relay = f"mail.{domain}" if domain else "unknown"
    lines = (
        f"Delivered-To: {delivered_to}",
        f"Received: by {_HOST} with SMTP id {message_id}; {at}",
        f"Return-Path: <{sender}>",
        f"Received: from {relay} by {_HOST} with ESMTPS id {message_id[::-1]} for <{delivered_to}>; {at}",
        f"Received-SPF: {verdict} ({_HOST}: domain of {sender}) smtp.mailfrom={sender};",
        f"Authentication-Results: {_HOST}; dkim={verdict} header.i=@{domain}; spf={verdict}"
        f" smtp.mailfrom={sender}; dmarc={verdict} header.from={domain}",
    )
    return "".join(f"{line}\r\n" for line in lines).encode("ascii", "replace")
