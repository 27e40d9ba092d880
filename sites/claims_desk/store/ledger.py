"""The ledger: uploads become documents, charge statements are audited, and sums are over stored lines."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from fakes.core import objects
from fakes.core.journal import Tx
from fakes.core.objects import StoredObject
from fakes.core.world import World
from sites.claims_desk import rules
from sites.claims_desk.errors import (
    AlreadyAudited,
    AlreadyConfirmed,
    AlreadyStored,
    Invalid,
    NoStoredBytes,
    NotAuditable,
    NotFound,
    TooLarge,
    UnreadablePaper,
)
from sites.claims_desk.schema import Claim, Claimant, Document, Operator, Statement, StatementLine
from sites.claims_desk.store import SERVICE, events, webhooks
from sites.claims_desk.store.reading import FIRST, Page, columns, marks, newest, own, split

_AS = {"statement": "statement", "notice": "notice", "other": "another kind of paper"}
KINDS = tuple(_AS)
MAX_BYTES = 10 * 1024 * 1024

# What is shown as a document's size is the stored object's: a row without bytes behind it reads 0.
_SIZE = "coalesce((SELECT s.byte_size FROM storage s WHERE s.id = d.object_id), 0)"
_DOCUMENT = columns(Document, "d").replace("d.byte_size", _SIZE)


@dataclass(frozen=True)
class LedgerStatement:
    """An audited statement with its lines as printed; the headline's sums are taken over these very lines."""

    statement: Statement
    document: Document | None
    lines: tuple[StatementLine, ...]

    @property
    def expected_cents(self) -> int:
        """What the lines marked expected add up to."""
        return sum(line.amount_cents for line in self.lines if line.mark == "expected")

    @property
    def questionable_cents(self) -> int:
        """What the lines marked questionable add up to."""
        return sum(line.amount_cents for line in self.lines if line.mark == "questionable")

    @property
    def total_cents(self) -> int:
        """All lines together."""
        return sum(line.amount_cents for line in self.lines)


# documents


def documents(world: World, me: Operator, page: Page = FIRST) -> list[Document]:
    """The tenant's papers, newest first; `byte_size` as the stored object has it."""
    tail = "WHERE d.tenant_id = ? AND d.seq < ? ORDER BY d.seq DESC LIMIT ?"
    return _documents(world, tail, (me.tenant_id, page.end, page.limit))


def unrecorded(world: World, me: Operator) -> list[Document]:
    """The papers, other than statements, that no notice was recorded from, newest first."""
    tail = """WHERE d.tenant_id = ? AND d.kind <> 'statement' AND NOT EXISTS (SELECT 1 FROM cd_notices n
    WHERE n.document_id = d.id AND +n.tenant_id = d.tenant_id) ORDER BY d.seq DESC"""
    return _documents(world, tail, (me.tenant_id,))


def document(world: World, me: Operator, id: str, field: str | None = None) -> Document:
    """One paper. Raises NotFound."""
    found = _documents(world, "WHERE d.id = ? AND d.tenant_id = ?", (id, me.tenant_id))
    if not found:
        raise NotFound("document", id, field)
    return found[0]


def content(world: World, me: Operator, id: str) -> StoredObject:
    """The stored bytes of a paper. Raises NotFound, NoStoredBytes."""
    paper = document(world, me, id)
    stored = world.get(StoredObject, paper.object_id) if paper.object_id else None
    if stored is None or stored.content is None or stored.service != SERVICE:
        raise NoStoredBytes(f"No bytes are stored for {paper.name!r}. Upload it again.")
    return stored


def text_of(world: World, me: Operator, id: str) -> str | None:
    """A paper's text; None when its bytes are no text, or there are none. Raises NotFound."""
    try:
        return (content(world, me, id).content or b"").decode()
    except (NoStoredBytes, UnicodeDecodeError):
        return None


def _documents(world: World, tail: str, params: tuple[Any, ...]) -> list[Document]:
    return [
        Document.read(values)
        for values in world.select(f"SELECT {_DOCUMENT} FROM cd_documents d {tail}", params)
    ]


# uploads


def start_upload(world: World, me: Operator, name: str, kind: str, media_type: str) -> StoredObject:
    """Opens a slot for bytes; only this operator can fill and confirm it. Raises Invalid."""
    _known_kind(kind)
    with world.tx() as tx:
        return objects.open_slot(
            tx, service=SERVICE, name=_file_name(name), media_type=media_type, owner=me.id, now=world.now()
        )


def put_upload(world: World, me: Operator, object_id: str, content: bytes) -> StoredObject:
    """Stores a slot's bytes, once. Raises NotFound, AlreadyStored, TooLarge, Invalid."""
    slot = _slot(world, me, object_id)
    if slot.content is not None:
        raise AlreadyStored("This slot has its bytes. Start another upload for other bytes.")
    if len(content) > MAX_BYTES:
        raise TooLarge(
            f"An upload holds at most {MAX_BYTES:,} bytes; this one has {len(content):,}. Split the file."
        )
    if not content:
        raise Invalid("The upload is empty. Send the file's bytes as the body.", "body")
    with world.tx() as tx:
        return objects.put_bytes(tx, slot, content, world.now())


def confirm_upload(
    world: World, me: Operator, object_id: str, kind: str, name: str | None = None
) -> Document:
    """Makes a document of a slot's bytes. Raises NotFound, NoStoredBytes, AlreadyConfirmed, Invalid."""
    _known_kind(kind)
    slot = _slot(world, me, object_id, "object_id")
    if slot.content is None:
        raise NoStoredBytes(
            "Nothing was stored in this slot yet. PUT the bytes first, then confirm.", "object_id"
        )
    if world.one(Document, "WHERE object_id = ? AND +tenant_id = ?", (slot.id, me.tenant_id)):
        raise AlreadyConfirmed("This upload is a document already. Look in the ledger.", "object_id")
    with world.tx() as tx:
        return add_document(tx, world, me, slot, kind, slot.name if name is None else _file_name(name))


def add_document(tx: Tx, world: World, me: Operator, stored: StoredObject, kind: str, name: str) -> Document:
    """The document of stored bytes, in the caller's transaction; its size is the object's."""
    made = tx.insert(Document(
        id=tx.new_id("cd_document", prefix="doc_"), seq=tx.seq("cd_document"), tenant_id=me.tenant_id,
        kind=kind, name=name, object_id=stored.id, byte_size=stored.byte_size, uploaded_by=me.email,
        uploaded_at=world.now(), audit_started_at=None,
    ))  # fmt: skip
    summary = f"{made.name} uploaded as {_AS.get(kind, kind)} ({made.byte_size or 0:,} bytes)"
    events.by(tx, world, me, "document.uploaded", made.id, summary)
    return made


def _known_kind(kind: str) -> None:
    if kind not in KINDS:
        raise Invalid(f"There is no document kind {kind!r}. Use one of {', '.join(KINDS)}.", "kind")


def _file_name(name: str) -> str:
    if not name.strip():
        raise Invalid("A document needs a name. Give the file's.", "name")
    return objects.safe_name(name)


def _slot(world: World, me: Operator, object_id: str, field: str | None = None) -> StoredObject:
    slot = world.get(StoredObject, object_id)
    if slot is None or slot.service != SERVICE or slot.owner != me.id:
        raise NotFound("upload", object_id, field)
    return slot


# audits


def start_audit(world: World, me: Operator, document_id: str) -> Statement:
    """Reads a charge statement's lines and marks each against the claims on file, all at once or not at all.

    Raises NotFound, NotAuditable, AlreadyAudited, NoStoredBytes, UnreadablePaper.
    """
    paper = document(world, me, document_id)
    if paper.kind != "statement":
        raise NotAuditable(
            f"{paper.name!r} is stored as {paper.kind}; only statements are audited. Upload it as one."
        )
    if paper.audit_started_at is not None or _audit_of(world, me, paper):
        raise AlreadyAudited(f"{paper.name!r} was audited already. Open its statement in the ledger.")
    first = audited_copies(world, me).get(paper.id)
    if first is not None:
        known = document(world, me, first)
        raise AlreadyAudited(
            f"{paper.name!r} has the same bytes as {known.name!r}, document {known.id!r}, which was audited "
            "already. Open that one's statement in the ledger."
        )
    read = _read(content(world, me, paper.id))
    audited = rules.audit_statement(read, _known_claims(world, me, read.state))
    with world.tx() as tx:
        tx.update(paper, audit_started_at=world.now())
        made = tx.insert(Statement(
            id=tx.new_id("cd_statement", prefix="stm_"), seq=tx.seq("cd_statement"), tenant_id=me.tenant_id,
            document_id=paper.id, state=read.state, quarter=read.quarter, statement_date=read.statement_date,
            printed_due=read.printed_due, printed_total_cents=read.headline_cents, created_at=world.now(),
        ))  # fmt: skip
        for line in audited.lines:
            _insert_line(tx, made, line)
        questionable = audited.count("questionable")
        summary = f"{paper.name} audited: {questionable} of {len(audited.lines)} lines questionable"
        events.by(tx, world, me, "audit.started", paper.id, summary)
        counts = {"lines": len(audited.lines), "questionable": questionable}
        webhooks.tell(tx, world, me.tenant_id, "statement.audited", made, **counts)
    return made


def unaudited(world: World, me: Operator) -> list[Document]:
    """The statements that wait for their audit, newest first; not those of which an audited copy is here."""
    tail = """WHERE d.tenant_id = ? AND d.kind = 'statement' AND d.audit_started_at IS NULL
    ORDER BY +d.seq DESC"""
    papers = _documents(world, tail, (me.tenant_id,))
    copies = audited_copies(world, me) if papers else {}
    return [paper for paper in papers if paper.id not in copies]


def audited_copies(world: World, me: Operator) -> dict[str, str]:
    """By the id of a statement that was not audited: the id of the first with the same bytes that was."""
    sql = """SELECT s.sha256, d.id, d.audit_started_at
    FROM cd_documents d JOIN storage s ON s.id = d.object_id
    WHERE d.tenant_id = ? AND d.kind = 'statement' AND s.sha256 IS NOT NULL ORDER BY +d.seq DESC"""
    found = world.select(sql, (me.tenant_id,))
    audited = {sha256: id for sha256, id, started in found if started is not None}  # the oldest comes last
    return {id: audited[sha256] for sha256, id, started in found if started is None and sha256 in audited}


def _audit_of(world: World, me: Operator, paper: Document) -> Statement | None:
    return world.one(Statement, "WHERE document_id = ? AND +tenant_id = ?", (paper.id, me.tenant_id))


def _read(stored: StoredObject) -> rules.Statement:
    try:
        return rules.read_statement((stored.content or b"").decode())
    except UnicodeDecodeError:
        raise UnreadablePaper(
            "The document is no text, so its lines can't be read. Upload the text of it."
        ) from None
    except rules.UnreadablePaper as error:
        raise UnreadablePaper(str(error)) from None


def _insert_line(tx: Tx, statement: Statement, audited: rules.AuditedLine) -> None:
    line = audited.line
    tx.insert(StatementLine(
        id=tx.new_id("cd_statement_line", prefix="lin_"), seq=tx.seq("cd_statement_line"),
        tenant_id=statement.tenant_id, statement_id=statement.id, claimant_name=line.claimant_name,
        ssn_last4=line.ssn_last4, first_week=line.first_week, last_week=line.last_week, weeks=line.weeks,
        separation_reason=line.separation_reason, amount_cents=line.amount_cents,
        claim_id=audited.claim.claim_id if audited.claim else None, mark=audited.mark, reason=audited.reason,
    ))  # fmt: skip


def _known_claims(world: World, me: Operator, state: str) -> list[rules.KnownClaim]:
    sql = f"""SELECT {columns(Claim, "c")}, {columns(Claimant, "p")} FROM cd_claims c
    JOIN cd_claimants p ON p.id = c.claimant_id AND p.tenant_id = c.tenant_id
    WHERE c.tenant_id = ? AND c.state = ? ORDER BY c.seq"""
    pairs = [split(values, (Claim, Claimant))[0] for values in world.select(sql, (me.tenant_id, state))]
    return [_known_claim(claim, claimant) for claim, claimant in pairs]


def _known_claim(claim: Claim, claimant: Claimant) -> rules.KnownClaim:
    return rules.KnownClaim(
        claimant_name=claimant.name, ssn_last4=claimant.ssn_last4, state=claim.state,
        separation_reason=claimant.separation_reason, separated_on=claimant.separated_on,
        last_day_worked=claimant.last_day_worked, status=claim.status, claim_id=claim.id,
    )  # fmt: skip


# statements


def statements(world: World, me: Operator, page: Page = FIRST) -> list[LedgerStatement]:
    """The tenant's audited statements with their lines, newest first."""
    found = newest(world, Statement, me, page)
    if not found:
        return []
    named = marks(found)
    papers = _documents(
        world, f"WHERE d.tenant_id = ? AND d.id IN ({named})", (me.tenant_id, *(s.document_id for s in found))
    )
    by_id = {paper.id: paper for paper in papers}
    lines: dict[str, list[StatementLine]] = {}
    tail = f"WHERE +tenant_id = ? AND statement_id IN ({named}) ORDER BY seq"
    for line in world.all(StatementLine, tail, (me.tenant_id, *(s.id for s in found))):
        lines.setdefault(line.statement_id, []).append(line)
    return [LedgerStatement(s, by_id.get(s.document_id), tuple(lines.get(s.id, ()))) for s in found]


def statements_of(world: World, me: Operator, document_ids: Collection[str]) -> dict[str, str]:
    """The audited statements of these papers, by the paper's id; the first where there are several."""
    sql = f"""SELECT document_id, id FROM cd_statements
    WHERE document_id IN ({marks(document_ids)}) AND +tenant_id = ? ORDER BY +seq DESC"""
    return dict(world.select(sql, (*document_ids, me.tenant_id)))


def statement(world: World, me: Operator, id: str) -> LedgerStatement:
    """One audited statement. Raises NotFound."""
    found = own(world, Statement, me, "statement", id)
    lines = world.all(
        StatementLine, "WHERE statement_id = ? AND +tenant_id = ? ORDER BY seq", (id, me.tenant_id)
    )
    papers = _documents(world, "WHERE d.id = ? AND d.tenant_id = ?", (found.document_id, me.tenant_id))
    return LedgerStatement(found, papers[0] if papers else None, tuple(lines))
