"""Worlds to measure: two people, a mailbox and a desk, as full as is asked, and the same each time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from fakes.core.people import Person
from fakes.core.seeding import Base, Seed, build_base
from fakes.core.service import Service
from fakes.core.world import Genesis
from fakes.gmail.seed import mail
from harness.app import BASE_DATE, FIXED_SECRET, ZONE, morning_of
from sites.claims_desk import seed as desk
from sites.claims_desk.schema import Claim, Document

_WORDS = (
    "the claim was received on the day that the notice names and is open until the agency decides".split()
)
_NOTICES = 60


@dataclass(frozen=True)
class Size:
    """How much a world holds: claims, mails of so many words."""

    claims: int
    mails: int
    words: int


SMALL, LARGE = Size(claims=4, mails=4, words=40), Size(claims=150, mails=260, words=560)
SIZES: Mapping[str, Size] = {"small": SMALL, "large": LARGE}


@dataclass(frozen=True)
class Filled:
    """What a filled world holds, for those who send requests."""

    mira: Person
    tom: Person
    claims: tuple[Claim, ...]
    papers: tuple[Document, ...]


def filled_base(services: Mapping[str, Service], size: Size) -> Base:
    """The pristine state of a filled world; its facts are a Filled."""
    genesis = Genesis(1, FIXED_SECRET, morning_of(BASE_DATE), ZONE, "bench")
    return build_base(services, genesis, _filling(size))


def _filling(size: Size) -> Callable[[Seed], Filled]:
    def seed(w: Seed) -> Filled:
        mira = w.person("mira@harborlight.example", "Mira Okafor")
        tom = w.person("tom@harborlight.example", "Tom Reyes")
        for n in range(size.mails):
            sender, to = (tom, mira) if n % 3 else (mira, tom)
            mail(w, sender, to, f"About claim {n}", _prose(n, size.words), day=-1 - n % 40, read=bool(n % 2))
        claims, papers = _desk(w, size, mira, tom)
        return Filled(mira, tom, claims, papers)

    return seed


def _desk(w: Seed, size: Size, mira: Person, tom: Person) -> tuple[tuple[Claim, ...], tuple[Document, ...]]:
    """Claims, notices on the first of them, and papers that no notice was recorded from."""
    ours = desk.tenant(w, "Harborlight", "44-90817 2", "claims@harborlight.example")
    me = desk.operator(w, ours, mira)
    claims = []
    for n in range(size.claims):
        whom = desk.claimant(
            w, ours, f"Claimant {n}", f"{n:04}", "NY", "lack_of_work", separated_on=w.day(-20 - n % 60),
            job_title="Packer", manager=tom,
        )  # fmt: skip
        claims.append(desk.claim(w, me, whom, f"NY-{n:07}"))
    for claim in claims[:_NOTICES]:
        desk.paperless_notice(w, me, claim, "determination", w.day(-5), w.day(20))
    papers = [
        desk.document(w, me, "notice", f"paper-{n}.txt", _prose(n, 60)) for n in range(size.claims // 2)
    ]
    return tuple(claims), tuple(papers)


def _prose(start: int, words: int) -> str:
    return " ".join(_WORDS[(start * 7 + n * n) % len(_WORDS)] + str(start + n) for n in range(words))
