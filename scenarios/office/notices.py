"""What machines and mailing lists write to Harborlight's people: a stream each, every so many days."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta

SATURDAY = 5


@dataclass(frozen=True)
class Stream:
    """Mails of one sender: every `every` days since `since` days ago, at `time`; on the Friday before what
    falls on a weekend.

    `subject` and `text` may name {n} (a number that begins with `first`), {day}, {week} and {turn}, for which
    `turns` take turns. Who got them has read those that are `read` days old or older.
    """

    sender: str
    name: str
    to: str
    every: int
    since: int
    time: str
    subject: str
    text: str
    turns: tuple[str, ...] = ("",)
    headers: dict[str, str] = field(default_factory=dict)
    read: int = 2
    first: int = 1


@dataclass(frozen=True)
class Notice:
    """A mail of a stream."""

    day: date
    subject: str
    text: str
    read: bool


def notices(stream: Stream, today: date) -> Iterator[Notice]:
    """What a stream wrote before today, oldest first."""
    days = (today - timedelta(days=ago) for ago in range(stream.since, 0, -stream.every))
    for n, day in enumerate(dict.fromkeys(map(_workday, days))):
        words = {
            "n": stream.first + n, "day": day.isoformat(), "week": day.isocalendar().week,
            "turn": stream.turns[n % len(stream.turns)],
        }  # fmt: skip
        read = (today - day).days >= stream.read
        yield Notice(day, stream.subject.format(**words), stream.text.format(**words), read)


def _workday(day: date) -> date:
    return day - timedelta(days=max(0, day.weekday() - SATURDAY + 1))


def _list(name: str, host: str) -> dict[str, str]:
    return {"List-Id": f"{name} <{name.lower().replace(' ', '-')}.{host}>", **_promotion(host)}


def _promotion(host: str) -> dict[str, str]:
    return {"List-Unsubscribe": f"<mailto:leave@{host}?subject=unsubscribe>", "Precedence": "bulk"}


ROADWATCH = "noreply@roadwatch.example"

STREAMS = (
    Stream(
        "notify@parcels.example", "Parcels", "mira", 4, 41, "14:12", "Your parcel {turn} was delivered",
        "The parcel {turn} was left with your front desk on {day}.",
        ("PX-2207", "PX-2231", "PX-2290", "PX-2314", "PX-2350", "PX-2371", "PX-2388", "PX-2402"),
    ),
    Stream(
        ROADWATCH, "Roadwatch", "jonas", 2, 40, "05:30", "{turn}: daily report",
        "Truck {turn} on {day}: 214 km, no faults. Open the panel for the route.",
        ("HL-03", "HL-07", "HL-09", "HL-12", "HL-15"),
    ),
    Stream(
        "alerts@roadwatch.example", "Roadwatch", "jonas mira", 11, 38, "03:47", "{turn}: tyre pressure low",
        "Truck {turn}, {day}: rear left tyre below 6.5 bar. Have it seen to before the next trip.",
        ("HL-12", "HL-03"),
    ),
    Stream(
        "tickets@helpline.example", "Helpline", "leila", 3, 41, "08:01", "{n} tickets are open",
        "Good morning. {n} tickets were open on {day}. Have a look when you can.", read=4, first=7,
    ),
    Stream(
        "statements@cargobank.example", "Cargo Bank", "kwame", 7, 42, "06:10", "Your statement of {day}",
        "The statement of {day} is ready. Log in as you are used to; we never send links.",
    ),
    Stream(
        "news@freighttimes.example", "Freight Times", "mira mateo", 7, 40, "07:00",
        "Freight Times, week {week}",
        "Ports: waiting times fall. Fuel: a cent up. Labour: talks go on. Read on in the paper.",
        headers=_promotion("freighttimes.example"), read=9,
    ),
    Stream(
        "offers@packmart.example", "Packmart", "tom mira", 9, 39, "10:20", "{turn} this week",
        "Only until Sunday: {turn}. Delivered within two days.",
        ("Stretch film at half price", "20 % off cartons"),
        headers=_promotion("packmart.example"), read=20,
    ),
    Stream(
        "list@warehousing-forum.example", "Warehousing forum", "tom", 5, 41, "18:30", "[warehousing] {turn}",
        "A new answer in the forum: {turn}. Answer to the list, or read on the page.",
        ("Racking inspections: how often?", "Night shift supplements", "Scanners that survive the cold"),
        headers=_list("Warehousing forum", "warehousing-forum.example"), read=12,
    ),
    Stream(
        "invites@meetlinks.social", "Meetlinks", "mateo hana", 10, 37, "12:05", "{turn} wants to connect",
        "{turn} would like to add you. See who else you may know.",
        ("Ada Lind", "Ruben Castro", "Mei Tan"), read=15,
    ),
    Stream(
        "backup@hl-files.example", "Backup", "samir declan", 1, 30, "02:15", "Backup of {day}: done",
        "All volumes of {day} are saved. 0 errors.", read=1,
    ),
    Stream(
        "compliance@statewatch.example", "Statewatch", "nadia", 6, 40, "09:00", "Unemployment law: {turn}",
        "What changes: {turn}. In force from next quarter. The full text is on our pages.",
        ("new form in Ohio", "shorter deadline in Texas", "rates in New York"),
        headers=_list("Statewatch", "statewatch.example"), read=10,
    ),
    Stream(
        "surveys@peoplepulse.example", "Peoplepulse", "priya", 14, 42, "11:00", "Results of round {n}",
        "Round {n} is closed. 9 of 12 answered. See what they said.", first=4,
    ),
)  # fmt: skip
