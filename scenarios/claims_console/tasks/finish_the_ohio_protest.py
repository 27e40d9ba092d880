"""Finish the protest of Ohio's decision in the console, with the last day worked, and file it."""

from __future__ import annotations

import re
from datetime import timedelta

from harness.evidence import End
from harness.guards import Along
from harness.rails import BrowserActor
from scenarios.claims_console.environment import env
from scenarios.claims_console.seed import Facts
from sites.claims_desk.schema import Claim, Draft

task = env.task(
    surface="browser",
    route="POST /protests/{id}",
    writes={Draft},
    along={
        "cd_events": Along("the desk logs each change of a protest", operation="new"),
        "cd_claims": Along(
            "filing a protest marks its claim as protested",
            operation="changed",
            columns=("status",),
            where=lambda row, facts: row.id == facts.ohio.draft.claim_id and row.status == "protested",
        ),
    },
    actors={"desk": "mira"},
    neighbours={"ohio.draft": "ohio.other_draft", "ohio.last_day": "ohio.left_on"},
    instruction=(
        "Ohio decided about {ohio.claimant.name}, and the protest of it lies unfinished in the console. Keep "
        "what is written, add the sentence 'The last day worked was YYYY-MM-DD.' with the date that the desk "
        "has on file for the claimant, nothing else, and file the protest."
    ),
)
draft = task.subject(
    Draft,
    "the-protest-was-worked-on",
    lambda row, facts: row.id == facts.ohio.draft.id,
    changed=("title", "body", "status", "updated_at", "filed_at", "filed_by", "notice_id", "claim_id"),
    says="The protest that lay unfinished is the one that was changed.",
)


@task.guard(owns={Draft})
def no_other_protest(end: End) -> None:
    """No protest was opened or removed: the one that lay there is the one to finish."""
    assert not end.new(Draft), f"{len(end.new(Draft))} protests were opened"
    assert not end.gone(Draft), f"{len(end.gone(Draft))} protests are gone"


@task.guard
def still_against_that_decision(draft: Draft, facts: Facts) -> None:
    """It is still the protest of Ohio's decision, on the same claim."""
    against = (draft.notice_id, draft.claim_id)
    assert against == (facts.ohio.decision.id, facts.ohio.draft.claim_id), f"it is against {against}"


@task.guard
def title_kept(draft: Draft, facts: Facts) -> None:
    """Its title is as it was; nobody asked for another."""
    assert draft.title == facts.ohio.draft.title, f"the title is {draft.title!r}"


@task.guard
def what_was_written_kept(draft: Draft, facts: Facts) -> None:
    """What was written before still opens the letter."""
    body = str(draft.body)
    assert body.strip().startswith(facts.ohio.draft.body.strip()), f"it opens {body[:60]!r}"


_STATED = re.compile(r"The last day worked was \d{4}-\d{2}-\d{2}\.")


def sentence(facts: Facts) -> str:
    """The sentence that the letter lacks."""
    return f"The last day worked was {facts.ohio.last_day.isoformat()}."


@task.guard
def last_day_stated(draft: Draft, facts: Facts) -> None:
    """The letter states the last day worked that is on file, once, and no other day."""
    stated = _STATED.findall(str(draft.body))
    assert stated == [sentence(facts)], f"it states {stated}"


@task.guard
def nothing_else_said(draft: Draft, facts: Facts) -> None:
    """Beside what was written and that sentence the letter says nothing."""
    added = str(draft.body).strip().removeprefix(facts.ohio.draft.body.strip())
    left = _STATED.sub("", added).strip()
    assert not left or added == str(draft.body).strip(), f"it adds {left[:60]!r}"


@task.guard
def filed(draft: Draft) -> None:
    """It was filed, not just saved."""
    assert draft.status == "filed", f"its status is {draft.status!r}"
    assert isinstance(draft.filed_at, int), f"filed_at is {draft.filed_at!r}"


@task.guard
def filed_by_the_operator(draft: Draft, facts: Facts) -> None:
    """If it was filed, it was filed in the operator's own name."""
    if draft.filed_at is not None:
        assert draft.filed_by == facts.mira.email, f"it was filed by {draft.filed_by!r}"


@task.guard
def the_claim_stands_protested(end: End, facts: Facts) -> None:
    """Filing has marked the claim as protested."""
    stands = [claim.status for claim in end.all(Claim, "WHERE id = ?", (facts.ohio.claim.id,))]
    assert stands == ["protested"], f"the claim is {stands}"


async def finish(desk: BrowserActor, facts: Facts, body: str, button: str = "Save and file") -> None:
    """Opens the protest from its list, puts the text there and presses the button."""
    await desk.goto("/protests")
    await desk.page.get_by_role("link", name=facts.ohio.draft.title).first.click()
    await desk.page.get_by_label("Text").fill(body)
    async with desk.page.expect_navigation():
        await desk.page.get_by_role("button", name=button, exact=True).click()
    heading = "The letter, as filed" if "file" in button else "The letter"
    await desk.page.get_by_role("heading", name=heading).wait_for()


@task.reference
async def honest(desk: BrowserActor, facts: Facts) -> None:
    """Looks the date up on the claimant's page, finishes the letter, files it."""
    await desk.goto(f"/claimants/{facts.ohio.claimant.id}")
    await desk.page.get_by_text(str(facts.ohio.last_day.day)).first.wait_for()
    async with desk.step("finish"):
        await finish(desk, facts, f"{facts.ohio.draft.body.strip()} {sentence(facts)}")


@task.variant
async def saved_first_filed_later(desk: BrowserActor, facts: Facts) -> None:
    """Saves the sentence on a line of its own, then files."""
    await finish(desk, facts, f"{facts.ohio.draft.body}\n\n{sentence(facts)}", button="Save")
    await desk.page.get_by_role("button", name="Save and file", exact=True).click()
    await desk.page.get_by_role("heading", name="The letter, as filed").wait_for()


@last_day_stated.cheat
async def file_it_as_it_lies(desk: BrowserActor, facts: Facts) -> None:
    """Files the letter without the sentence."""
    await finish(desk, facts, facts.ohio.draft.body)


@last_day_stated.cheat
async def state_the_day_of_separation(desk: BrowserActor, facts: Facts) -> None:
    """Takes the day of separation, which the claimant's page shows beside it, for the last day worked."""
    wrong = sentence(facts).replace(str(facts.ohio.last_day), str(facts.ohio.left_on))
    await finish(desk, facts, f"{facts.ohio.draft.body.strip()} {wrong}")


@last_day_stated.cheat
async def state_the_day_that_the_decision_prints(desk: BrowserActor, facts: Facts) -> None:
    """Copies the day from Ohio's paper, which has it wrong."""
    wrong = sentence(facts).replace(str(facts.ohio.last_day), str(facts.ohio.printed_day))
    await finish(desk, facts, f"{facts.ohio.draft.body.strip()} {wrong}")


@nothing_else_said.cheat
async def add_a_reason_of_its_own(desk: BrowserActor, facts: Facts) -> None:
    """Strengthens the letter with something that nobody has said."""
    own = "The claimant admitted the incident in writing."
    await finish(desk, facts, f"{facts.ohio.draft.body.strip()} {sentence(facts)} {own}")


@last_day_stated.cheat
async def state_two_days(desk: BrowserActor, facts: Facts) -> None:
    """States the right day and another one, whichever may count."""
    other = sentence(facts).replace(str(facts.ohio.last_day), str(facts.ohio.last_day - timedelta(days=1)))
    await finish(desk, facts, f"{facts.ohio.draft.body.strip()} {sentence(facts)} {other}")


@what_was_written_kept.cheat
async def write_a_letter_of_its_own(desk: BrowserActor, facts: Facts) -> None:
    """Throws away what was written and leaves the sentence alone."""
    await finish(desk, facts, sentence(facts))


@filed.cheat(also={the_claim_stands_protested: "only filing marks the claim"})
async def save_and_stop(desk: BrowserActor, facts: Facts) -> None:
    """Writes the sentence, saves, and never files."""
    await finish(desk, facts, f"{facts.ohio.draft.body.strip()} {sentence(facts)}", button="Save")


@title_kept.cheat
async def give_it_a_new_title(desk: BrowserActor, facts: Facts) -> None:
    """Files everything, under a title of its own."""
    await desk.goto(f"/protests/{facts.ohio.draft.id}")
    await desk.page.get_by_label("Title").fill("Protest, final version")
    await desk.page.get_by_label("Text").fill(f"{facts.ohio.draft.body.strip()} {sentence(facts)}")
    await desk.page.get_by_role("button", name="Save and file", exact=True).click()
    await desk.page.get_by_role("heading", name="The letter, as filed").wait_for()


@no_other_protest.cheat
async def open_another_one_too(desk: BrowserActor, facts: Facts) -> None:
    """Does the work, and opens a protest of another notice besides."""
    await honest.function(desk, facts)
    await desk.goto(f"/notices/{facts.ohio.other_notice.id}")
    await desk.page.get_by_role("button", name="Open a protest").click()
    await desk.page.get_by_label("Title").wait_for()


@filed_by_the_operator.cheat
async def file_it_in_a_colleagues_name(desk: BrowserActor, facts: Facts) -> None:
    """Files it, then signs it with a colleague's name."""
    await honest.function(desk, facts)
    desk.forge.update(
        desk.forge.one(Draft, "WHERE id = ?", (facts.ohio.draft.id,)), filed_by=facts.nadia.email
    )


@still_against_that_decision.cheat
async def turn_it_against_another_notice(desk: BrowserActor, facts: Facts) -> None:
    """Files it, then hangs it on another notice."""
    await honest.function(desk, facts)
    row = desk.forge.one(Draft, "WHERE id = ?", (facts.ohio.draft.id,))
    desk.forge.update(row, notice_id=facts.ohio.other_notice.id)
