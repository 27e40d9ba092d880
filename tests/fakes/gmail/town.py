"""The small world of the Gmail tests: Mira and Tom in New York, Lena in Berlin, one company."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from datetime import date

from fakes.core.people import Person
from fakes.core.seeding import Base, Seed, build_base
from fakes.core.service import Service
from fakes.core.world import Genesis
from fakes.gmail import service
from harness.app import FIXED_SECRET, ZONE, morning_of

SERVICES: dict[str, Service] = {"gmail": service}
MORNING = morning_of(date(2025, 10, 21))  # 09:30 in New York


@dataclass(frozen=True)
class Cast:
    """Who lives in it."""

    mira: Person
    tom: Person
    lena: Person


def seed(w: Seed) -> Cast:
    """Three people and no mail."""
    return Cast(
        w.person("mira@harborlight.example", "Mira Okafor", "Operations"),
        w.person("tom@harborlight.example", "Tom Reyes"),
        w.person("lena@harborlight.example", "Lena Fischer", zone="Europe/Berlin"),
    )


def base() -> Base:
    """Its pristine state."""
    return build_base(SERVICES, Genesis(1, FIXED_SECRET, MORNING, ZONE, "town"), seed)


def raw(text: str = "Hello", **headers: str) -> bytes:
    """A mail as a client writes it; `In_Reply_To=...` is the header In-Reply-To."""
    lines = [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\n".join([*lines, "", text]).encode()


def encoded(mail: bytes) -> str:
    """A mail as `raw` carries it, without padding."""
    return base64.urlsafe_b64encode(mail).decode().rstrip("=")
