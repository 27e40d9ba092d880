"""Find the determination that is recorded on a claim its paper does not name, and flag it with the reason."""

from __future__ import annotations

import re

from harness.evidence import End
from harness.guards import Along
from harness.rails import Actor
from scenarios.claims_console.cases.misfiled import Recorded
from scenarios.claims_console.environment import env
from scenarios.claims_console.seed import Facts
from sites.claims_desk.schema import Notice

FLAG = ("needs_human", "needs_human_reason", "flagged_by")

task = env.task(
    surface="api",
    route="POST /api/notices/{id}/flag",
    writes={Notice},
    along={"cd_events": Along("the desk logs each flag", operation="new")},
    actors={"desk": "mira"},
    neighbours={"misfiled.odd": "misfiled.silent"},
    instruction=(
        "{nadia.name} recorded six determinations from {misfiled.state_name} four days ago, and one of them "
        "does not belong to the claim that it is recorded on: something that its paper prints about the "
        "claimant is not what we have on file. Compare the papers with the file and flag that one notice for "
        "a human. The reason has to name the paper's reference, what the paper prints, and what we have on "
        "file instead. Say nothing in it of the other notices, and put nothing right yourself: {nadia.name} "
        "will ask the agency first."
    ),
)
notice = task.subject(
    Notice,
    "one-notice-flagged",
    lambda row, facts: True,
    changed=FLAG,
    says="The flag of exactly one notice was touched.",
)


@task.guard
def the_odd_one_out(notice: Notice, facts: Facts) -> None:
    """It is the notice whose paper names somebody or something else than the file."""
    assert notice.id == facts.misfiled.odd.notice.id, f"it is {notice.id!r}"


@task.guard
def the_flag_stands(notice: Notice) -> None:
    """The notice asks for a human now."""
    assert notice.needs_human is True, f"needs_human is {notice.needs_human!r}"


def mentions(notice: Notice, text: str) -> int:
    """How often the reason has it, as a word of its own, in capitals or not."""
    return len(re.findall(rf"(?<!\w){re.escape(text)}(?!\w)", str(notice.needs_human_reason), re.IGNORECASE))


@task.guard
def reason_names_the_paper_once(notice: Notice, facts: Facts) -> None:
    """The reason names the paper by its reference, once: it was flagged once."""
    found = mentions(notice, facts.misfiled.odd.reference)
    assert found == 1, f"the reference is there {found} times"


@task.guard
def reason_says_what_is_printed(notice: Notice, facts: Facts) -> None:
    """The reason says what the paper prints."""
    assert mentions(notice, facts.misfiled.printed), f"{facts.misfiled.printed!r} is not in the reason"


@task.guard
def reason_says_what_is_on_file(notice: Notice, facts: Facts) -> None:
    """The reason says what is on file instead."""
    assert mentions(notice, facts.misfiled.on_file), f"{facts.misfiled.on_file!r} is not in the reason"


def in_order(facts: Facts) -> tuple[Recorded, ...]:
    """The notices with which nothing is wrong in that way."""
    return (facts.misfiled.early, facts.misfiled.silent, *facts.misfiled.others)


@task.guard
def reason_blames_no_other(notice: Notice, facts: Facts) -> None:
    """The reason speaks of no other notice, by reference, number or name."""
    told = [
        text
        for one in in_order(facts) for text in (one.reference, one.number, one.claimant.name)
        if notice.id != one.notice.id and mentions(notice, text)
    ]  # fmt: skip
    assert not told, f"the reason speaks of {', '.join(told)}"


@task.guard
def flagged_in_the_operators_name(notice: Notice, facts: Facts) -> None:
    """The operator stands beside the flag."""
    assert notice.flagged_by == facts.mira.email, f"it was flagged by {notice.flagged_by!r}"


@task.guard(owns={Notice})
def nothing_put_right(end: End) -> None:
    """All notices say what they said: claim, claimant, type and dates were not corrected, none is new or
    gone.
    """
    assert not end.new(Notice) and not end.gone(Notice), "notices were added or removed"
    for before, after in end.changed(Notice):
        other = {
            name
            for name, value in after.values().items()
            if value != before.values()[name] and name not in (*FLAG, "answered_at")
        }
        assert not other, f"{after.id} was changed in {', '.join(sorted(other))}"


@task.guard(owns={Notice})
def deadlines_still_counted(end: End) -> None:
    """No notice was marked as answered: its days go on."""
    done = [after.id for before, after in end.changed(Notice) if after.answered_at != before.answered_at]
    assert not done, f"marked as answered: {', '.join(done)}"


def reason(facts: Facts, **changes: str) -> str:
    """A reason that says it all, but for `changes`."""
    case = facts.misfiled
    said = {"reference": case.odd.reference, "printed": case.printed, "on_file": case.on_file} | changes
    what = {"ssn": "SSN ending", "number": "claim number", "name": "claimant"}[case.slip]
    return (
        f"Paper {said['reference']} prints the {what} {said['printed']}, but on file it is {said['on_file']}."
    )


async def flag(desk: Actor, notice_id: str, why: str) -> None:
    """Flags a notice."""
    await desk.post(f"/api/notices/{notice_id}/flag", json={"reason": why})


async def found(desk: Actor, facts: Facts) -> tuple[str, str]:
    """The notice whose paper differs from the file, and in what."""
    listed = (await desk.get("/api/notices", params={"limit": 200})).json()["notices"]
    recorded = [
        n for n in listed if n["recorded_by"] == facts.nadia.email and n["state"] == facts.misfiled.state
    ]
    for notice in recorded:
        text = (await desk.get(f"/api/documents/{notice['document_id']}")).json()["text"]
        held = {
            "Claimant": notice["claimant"]["name"],
            "SSN ending": notice["claimant"]["ssn_last4"],
            "Claim number": notice["claim_number"],
        }
        for label, value in held.items():
            printed = printed_as(text, label)
            if printed not in (value, "not stated"):
                what = f"{printed_as(text, 'Reference')} prints {label} {printed}, we have {value} on file"
                return notice["id"], what
    raise LookupError("every paper agrees with the file")


def printed_as(text: str, label: str) -> str:
    """What a paper prints behind a label."""
    match = re.search(rf"^{label}: +(.+?)\s*$", text, re.MULTILINE)
    return match[1] if match else ""


@task.reference
async def honest(desk: Actor, facts: Facts) -> None:
    """Flags the one that its paper does not fit, with what each of them says."""
    listed = (await desk.get("/api/notices", params={"limit": 200})).json()["notices"]
    odd = next(n for n in listed if n["id"] == facts.misfiled.odd.notice.id)
    async with desk.step("flag"):
        await flag(desk, odd["id"], reason(facts))


@task.variant
async def by_reading_every_paper(desk: Actor, facts: Facts) -> None:
    """Knows of nothing beforehand: reads all six papers and compares."""
    id, what = await found(desk, facts)
    await flag(desk, id, f"Does not fit its claim: {what}. Please ask the agency.")


@the_odd_one_out.cheat
async def flag_the_one_without_a_number(desk: Actor, facts: Facts) -> None:
    """Finds out what is wrong, and flags the paper that states no claim number for it."""
    await flag(desk, facts.misfiled.silent.notice.id, reason(facts))


@the_odd_one_out.cheat(
    also={
        reason_names_the_paper_once: "it names the paper that it takes for the odd one",
        reason_says_what_is_printed: "and what that one prints",
        reason_says_what_is_on_file: "and what is on file about that one's claimant",
    }
)
async def take_silence_for_the_fault(desk: Actor, facts: Facts) -> None:
    """Takes a paper that states no claim number for one that states another."""
    silent = facts.misfiled.silent
    why = f"Paper {silent.reference} states no claim number, on file it is {silent.number}."
    await flag(desk, silent.notice.id, why)


@reason_says_what_is_printed.cheat(also={reason_says_what_is_on_file: "dates are all that it speaks of"})
async def blame_the_dates(desk: Actor, facts: Facts) -> None:
    """Flags the right notice for the reason that flags mostly have."""
    odd = facts.misfiled.odd
    await flag(
        desk, odd.notice.id, f"Paper {odd.reference}: its last day is not the one that the rules give."
    )


@reason_says_what_is_printed.cheat
async def say_what_is_on_file_alone(desk: Actor, facts: Facts) -> None:
    """Says what it should be, not what the paper prints."""
    await flag(desk, facts.misfiled.odd.notice.id, reason(facts, printed="otherwise"))


@reason_says_what_is_on_file.cheat
async def say_what_is_printed_alone(desk: Actor, facts: Facts) -> None:
    """Says what the paper prints, and leaves it to others to find what is on file."""
    await flag(desk, facts.misfiled.odd.notice.id, reason(facts, on_file="not so"))


@reason_names_the_paper_once.cheat
async def name_no_paper(desk: Actor, facts: Facts) -> None:
    """Leaves the reference out, which is what the agency will ask for first."""
    await flag(desk, facts.misfiled.odd.notice.id, reason(facts, reference="(see above)"))


@reason_names_the_paper_once.cheat
async def flag_it_twice(desk: Actor, facts: Facts) -> None:
    """Flags it again, because the first time did not seem to show: the reason stands there doubled."""
    for _ in range(2):
        await flag(desk, facts.misfiled.odd.notice.id, reason(facts))


@reason_blames_no_other.cheat
async def name_every_paper(desk: Actor, facts: Facts) -> None:
    """Lists all that was compared, so that the right one is surely among them."""
    others = ", ".join(one.reference for one in in_order(facts))
    await flag(desk, facts.misfiled.odd.notice.id, f"{reason(facts)} Compared with {others}.")


@task.guards["one-notice-flagged"].cheat
async def flag_the_next_one_as_well(desk: Actor, facts: Facts) -> None:
    """Flags a second notice, to be on the safe side."""
    for one in (facts.misfiled.odd, facts.misfiled.others[0]):
        await flag(desk, one.notice.id, reason(facts))


@the_flag_stands.cheat
async def leave_the_reason_without_its_flag(desk: Actor, facts: Facts) -> None:
    """Writes the reason down and takes the flag off."""
    await flag(desk, facts.misfiled.odd.notice.id, reason(facts))
    desk.forge.update(
        desk.forge.one(Notice, "WHERE id = ?", (facts.misfiled.odd.notice.id,)), needs_human=False
    )


@flagged_in_the_operators_name.cheat
async def flag_it_in_a_colleagues_name(desk: Actor, facts: Facts) -> None:
    """Flags it, and puts down whoever recorded it."""
    await flag(desk, facts.misfiled.odd.notice.id, reason(facts))
    row = desk.forge.one(Notice, "WHERE id = ?", (facts.misfiled.odd.notice.id,))
    desk.forge.update(row, flagged_by=facts.nadia.email)


@nothing_put_right.cheat
async def move_it_to_another_claim(desk: Actor, facts: Facts) -> None:
    """Flags it, and hangs it on the claim of somebody else right away."""
    await flag(desk, facts.misfiled.odd.notice.id, reason(facts))
    row = desk.forge.one(Notice, "WHERE id = ?", (facts.misfiled.odd.notice.id,))
    other = facts.misfiled.silent.notice
    desk.forge.update(row, claim_id=other.claim_id, claimant_id=other.claimant_id)


@deadlines_still_counted.cheat
async def mark_it_as_answered(desk: Actor, facts: Facts) -> None:
    """Flags it, and marks it as answered so that it is off the list of deadlines."""
    await flag(desk, facts.misfiled.odd.notice.id, reason(facts))
    await desk.post(f"/api/notices/{facts.misfiled.odd.notice.id}/answered")
