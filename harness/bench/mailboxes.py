"""What mailboxes cost, small and big: filling one, listing one, searching one. In this process."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from fakes.core.seeding import Base, Seed, build_base
from fakes.core.service import Service
from fakes.core.world import Genesis, World, open_world
from fakes.gmail import service, store
from fakes.gmail.rules.search import parse
from fakes.gmail.schema import MessageLabel
from fakes.gmail.seed import Mail, label, mailbox, mails
from harness.app import BASE_DATE, FIXED_SECRET, ZONE, morning_of
from harness.bench.lines import Line, Plan, Say
from harness.bench.worlds import Samples

SEEDED, SEARCHED, LISTED, MOST_LISTED = 1_000, 10_000, 500, 100_000
"""Mails that are seeded, searched, and listed: in the small mailbox and in the big one."""
PAGE = 20
ME = "mira@harborlight.example"
_SERVICES: dict[str, Service] = {"gmail": service}
_COMMON = "meeting notes about the budget for next quarter please review before friday thanks".split()
_RARE = "zebra quasar lantern obelisk marzipan gondola tundra saffron".split()
_SENDERS = [f"{name}@partner.example" for name in ("ana", "bo", "cy", "dee", "eli", "fay", "gus", "hal")]

SEARCHES = (
    "budget", "meeting", "the", "friday", "zebra", "quasar", "obelisk", "nothinglikethis",
    "budget review", "meeting notes budget", "zebra budget", "lantern gondola",
    '"next quarter"', '"notes about the budget"', '"please review before friday"', '"budget the"',
    "from:ana", "from:ana@partner.example", "from:partner.example", "to:me", "subject:report",
    "from:ana label:projects", "from:bo label:projects budget", "label:projects", "label:projects is:unread",
    "from:cy is:unread", "is:unread zebra", "in:inbox quasar", "in:sent budget", "is:starred budget",
    "budget -meeting", "-from:ana budget", "-budget", "-from:partner.example",
    "zebra OR quasar", "{from:ana from:bo} budget", "(zebra OR budget) from:dee",
    "budget newer_than:30d", "after:2025/09/01 before:2025/09/08", "older_than:1y zebra",
)  # fmt: skip


def measure(names: Sequence[str], plan: Plan, say: Say) -> Iterator[Line]:
    """The lines of `mailbox.*`."""
    if "mailbox.seed" in names:
        say(f"seeding {SEEDED:,} mails")
        yield _seeding(plan)
    if "mailbox.list" in names:
        say(f"filling a mailbox of {MOST_LISTED:,}")
        yield _listing(plan)
    if "mailbox.search" in names:
        say(f"filling a mailbox of {SEARCHED:,}")
        yield _searching(plan)


@dataclass(frozen=True)
class _Told:
    """What a seed of mails took, in seconds."""

    cpu: float
    wall: float


def _base(count: int) -> Base:
    """A world in which Mira got so many mails from eight people, an hour apart; its facts are a _Told."""

    def seed(w: Seed) -> _Told:
        mira = w.person(ME, "Mira Okafor")
        made = [_mail(n, count) for n in range(count)]
        label(w, mira, "Projects")
        cpu, wall = time.process_time(), time.perf_counter()
        mails(w, made)
        told = _Told(time.process_time() - cpu, time.perf_counter() - wall)
        mailbox(w, mira)
        w.tx.execute(_FILED, (mira.id,))
        return told

    return build_base(_SERVICES, Genesis(1, FIXED_SECRET, morning_of(BASE_DATE), ZONE, "bench"), seed)


_FILED = (
    "INSERT INTO gmail_message_labels SELECT id, 'Label_1', owner, thread_id, place FROM gmail_messages"
    " WHERE owner = ? AND seq % 97 = 0"
)


def _mail(n: int, count: int) -> Mail:
    words = [_COMMON[(n * 5 + k * k) % len(_COMMON)] for k in range(40)]
    rare = [_RARE[n // 50 % len(_RARE)]] if n % 50 == 0 else []
    return Mail(
        _SENDERS[n * n % len(_SENDERS)], ME, f"Report {n}", " ".join([*words, *rare, f"ref-{n}"]),
        day=-(n % (count // 24 + 1)), time=f"{n % 24:02}:00", read=n % 10 > 0,
    )  # fmt: skip


def _seeding(plan: Plan) -> Line:
    told = [_base(SEEDED).facts for _ in range(plan.rounds)]
    return Line("mailbox.seed", min(each.cpu for each in told) * 1000, min(each.wall for each in told) * 1000)


def _listing(plan: Plan) -> Line:
    """CPU and time of a page in the big mailbox; the ratio is what it costs more than in the small one."""
    small, big = Samples(), Samples()
    worlds = [_listed(count) for count in (LISTED, MOST_LISTED)]
    query = parse("in:inbox")
    for n in range(plan.rounds * plan.batch):
        for (world, owner), samples in list(zip(worlds, (small, big), strict=True))[:: 1 if n % 2 else -1]:
            with samples.one():
                store.list_messages(world, owner, query, limit=PAGE)
    for world, _ in worlds:
        world.close()
    line = big.line("mailbox.list")
    return Line(line.name, line.cpu_ms, line.p50_ms, median(big.cpu) / median(small.cpu))


def _listed(count: int) -> tuple[World, str]:
    """A world with so many bare messages in Mira's inbox."""
    base = _base(1)
    world = open_world("bench", _SERVICES, image=base.image)
    owner = world.all(MessageLabel, "LIMIT 1")[0].owner
    numbers = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ? - 1)"
    with world.journal.silent(), world.tx() as tx:
        tx.execute(
            f"{numbers} INSERT INTO gmail_messages SELECT printf('%016x', i), i, ?, printf('%016x', i), 's',"
            " '<' || i || '@x>', i * 1000, i * 1000 * 2097152 + i, 'a@x.example', 'A', 'b@x.example', 'S',"
            " '', 1, '', '' FROM n",
            (count, owner),
        )
        tx.execute(
            f"{numbers} INSERT INTO gmail_message_labels SELECT printf('%016x', i), 'INBOX', ?,"
            " printf('%016x', i), i * 1000 * 2097152 + i FROM n",
            (count, owner),
        )
    return world, owner


def _searching(plan: Plan) -> Line:
    """CPU of the slowest search in a hundred, and the median of all times."""
    world = open_world("bench", _SERVICES, image=_base(SEARCHED).image)
    person = world.person(ME)
    assert person is not None
    samples = Samples()
    for n in range(plan.few + 1):
        for text in SEARCHES:
            query = parse(text, ME)
            if n == 0:  # the first round warms up
                store.list_messages(world, person.id, query, limit=PAGE)
                continue
            with samples.one():
                store.list_messages(world, person.id, parse(text, ME), limit=PAGE)
    world.close()
    cpu = sorted(samples.cpu)
    return Line("mailbox.search", cpu[len(cpu) * 99 // 100] * 1000, median(samples.wall) * 1000)
