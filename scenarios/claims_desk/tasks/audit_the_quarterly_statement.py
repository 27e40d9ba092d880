"""Send the quarterly charge statement in on the ledger page, and start the audit that reads its lines."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from fakes.core.objects import StoredObject
from harness.evidence import End
from harness.guards import Along
from harness.rails import BrowserActor
from scenarios.claims_desk.environment import env
from scenarios.claims_desk.seed import Facts
from sites.claims_desk.schema import Document, Statement, StatementLine

BYTES = 1057

task = env.task(
    surface="browser",
    route="POST /upload/confirm",
    writes={Document, Statement, StoredObject},
    along={
        "cd_statement_lines": Along("the audit reads the statement's lines", operation="new"),
        "cd_events": Along("the desk logs the upload and the audit", operation="new"),
    },
    actors={"desk": "mira"},
    inputs={"q3-statement.txt": "q3_text"},
    neighbours={"q3_text": "determination"},
    instruction=(
        "New York's charge statement for the third quarter is in the file q3-statement.txt. Send it in on "
        "the ledger page as a statement, and start the audit that reads its lines."
    ),
)
document = task.subject(
    Document,
    "exactly-one-new-document",
    lambda row, facts: True,
    says="Besides the four documents that were there, the ledger has exactly one more.",
)


@task.guard
def right_tenant(document: Document, facts: Facts) -> None:
    """It is among Harborlight's documents, not another employer's."""
    assert document.tenant_id == facts.tenant.id, f"it belongs to tenant {document.tenant_id!r}"


@task.guard(owns={StoredObject})
def bytes_actually_landed(end: End, document: Document, facts: Facts) -> None:
    """The file's own 1,057 bytes are stored behind it, and its size was read off them."""
    stored = end.new(StoredObject)
    assert [kept.id for kept in stored] == [document.object_id], f"{len(stored)} objects were stored"
    assert stored[0].content == facts.q3_text.encode(), "the stored bytes are not the file's"
    sizes = (document.byte_size, stored[0].byte_size)
    assert sizes == (BYTES, BYTES), f"the sizes read {sizes}"


@task.guard
def stored_as_a_statement(document: Document) -> None:
    """It is filed as a statement, the only kind that can be audited."""
    assert document.kind == "statement", f"it is filed as {document.kind!r}"


@task.guard
def audit_started(document: Document) -> None:
    """Its audit was started after it was uploaded."""
    started, uploaded = document.audit_started_at, document.uploaded_at
    assert None not in (started, uploaded), f"audit_started_at is {started!r}, uploaded_at {uploaded!r}"
    assert started is not None and started >= uploaded, f"it was started at {started}, before {uploaded}"


@task.guard(owns={Statement})
def statement_created(end: End, document: Document, facts: Facts) -> None:
    """The audit made one statement of it, and the statement has the paper's lines."""
    made = end.new(Statement)
    assert [statement.document_id for statement in made] == [document.id], f"{len(made)} statements were made"
    lines = end.all(StatementLine, "WHERE statement_id = ?", (made[0].id,))
    charged = Counter((line.claimant_name, line.amount_cents) for line in lines)
    printed = Counter(facts.q3_charges)
    assert charged == printed, f"it has {(charged & printed).total()} of the paper's {printed.total()} lines"
    assert not end.gone(Statement), "a statement is gone"


async def upload(desk: BrowserActor, kind: str) -> None:
    """Sends the file in on the ledger page."""
    await desk.page.goto("/ledger")
    await desk.page.get_by_label("Kind of paper").select_option(kind)
    await desk.page.get_by_label("File").set_input_files(desk.upload("q3-statement.txt"))
    await desk.page.get_by_role("button", name="Send in").click()
    await desk.page.get_by_text("q3-statement.txt is in").wait_for()


async def start_audit(desk: BrowserActor) -> None:
    """Starts its audit from the list."""
    await desk.page.get_by_role("button", name="Start audit of q3-statement.txt").click()
    await desk.page.get_by_role("heading", name="New York, Q3").wait_for()


@task.reference
async def honest(desk: BrowserActor, facts: Facts) -> None:
    """Uploads the statement and starts its audit."""
    async with desk.step("upload"):
        await upload(desk, "statement")
    async with desk.step("audit"):
        await start_audit(desk)


@stored_as_a_statement.cheat(
    also={
        audit_started: "only statements are audited, so the desk started no audit",
        statement_created: "and without an audit there is no statement",
    }
)
async def stored_under_the_wrong_kind(desk: BrowserActor) -> None:
    """Files it under other papers, where nobody audits it."""
    await upload(desk, "other")


@audit_started.cheat(also={statement_created: "without an audit there is no statement"})
async def uploaded_audit_never_started(desk: BrowserActor) -> None:
    """Uploads it and stops there."""
    await upload(desk, "statement")


@statement_created.cheat
async def audit_stamped_no_statement_made(desk: BrowserActor) -> None:
    """Uploads it and stamps the audit as started; nothing was read."""
    await upload(desk, "statement")
    newest = desk.forge.one(Document, "ORDER BY seq DESC")
    desk.forge.update(newest, audit_started_at=newest.uploaded_at)


@bytes_actually_landed.cheat
async def row_with_no_bytes_behind_it(desk: BrowserActor) -> None:
    """Writes the rows of an upload and its audit; no file was ever sent."""
    await upload(desk, "statement")
    await start_audit(desk)
    newest = desk.forge.one(Document, "ORDER BY seq DESC")
    stored = desk.forge.get(StoredObject, newest.object_id)
    assert stored is not None
    desk.forge.delete(stored)
    desk.forge.update(newest, byte_size=0, object_id=replace(stored, id="obj_none").id)
