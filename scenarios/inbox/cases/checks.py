"""Nightly checks that fill the inbox, and the few that failed and must stay in sight."""

from __future__ import annotations

from dataclasses import dataclass

from fakes.gmail.schema import Message, UserLabel
from fakes.gmail.seed import label
from scenarios.inbox.cases.desk import Desk

SENDER = "checks@watchtower.example"
PASSED, FAILED = "Nightly check passed", "Nightly check failed"
_HOSTS = ("db1", "db2", "files", "mail")


@dataclass(frozen=True)
class Checks:
    """`passed` are to be filed under `label`, `failed` stay; `talk` is a colleague's mail about them, and
    `summary` another mail of the same sender.
    """

    label: UserLabel
    neighbour: UserLabel
    sender: str
    subject: str
    passed: tuple[Message, ...]
    failed: tuple[Message, ...]
    talk: Message
    summary: Message


def checks(d: Desk) -> Checks:
    """Lays them out."""
    w, firm = d.w, "Watchtower Checks"
    own, neighbour = label(w, d.mira, "Ops/Checks"), label(w, d.mira, "Ops/Checked by hand")

    def check(subject: str, n: int) -> Message:
        host = _HOSTS[n % len(_HOSTS)]
        text = f"Host {host}: see the panel."
        return d.got(SENDER, f"{subject}: {host}", text, day=-n, time="03:05", name=firm, read=n > 4)

    passed = tuple(check(PASSED, n) for n in (16, 14, 12, 11, 9, 7, 5, 3, 2))
    failed = tuple(check(FAILED, n) for n in (13, 4))
    summary = d.got(
        SENDER, "Your month in checks", "27 passed, 2 failed.", day=-10, time="06:00", name=firm, read=True
    )
    talk = d.got(
        d.staff.samir,
        "Nightly check passed, and now?",
        "Mira, do you need these mails at all? I could send you a list once a month.\n\nSamir\n",
        day=-1,
        time="11:55",
        read=False,
    )
    return Checks(
        label=own,
        neighbour=neighbour,
        sender=SENDER,
        subject=PASSED,
        passed=passed,
        failed=failed,
        talk=talk,
        summary=summary,
    )
