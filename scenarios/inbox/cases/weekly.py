"""Newsletters: one to leave, one of the same house to keep, one of somebody else."""

from __future__ import annotations

from dataclasses import dataclass

from fakes.gmail.schema import Message
from fakes.gmail.seed import labelled
from scenarios.inbox.cases.desk import Desk

NEWS, JOBS = "news@freightweekly.example", "jobs@freightweekly.example"
DIGEST, LEAVE_DIGEST = "digest@harbourpost.example", "out@harbourpost.example"
LEAVE, LEAVE_JOBS = "leave-news@freightweekly.example", "leave-jobs@freightweekly.example"


@dataclass(frozen=True)
class Weekly:
    """`issues` of the newsletter to leave, whose list takes mails to `leave`; `jobs`, `digest`: others."""

    sender: str
    leave: str
    jobs_sender: str
    leave_jobs: str
    issues: tuple[Message, ...]
    starred: Message
    jobs: tuple[Message, ...]
    digest: tuple[Message, ...]


def weekly(d: Desk) -> Weekly:
    """Lays them out."""

    def issue(sender: str, name: str, subject: str, n: int, leave: str) -> Message:
        headers = {"List-Unsubscribe": f"<mailto:{leave}?subject=unsubscribe>", "Precedence": "bulk"}
        return d.got(
            sender,
            subject,
            f"{subject}.\n\nYou get this because you signed up for it.",
            day=-n,
            time="07:00",
            name=name,
            read=n > 10,
            headers=headers,
        )

    issues = [
        issue(NEWS, "Freight Weekly", f"Freight Weekly no. {400 - n // 7}", n, LEAVE)
        for n in (42, 35, 28, 21, 14, 7)
    ]
    jobs = [
        issue(JOBS, "Freight Weekly Jobs", f"Freight Weekly Jobs: {n} new posts", n, LEAVE_JOBS)
        for n in (24, 10)
    ]
    digest = [issue(DIGEST, "Harbour Post", f"Harbour Post digest {n}", n, LEAVE_DIGEST) for n in (20, 6)]
    labelled(d.w, d.mira, issues[2], add=["STARRED"])
    return Weekly(
        sender=NEWS,
        leave=LEAVE,
        jobs_sender=JOBS,
        leave_jobs=LEAVE_JOBS,
        issues=tuple(issues),
        starred=issues[2],
        jobs=tuple(jobs),
        digest=tuple(digest),
    )
