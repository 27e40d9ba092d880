"""Whatever is posted, the desk answers with its own envelope, and what it refuses changes nothing."""

from __future__ import annotations

import asyncio
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sites.claims_desk.api import routes
from sites.claims_desk.api.body import (
    AnswersBody,
    Body,
    ChasingBody,
    DraftBody,
    DraftChange,
    FactRequestBody,
    FlagBody,
    NoticeBody,
    UploadConfirm,
    UploadStart,
)
from sites.claims_desk.api.webhooks import WebhookBody
from tests.sites.claims_desk.conftest import Api, Facts
from tests.sites.claims_desk.test_access import WRITES

MODELS: dict[str, type[Body]] = {
    "/upload/start": UploadStart,
    "/upload/confirm": UploadConfirm,
    "/api/notices": NoticeBody,
    "/api/notices/{id}/flag": FlagBody,
    "/api/fact-requests": FactRequestBody,
    "/api/fact-requests/{id}/answers": AnswersBody,
    "/api/chases/sending": ChasingBody,
    "/api/drafts": DraftBody,
    "/api/drafts/{id}": DraftChange,
    "/api/webhooks": WebhookBody,
}
NO_BODY = {
    "/upload/{object_id}",
    "/api/documents/{id}/audit",
    "/api/notices/{id}/answered",
    "/api/fact-requests/{id}/send",
    "/api/chases/send-due",
    "/api/chases/{id}/send",
    "/api/drafts/{id}/file",
    "/api/webhooks/{id}",
    "/api/webhooks/{id}/deliveries/{delivery}/resend",
}
FIELDS = sorted(
    {field for model in MODELS.values() for field in model.model_fields} | {"question_id", "text", "x"}
)

words = st.sampled_from(
    ["NY", "PA", "VT", "XX", "determination", "hearing", "notice", "statement", "other",
     "lack_of_work", "2025-10-16", "9999-12-31", "0001-01-01", "2025-02-30", "text/plain",
     "", " ", "\u0000", "\u202e", "é" * 400]
)  # fmt: skip
plain = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(),
    words,
)
values = st.recursive(
    plain,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(FIELDS), inner, max_size=4),
    max_leaves=6,
)


def ids(facts: Facts) -> list[str]:
    """Ids of rows that are there, of both tenants, and one of none."""
    desk, theirs = facts.desk, facts.desk.neighbour
    rows = (
        desk.dana,
        desk.dana_claim,
        desk.lindqvist_claim,
        desk.determination,
        desk.request,
        theirs.claim,
        theirs.notice,
    )
    return [*(row.id for row in rows), "nothing"]


def test_every_write_is_tried() -> None:
    assert {path for _, path in WRITES} == set(MODELS) | NO_BODY
    assert routes()


@settings(
    max_examples=150,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(data=st.data())
def test_odd_bodies_are_refused_in_the_envelope_and_change_nothing(api: Api, facts: Facts, data: Any) -> None:
    method, path = data.draw(st.sampled_from(WRITES))
    known = st.sampled_from(ids(facts))
    fields = list(MODELS[path].model_fields) if path in MODELS else FIELDS
    body = data.draw(
        st.dictionaries(st.sampled_from(fields), values | words | known, max_size=len(fields)) | values,
        label="body",
    )
    full = path.replace("{id}", data.draw(known)).replace("{object_id}", data.draw(known))
    head = api.world.journal.head()
    answer = asyncio.run(api.call(method, full, json=body))
    assert answer.status_code < 500, (path, body)
    if answer.status_code >= 400:
        assert answer.json()["error"].keys() <= {"code", "message", "field"}
        assert answer.json()["error"]["message"]
        assert api.world.journal.head() == head


@settings(
    max_examples=40,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    raw=st.binary(max_size=200),
    type=st.sampled_from(["application/json", "application/x-www-form-urlencoded", "x"]),
)
def test_odd_bytes_are_no_crash_either(api: Api, facts: Facts, raw: bytes, type: str) -> None:
    for method, path in WRITES:
        if path in ("/upload/{object_id}", "/api/chases/send-due"):  # any bytes; no body is read
            continue
        full = path.replace("{id}", facts.desk.neighbour.request.id)
        answer = asyncio.run(api.call(method, full, content=raw, headers={"Content-Type": type}))
        assert 400 <= answer.status_code < 500


async def test_too_many_form_fields_and_too_long_a_body_are_refused(api: Api, facts: Facts) -> None:
    path = f"/api/fact-requests/{facts.desk.request.id}/answers"
    many = await api.call("POST", path, data={f"answer.{n}": "x" for n in range(300)})
    assert (many.status_code, many.json()["error"]["code"]) == (422, "invalid")
    long = await api.call("POST", path, content=b" " * 300_000)
    assert (long.status_code, long.json()["error"]["code"]) == (413, "too_large")
