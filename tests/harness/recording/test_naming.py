"""What recorded text becomes in Python: facts by name, and everything else as it is."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

import pytest

from fakes.core.people import Person
from harness.recording.naming import Naming
from tests.harness.toy import Box

DAY = date(2025, 10, 16)


@dataclass(frozen=True)
class Deep:
    """Facts inside of facts."""

    owed_cents: int
    names: tuple[str, ...]


@dataclass(frozen=True)
class Facts:
    """Facts of every kind."""

    mira: Person
    box: Box
    due: date
    title: str
    body: str
    deep: Deep


FACTS = Facts(
    mira=Person(
        id="per_1",
        seq=1,
        email="mira@toy.example",
        name="Mira Okafor",
        title="",
        zone="",
        phone="",
        password_hash="scrypt1",
    ),
    box=Box(id="box_71hq", seq=7, label="open", weight=2025, due=DAY, fragile=False, closed_at=None),
    due=DAY,
    title="Lamps",
    body="Two lines,\nthe second longer. ",
    deep=Deep(owed_cents=123456, names=("Ann", "Bo Lindqvist")),
)


@pytest.mark.parametrize(
    ("text", "expression"),
    [
        ("Lamps", "facts.title"),
        ("Mira Okafor", "facts.mira.name"),
        ("/boxes/box_71hq", 'f"/boxes/{facts.box.id}"'),
        ("2025-10-16", "facts.due.isoformat()"),
        ("by 2025-10-16, please", 'f"by {facts.due}, please"'),
        ("Oct 16, 2025", 'f"{facts.due:%b} {facts.due.day}, {facts.due.year}"'),
        ("16 October 2025", 'f"{facts.due.day} {facts.due:%B %Y}"'),
        ("1,234.56", 'f"{facts.deep.owed_cents / 100:,.2f}"'),
        ("$1,234.56 {owed}", 'f"${facts.deep.owed_cents / 100:,.2f} {{owed}}"'),
        ("Bo Lindqvist", "facts.deep.names[1]"),
        ("Two lines,\nthe second longer. And more.", 'f"{facts.body.strip()} And more."'),
        ("Two lines,\nthe second longer. ", "facts.body"),
        ('He said "no"\n\tand left', '"He said \\"no\\"\\n\\tand left"'),
        ("it's", '"it\'s"'),
        ("", '""'),
    ],
)
def test_a_text_is_said_by_the_facts_in_it(text: str, expression: str) -> None:
    found = Naming(FACTS).expression(text)
    assert found == expression
    assert eval(found, {"facts": FACTS}) == text


@pytest.mark.parametrize("text", ["open", "2025", "Ann", "Lampshade", "clampsLamps1", "scrypt1"])
def test_what_only_looks_like_a_fact_stays(text: str) -> None:
    """Kinds and states, years, short words, and parts of words: as likely something else."""
    assert Naming(FACTS).expression(text) == f'"{text}"'


def test_facts_of_nothing_name_nothing() -> None:
    @dataclass(frozen=True)
    class Nothing:
        """No facts."""

    assert Naming(Nothing()).expression("Lamps") == '"Lamps"'
