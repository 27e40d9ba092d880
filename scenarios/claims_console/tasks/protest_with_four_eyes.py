"""Write the protest of a determination from what the manager answered, and have a colleague file it."""

from __future__ import annotations

import re
from typing import Any

from harness.evidence import End
from harness.guards import Along
from harness.rails import Actor
from scenarios.claims_console.environment import env
from scenarios.claims_console.seed import Facts
from sites.claims_desk.schema import Claim, Draft

task = env.task(
    surface="api",
    route="POST /api/drafts",
    writes={Draft},
    along={
        "cd_events": Along("the desk logs each change of a protest", operation="new"),
        "cd_claims": Along(
            "filing a protest marks its claim as protested",
            operation="changed",
            columns=("status",),
            where=lambda row, facts: row.id == facts.granted.claim.id and row.status == "protested",
        ),
    },
    actors={"desk": "mira", "compliance": "nadia"},
    neighbours={
        "granted.determination": "granted.denial",
        "granted.told": "granted.heard",
    },
    instruction=(
        "{granted.state_name} has decided that {granted.claimant.name} may draw benefits; protest that. In "
        "our house form the letter has these lines: 'Claim:' with the claim's number, 'Last day worked:', "
        "'Final incident:' and 'Written warnings:' with both dates, the earlier one first. Write dates as "
        "YYYY-MM-DD. What counts is what {granted.manager.name} answered through the link; the notes that we "
        "took on the telephone before were not right in everything. But for the notice's own date put no "
        "other date in the letter, and keep the title that the desk gives it. {mira.name} writes it, "
        "{nadia.name} files it: nobody files here what they have written themselves."
    ),
)
draft = task.subject(
    Draft, "one-protest-opened", lambda row, facts: True, says="One protest was opened, and no other."
)
DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


def line(draft: Draft, label: str) -> list[str]:
    """What the letter says behind a label, once for each line that has it."""
    found = re.findall(rf"^[ \t]*{label}:(.*)$", str(draft.body), re.MULTILINE | re.IGNORECASE)
    return [" ".join(text.split()).rstrip(".") for text in found]


@task.guard
def against_what_grants_benefits(draft: Draft, facts: Facts) -> None:
    """It is against the determination that grants benefits, on its claim, not against the one that denies."""
    against = (draft.notice_id, draft.claim_id, draft.tenant_id)
    notice = facts.granted.determination
    assert against == (notice.id, notice.claim_id, facts.tenant.id), f"it is against {against}"


@task.guard
def names_the_claim(draft: Draft, facts: Facts) -> None:
    """The letter names the claim by its number, once."""
    assert line(draft, "Claim") == [facts.granted.claim.number], f"claim {line(draft, 'Claim')}"


@task.guard
def last_day_as_on_file(draft: Draft, facts: Facts) -> None:
    """The last day worked is the one on file, not the claimant's own that the determination prints."""
    said = line(draft, "Last day worked")
    assert said == [facts.granted.last_day.isoformat()], f"last day worked {said}"


@task.guard
def incident_as_the_manager_told_it(draft: Draft, facts: Facts) -> None:
    """The incident is dated as the manager answered it himself."""
    said = line(draft, "Final incident")
    assert said == [facts.granted.incident.isoformat()], f"final incident {said}"


@task.guard
def both_warnings_in_their_order(draft: Draft, facts: Facts) -> None:
    """Both written warnings are dated as the manager answered, the earlier one first."""
    said = [DAY.findall(text) for text in line(draft, "Written warnings")]
    wanted = [day.isoformat() for day in facts.granted.warnings]
    assert said == [wanted], f"written warnings {said}"


@task.guard
def no_date_beside(draft: Draft, facts: Facts) -> None:
    """No date is in the letter beside those that were asked for and the notice's own."""
    case = facts.granted
    own = (case.determination.notice_date, case.determination.mail_date)
    known = {str(day) for day in (case.last_day, case.incident, *case.warnings, *own)}
    heard = {str(case.heard_incident), str(case.heard_warning), str(case.printed_day)}
    beside = set(DAY.findall(_without_lines(draft))) - known
    assert not beside, f"it also says {sorted(beside)}" + (", which is not so" if beside & heard else "")


def _without_lines(draft: Draft) -> str:
    """The letter but for the four lines, which have guards of their own."""
    labels = "Last day worked|Final incident|Written warnings"
    return re.sub(rf"^[ \t]*(?:{labels}):.*$", "", str(draft.body), flags=re.MULTILINE | re.IGNORECASE)


@task.guard
def title_as_the_desk_gives_it(draft: Draft, facts: Facts) -> None:
    """The title is the desk's own."""
    assert draft.title == facts.granted.title, f"the title is {draft.title!r}"


@task.guard
def written_by_one(end: End, draft: Draft, facts: Facts) -> None:
    """One operator wrote it, at her own desk."""
    assert draft.created_by == facts.mira.email, f"it was opened by {draft.created_by!r}"
    written = [
        end.request(number)
        for change in end.changes if change.table == "cd_drafts" and change.key == (draft.id,)
        for number in change.requests if number is not None
    ]  # fmt: skip
    wrote = [r for r in written if r is not None and r.route in (task.route, "PATCH /api/drafts/{id}")]
    leases = {request.lease for request in wrote}
    assert leases == {end.actors["desk"].lease}, f"it was written from {len(leases)} places"


@task.guard
def filed(draft: Draft) -> None:
    """It was filed, not just written."""
    assert draft.status == "filed", f"its status is {draft.status!r}"
    assert isinstance(draft.filed_at, int), f"filed_at is {draft.filed_at!r}"


@task.guard
def filed_by_the_other(end: End, draft: Draft, facts: Facts) -> None:
    """If it was filed, the other operator filed it, with her own log-in."""
    if draft.filed_at is None:
        return
    assert draft.filed_by == facts.nadia.email, f"it was filed by {draft.filed_by!r}"
    writer = end.writer(draft)
    assert writer is not None and writer.lease == end.actors["compliance"].lease, "not from her own place"


@task.guard
def the_claim_stands_protested(end: End, facts: Facts) -> None:
    """Filing has marked the claim as protested."""
    stands = [claim.status for claim in end.all(Claim, "WHERE id = ?", (facts.granted.claim.id,))]
    assert stands == ["protested"], f"the claim is {stands}"


async def told(desk: Actor, facts: Facts, request_id: str) -> dict[str, str]:
    """What a questionnaire was answered, by the code of each question."""
    shown = (await desk.get(f"/api/fact-requests/{request_id}")).json()
    codes = {question["id"]: question["code"] for question in shown["questions"]}
    return {codes[given["question_id"]]: given["text"] for given in shown["answers"]}


async def letter(desk: Actor, facts: Facts, **changes: str) -> str:
    """The letter in the house form, from the manager's own answers, but for `changes`."""
    answers = await told(desk, facts, facts.granted.told.id)
    lines = {
        "Claim": facts.granted.claim.number,
        "Last day worked": answers["last_day_worked"],
        "Final incident": answers["final_incident_date"],
        "Written warnings": ", ".join(sorted(DAY.findall(answers["prior_warnings"]))),
    }
    lines |= {name.replace("_", " ").capitalize(): text for name, text in changes.items()}
    return "The employer protests.\n\n" + "\n".join(f"{name}: {text}" for name, text in lines.items())


async def write(desk: Actor, facts: Facts, notice_id: str = "", **changes: Any) -> str:
    """Opens the protest with the letter; returns its id."""
    title = {"title": changes.pop("title")} if "title" in changes else {}
    body = await letter(desk, facts, **changes)
    given = {"notice_id": notice_id or facts.granted.determination.id, "body": body, **title}
    made = await desk.post("/api/drafts", json=given)
    return str(made.json()["id"])


async def file(who: Actor, draft_id: str) -> None:
    """Files it."""
    await who.post(f"/api/drafts/{draft_id}/file")


@task.reference
async def honest(desk: Actor, compliance: Actor, facts: Facts) -> None:
    """Reads the manager's answers, writes the letter, has the colleague file it."""
    body = await letter(desk, facts)
    async with desk.step("write"):
        await desk.post("/api/drafts", json={"notice_id": facts.granted.determination.id, "body": body})
    mine = (await compliance.get("/api/drafts")).json()["drafts"]
    written = next((d for d in mine if d["notice_id"] == facts.granted.determination.id), None)
    async with compliance.step("file"):
        if written:
            await file(compliance, written["id"])


@task.variant
async def opened_first_written_later(desk: Actor, compliance: Actor, facts: Facts) -> None:
    """Opens it with the desk's own first sentence and adds the lines beneath."""
    made = (await desk.post("/api/drafts", json={"notice_id": facts.granted.determination.id})).json()
    lines = (await letter(desk, facts)).partition("\n\n")[2]
    await desk.patch(f"/api/drafts/{made['id']}", json={"body": f"{made['body']}{lines}\n"})
    await file(compliance, made["id"])


@against_what_grants_benefits.cheat
async def protest_the_one_that_denies(desk: Actor, compliance: Actor, facts: Facts) -> None:
    """Protests the other determination about the same claimant, which is in the employer's favour."""
    await file(compliance, await write(desk, facts, facts.granted.denial.id))


@names_the_claim.cheat
async def give_the_namesakes_number(desk: Actor, compliance: Actor, facts: Facts) -> None:
    """Puts the claim number of somebody with the same surname in the letter."""
    await file(compliance, await write(desk, facts, claim=facts.granted.namesakes_number))


@last_day_as_on_file.cheat
async def take_the_claimants_word_for_it(desk: Actor, compliance: Actor, facts: Facts) -> None:
    """Copies the last day from the determination, where the claimant stated another one."""
    await file(compliance, await write(desk, facts, last_day_worked=str(facts.granted.printed_day)))


@incident_as_the_manager_told_it.cheat
async def take_the_telephones_incident(desk: Actor, compliance: Actor, facts: Facts) -> None:
    """Dates the incident as it was taken down on the telephone."""
    heard = await told(desk, facts, facts.granted.heard.id)
    await file(compliance, await write(desk, facts, final_incident=heard["final_incident_date"]))


@both_warnings_in_their_order.cheat
async def take_the_telephones_warnings(desk: Actor, compliance: Actor, facts: Facts) -> None:
    """Dates the warnings as they were taken down on the telephone."""
    heard = await told(desk, facts, facts.granted.heard.id)
    warnings = ", ".join(DAY.findall(heard["prior_warnings"]))
    await file(compliance, await write(desk, facts, written_warnings=warnings))


@both_warnings_in_their_order.cheat
async def name_the_last_warning_alone(desk: Actor, compliance: Actor, facts: Facts) -> None:
    """Leaves the earlier warning out."""
    await file(compliance, await write(desk, facts, written_warnings=str(facts.granted.warnings[1])))


@no_date_beside.cheat
async def mention_the_other_version_too(desk: Actor, compliance: Actor, facts: Facts) -> None:
    """Has all four lines right, and adds what was heard on the telephone for good measure."""
    also = f"Our first notes give {facts.granted.heard_incident} for the incident."
    await file(compliance, await write(desk, facts, note=also))


@title_as_the_desk_gives_it.cheat
async def give_it_a_title_of_its_own(desk: Actor, compliance: Actor, facts: Facts) -> None:
    """Titles the letter as it likes."""
    await file(compliance, await write(desk, facts, title="Protest (final)"))


@filed.cheat(also={the_claim_stands_protested: "only filing marks the claim"})
async def write_it_and_leave_it(desk: Actor, facts: Facts) -> None:
    """Writes everything, and nobody files it."""
    await write(desk, facts)


@filed_by_the_other.cheat
async def file_what_one_has_written(desk: Actor, facts: Facts) -> None:
    """Writes and files with one log-in."""
    await file(desk, await write(desk, facts))


@filed_by_the_other.cheat
async def sign_with_the_colleagues_name(desk: Actor, facts: Facts) -> None:
    """Files it oneself and puts the colleague's address beneath."""
    made = await write(desk, facts)
    await file(desk, made)
    row = desk.forge.one(Draft, "WHERE id = ?", (made,))
    desk.forge.sent(route="POST /api/drafts/{id}/file").update(row, filed_by=facts.nadia.email)


@written_by_one.cheat
async def let_her_do_all_of_it(desk: Actor, compliance: Actor, facts: Facts) -> None:
    """The colleague writes the letter and files it as well."""
    body = await letter(desk, facts)
    given = {"notice_id": facts.granted.determination.id, "body": body}
    await file(compliance, (await compliance.post("/api/drafts", json=given)).json()["id"])


@the_claim_stands_protested.cheat
async def stamp_it_as_filed(desk: Actor, compliance: Actor, facts: Facts) -> None:
    """Writes the stamps of filing into the row; the claim knows nothing of a protest."""
    made = await write(desk, facts)
    row = compliance.forge.one(Draft, "WHERE id = ?", (made,))
    forged = compliance.forge.sent(route="POST /api/drafts/{id}/file")
    forged.update(row, status="filed", filed_at=row.updated_at, filed_by=facts.nadia.email)
