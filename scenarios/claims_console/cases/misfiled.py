"""Six determinations of one state, one of them recorded on a claim that its paper does not name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from scenarios.claims_console.cases.desk import Bench
from scenarios.claims_console.drawing import account
from sites.claims_desk.schema import Claimant, Notice
from sites.claims_desk.seed import document, notice, notice_paper

_STATES = {"CA": "California", "MA": "Massachusetts", "WA": "Washington", "NJ": "New Jersey"}
_SHORT = {"MA", "NJ"}
_COUNT = 6

Slip = Literal["ssn", "number", "name"]


@dataclass(frozen=True)
class Recorded:
    """A notice with whose it is recorded as, and the reference that its paper prints."""

    notice: Notice
    claimant: Claimant
    number: str
    reference: str


@dataclass(frozen=True)
class Misfiled:
    """`odd` is the one whose paper prints another `slip` (SSN ending, claim number or name) than the file.

    `early` prints another last day than the rules give, so the desk has flagged it by itself; `silent` states
    no claim number, which is no fault.
    """

    state: str
    slip: Slip
    odd: Recorded
    early: Recorded
    silent: Recorded
    others: tuple[Recorded, ...]
    printed: str
    on_file: str

    @property
    def state_name(self) -> str:
        """The state in words."""
        return _STATES[self.state]


def misfiled(b: Bench) -> Misfiled:
    """Lays it out: everything is recorded in one morning, in an order that is drawn."""
    w, draw = b.w, b.draw
    state = draw.pick(list(_STATES))
    slip: Slip = draw.pick(("ssn", "number", "name"))
    mailed = -6 if state in _SHORT else -8
    kinds = draw.shuffled(["odd", "early", "silent", *["plain"] * (_COUNT - 3)])
    recorded: dict[str, list[Recorded]] = {}
    printed = on_file = ""
    for n, kind in enumerate(kinds):
        name, lookalike = draw.alike()
        who, claimed = b.left(name, state, "voluntary_quit", draw.number(30, 40))
        reference = draw.reference(state)
        number: str | None = claimed.number
        shown_name, ssn = None, None
        if kind == "silent":
            number = None
        if kind == "odd":
            ssn = draw.ssn_like(who.ssn_last4) if slip == "ssn" else None
            shown_name = lookalike if slip == "name" else None
            number = draw.number_like(claimed.number) if slip == "number" else claimed.number
            printed = {"ssn": ssn, "name": shown_name, "number": number}[slip] or ""
            on_file = {"ssn": who.ssn_last4, "name": who.name, "number": claimed.number}[slip]
        with w.on(-4, f"10:{10 + n * 5}"):
            text = notice_paper(
                b.tenant, who, "determination", reference, w.day(mailed),
                "It has been determined that the claimant is not eligible for benefits. No charge is made.",
                account=account(state), name=shown_name, ssn_last4=ssn, claim_number=number,
                printed_due=w.day(mailed + 4) if kind == "early" else None,
            )  # fmt: skip
            paper = document(w, b.nadia, "notice", f"{state.lower()}-determination-{reference}.txt", text)
            made = notice(w, b.nadia, claimed, paper)
        recorded.setdefault(kind, []).append(Recorded(made, who, claimed.number, reference))
    return Misfiled(
        state=state, slip=slip, odd=recorded["odd"][0], early=recorded["early"][0],
        silent=recorded["silent"][0], others=tuple(recorded["plain"]), printed=printed, on_file=on_file,
    )  # fmt: skip
