from __future__ import annotations

import hashlib

import pytest

from fakes.core.objects import StoredObject
from fakes.core.world import World
from sites.claims_desk import rules
from sites.claims_desk.schema import Document, Event, Operator
from sites.claims_desk.seed import Desk
from sites.claims_desk.store import ledger
from tests.sites.claims_desk.conftest import Api, Facts


async def slot(api: Api, name: str = "paper.txt") -> str:
    """A fresh slot's id."""
    answer = await api.post("/upload/start", name=name, kind="statement", media_type="text/plain")
    assert answer.status_code == 201
    return str(answer.json()["object_id"])


async def test_an_upload_goes_through_three_steps(api: Api, world: World, desk: Desk, me: Operator) -> None:
    before = world.count(Event)
    started = await api.post("/upload/start", name=desk.q3_name, kind="statement", media_type="text/plain")
    id = started.json()["object_id"]
    assert started.json()["put_url"] == f"/w/main/sites/claims_desk/upload/{id}"
    stored = await api.call("PUT", f"/upload/{id}", content=desk.q3_text.encode())
    assert stored.json() == {
        "object_id": id, "byte_size": 1057, "sha256": hashlib.sha256(desk.q3_text.encode()).hexdigest(),
    }  # fmt: skip
    confirmed = await api.post("/upload/confirm", object_id=id, kind="statement")
    assert confirmed.status_code == 201
    made = world.get(Document, confirmed.json()["id"])
    assert made is not None and (made.byte_size, made.kind, made.name) == (1057, "statement", desk.q3_name)
    assert (made.tenant_id, made.uploaded_by, made.audit_started_at) == (me.tenant_id, me.email, None)
    [told] = world.all(Event, "WHERE seq > ? ORDER BY seq", (before,))
    assert (told.kind, told.subject_id) == ("document.uploaded", made.id)
    assert told.summary == f"{desk.q3_name} uploaded as statement (1,057 bytes)"


async def test_a_slot_without_bytes_is_not_confirmed(api: Api, world: World) -> None:
    before = world.count(Document)
    answer = await api.post("/upload/confirm", object_id=await slot(api), kind="statement")
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "no_stored_bytes")
    assert world.count(Document) == before


async def test_a_size_from_the_client_is_an_unknown_field(api: Api) -> None:
    answer = await api.post("/upload/confirm", object_id=await slot(api), kind="statement", byte_size=5)
    assert (answer.status_code, answer.json()["error"]["field"]) == (422, "byte_size")


async def test_a_row_forged_without_bytes_reads_zero(api: Api, world: World, desk: Desk) -> None:
    forged = ledger.document(world, desk.operators[0], desk.determination.id)
    with world.tx() as tx:
        tx.insert(Document(**{**forged.__dict__, "id": "doc_forged", "seq": 999, "object_id": "obj_none",
                              "byte_size": 1057}))  # fmt: skip
    assert (await api.get("/api/documents/doc_forged")).json()["byte_size"] == 0
    assert (await api.get("/api/documents/doc_forged/content")).json()["error"]["code"] == "no_stored_bytes"


async def test_a_slot_takes_bytes_once(api: Api) -> None:
    id = await slot(api)
    assert (await api.call("PUT", f"/upload/{id}", content=b"one")).status_code == 200
    again = await api.call("PUT", f"/upload/{id}", content=b"two")
    assert (again.status_code, again.json()["error"]["code"]) == (409, "already_stored")


async def test_an_upload_becomes_one_document(api: Api) -> None:
    id = await slot(api)
    await api.call("PUT", f"/upload/{id}", content=b"one")
    assert (await api.post("/upload/confirm", object_id=id, kind="other")).status_code == 201
    again = await api.post("/upload/confirm", object_id=id, kind="other")
    assert (again.status_code, again.json()["error"]["code"]) == (409, "already_confirmed")


async def test_a_slot_belongs_to_the_operator_who_opened_it(api: Api, nobody: Api, facts: Facts) -> None:
    id = await slot(api)
    colleague = nobody.with_token(facts.jonas)
    assert (await colleague.call("PUT", f"/upload/{id}", content=b"x")).status_code == 404
    await api.call("PUT", f"/upload/{id}", content=b"x")
    assert (await colleague.post("/upload/confirm", object_id=id, kind="other")).status_code == 404


async def test_more_than_ten_megabytes_are_refused_and_nothing_is_stored(api: Api, world: World) -> None:
    id = await slot(api)
    answer = await api.call("PUT", f"/upload/{id}", content=b"x" * (ledger.MAX_BYTES + 1))
    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "too_large")
    stored = world.get(StoredObject, id)
    assert stored is not None and stored.content is None
    assert (await api.call("PUT", f"/upload/{id}", content=b"x" * ledger.MAX_BYTES)).status_code == 200


async def test_an_empty_upload_is_refused(api: Api) -> None:
    answer = await api.call("PUT", f"/upload/{await slot(api)}", content=b"")
    assert (answer.status_code, answer.json()["error"]["field"]) == (422, "body")


@pytest.mark.parametrize(
    ("given", "kept"), [("../../etc/passwd", "passwd"), ("C:\\a\\b.txt", "b.txt"), (".hidden", "hidden")]
)
async def test_names_lose_their_folders(api: Api, given: str, kept: str) -> None:
    id = await slot(api, given)
    await api.call("PUT", f"/upload/{id}", content=b"x")
    assert (await api.post("/upload/confirm", object_id=id, kind="other")).json()["name"] == kept


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"name": "a", "kind": "invoice"}, "kind"),
        ({"name": " ", "kind": "other"}, "name"),
        ({"kind": "other"}, "name"),
        ({"name": 5, "kind": "other"}, "name"),
        ({"name": "a", "kind": "other", "media_type": "text/html\r\nX: y"}, "media_type"),
        ({"name": "a\x00b", "kind": "other"}, "name"),
    ],
)
async def test_a_bad_start_names_its_field(api: Api, body: dict[str, object], field: str) -> None:
    answer = await api.post("/upload/start", **body)
    assert (answer.status_code, answer.json()["error"]["field"]) == (422, field)


async def test_an_uploaded_page_is_handed_out_as_a_file(api: Api, desk: Desk) -> None:
    id = (await api.post("/upload/start", name="päge.html", kind="other", media_type="text/html")).json()[
        "object_id"
    ]
    await api.call("PUT", f"/upload/{id}", content=b"<script>1</script>")
    document = (await api.post("/upload/confirm", object_id=id, kind="other")).json()["id"]
    answer = await api.get(f"/api/documents/{document}/content")
    assert answer.content == b"<script>1</script>" and answer.headers["content-security-policy"] == "sandbox"
    assert answer.headers["content-disposition"] == "attachment; filename*=UTF-8''p%C3%A4ge.html"


async def test_a_papers_text_and_bytes_are_read_back(api: Api, desk: Desk) -> None:
    paper = (await api.get(f"/api/documents/{desk.determination.id}")).json()
    assert rules.read_notice(paper["text"]) == desk.printed
    content = await api.get(f"/api/documents/{desk.determination.id}/content")
    assert content.text == paper["text"] and len(content.content) == paper["byte_size"]
