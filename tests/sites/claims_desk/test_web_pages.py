"""The console's pages over HTTP: who sees what, what a bad form does, what no page may hold."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from fakes.core.people import Person
from fakes.core.world import World
from sites.claims_desk import web
from sites.claims_desk.schema import Claim, Notice, Operator
from sites.claims_desk.store import claims, ledger, letters, notices, protests, questionnaires
from tests.sites.claims_desk.conftest import Api, Desk, Facts

ROOT = "/w/main/sites/claims_desk"
LISTS = (
    "/",
    "/ledger",
    "/claims",
    "/claimants",
    "/separations",
    "/notices",
    "/notices/new",
    "/questionnaires",
    "/chases",
    "/protests",
    "/events",
    "/settings/webhooks",
)
INLINE = re.compile(r"<style|\sstyle=|<script(?![^>]*\ssrc=)|\son[a-z]+=|javascript:", re.I)


@pytest.fixture
def mira(nobody: Api, facts: Facts) -> Api:
    """Mira in a browser that is logged in."""
    return nobody.with_cookie(facts.mira)


async def post(console: Api, path: str, /, **fields: str) -> tuple[int, str, str]:
    """Sends a form with its token: status, where it leads to, the page."""
    answer = await console.call("POST", path, data={"csrf": console.headers["X-CSRF"], **fields})
    return answer.status_code, answer.headers.get("location", "").removeprefix(ROOT), answer.text


def pages_of(world: World, me: Operator) -> Iterator[str]:
    """A page of every kind of row that this operator has."""
    yield f"/claims/{claims.claims(world, me)[0].claim.id}"
    yield f"/claimants/{claims.claimants(world, me)[0].id}"
    yield f"/documents/{ledger.documents(world, me)[0].id}"
    yield f"/documents/{ledger.documents(world, me)[0].id}/content"
    yield f"/ledger/{ledger.statements(world, me)[0].statement.id}"
    yield f"/notices/{notices.notices(world, me)[0].notice.id}"
    yield f"/questionnaires/{questionnaires.fact_requests(world, me)[0].request.id}"
    yield f"/protests/{protests.drafts(world, me)[0].id}"


# who sees what


async def test_every_page_opens_and_holds_nothing_inline(mira: Api, world: World, me: Operator) -> None:
    for path in (*LISTS, *pages_of(world, me)):
        page = await mira.get(path)
        assert page.status_code == 200, path
        if "text/html" in page.headers["content-type"]:
            assert not INLINE.search(page.text), (path, INLINE.search(page.text))
            assert "default-src 'self'" in page.headers["content-security-policy"]
            assert page.text.count("<table") == page.text.count("<caption"), path
            assert len(re.findall(r"<form[^>]*method=\"post\"", page.text)) == page.text.count(
                'name="csrf" v'
            ), path


async def test_links_stay_below_the_path_where_the_desk_is(mira: Api, world: World, me: Operator) -> None:
    for path in (*LISTS, *pages_of(world, me)):
        if path.endswith("/content"):
            continue
        text = (await mira.get(path)).text
        for link in re.findall(r'(?:href|src|action|hx-get)="([^"]*)"', text):
            assert link.startswith((ROOT + "/", "#", "?")), (path, link)


async def test_nobody_sees_a_page_without_logging_in(nobody: Api, world: World, me: Operator) -> None:
    for path in (*LISTS, *pages_of(world, me)):
        answer = await nobody.get(path)
        assert answer.status_code == 303, path
        assert answer.headers["location"].startswith(f"{ROOT}/login"), path
    asked = await nobody.get("/notices", show="human", q="dana")
    assert asked.headers["location"] == f"{ROOT}/login?next=%2Fnotices%3Fshow%3Dhuman%26q%3Ddana"
    assert (await nobody.call("POST", "/notices/new", data={})).headers["location"] == f"{ROOT}/login"


async def test_a_token_for_programs_opens_no_page(api: Api) -> None:
    assert (await api.get("/")).status_code == 303


async def test_another_tenants_rows_are_not_here(mira: Api, world: World, desk: Desk) -> None:
    theirs = desk.neighbour.operator
    for path in pages_of(world, theirs):
        page = await mira.get(path)
        assert page.status_code == 404, path
        assert "Not here" in page.text and "Harborlight" in page.text


async def test_each_tenant_sees_its_own_rows_on_every_list(nobody: Api, facts: Facts, desk: Desk) -> None:
    """The console once showed signed-in customers a demo list: it has to be the tenant's own rows."""
    mira, olga = nobody.with_cookie(facts.mira), nobody.with_cookie(facts.outsider)
    ours, theirs = desk.operators[0], desk.neighbour.operator
    world = nobody.world
    for console, me, other in ((mira, ours, theirs), (olga, theirs, ours)):
        text = {path: (await console.get(path)).text for path in LISTS}
        for path, rows in _links(world, me).items():
            assert rows, path
            for link in rows:
                assert f'href="{ROOT}{link}"' in text[path], (path, link)
        for path, rows in _links(world, other).items():
            for link in rows:
                assert link not in text[path], (path, link)


def _links(world: World, me: Operator) -> dict[str, list[str]]:
    return {
        "/claims": [f"/claims/{view.claim.id}" for view in claims.claims(world, me)],
        "/claimants": [f"/claimants/{who.id}" for who in claims.claimants(world, me)],
        "/separations": [f"/claimants/{who.id}" for who in claims.separations(world, me)],
        "/notices": [f"/notices/{view.notice.id}" for view in notices.notices(world, me)],
        "/questionnaires": [
            f"/questionnaires/{line.request.id}" for line in questionnaires.fact_requests(world, me)
        ],
        "/protests": [f"/protests/{draft.id}" for draft in protests.drafts(world, me)],
        "/ledger": [f"/ledger/{entry.statement.id}" for entry in ledger.statements(world, me)],
    }


async def test_the_operator_does_not_choose_the_tenant(mira: Api, desk: Desk) -> None:
    text = (await mira.get("/claims", tenant_id=desk.neighbour.tenant.id, q="")).text
    assert desk.neighbour.claim.number not in text


@pytest.mark.parametrize("path", ["/nothing", "/claims/nothing", "/q", "/claims/a/b"])
async def test_unknown_pages_are_refused_in_the_desks_look(nobody: Api, facts: Facts, path: str) -> None:
    html = {"headers": {"Accept": "text/html"}}
    signed_in = await nobody.with_cookie(facts.mira).call("GET", path, **html)
    assert signed_in.status_code == 404
    assert "Not here" in signed_in.text and "desk.css" in signed_in.text and "Mira Okafor" in signed_in.text
    out = await nobody.call("GET", path, **html)
    assert out.status_code in (303, 404) and "Mira" not in out.text


# lists


async def test_lists_are_looked_through(mira: Api, desk: Desk) -> None:
    text = (await mira.get("/claims", q="whitfield dana")).text
    assert desk.dana_claim.number in text and desk.marcus_claim.number not in text
    text = (await mira.get("/claims", show="lost")).text
    assert "Howard Pruitt" in text and desk.dana_claim.number not in text
    assert "No claim is like that." in (await mira.get("/claims", q="nobody at all")).text
    text = (await mira.get("/questionnaires", show="sent", q="lindqvist")).text
    assert desk.request.id in text


async def test_what_is_typed_is_shown_as_text(mira: Api) -> None:
    text = (await mira.get("/claims", q='"><script>alert(1)</script>')).text
    assert "<script>alert" not in text and "&lt;script&gt;alert" in text


async def test_long_lists_show_the_newest_and_lead_to_the_rest(mira: Api, world: World, desk: Desk) -> None:
    with world.tx() as tx:
        for n in range(600):
            tx.insert(
                Claim(
                    id=f"clm_x{n}",
                    seq=1000 + n,
                    tenant_id=desk.tenant.id,
                    claimant_id=desk.dana.id,
                    number=f"NY-X{n:04d}",
                    state="NY",
                    status="open",
                    filed_on=None,
                    opened_at=0,
                    opened_by=None,
                )  # fmt: skip
            )
    first = (await mira.get("/claims", show="open")).text
    assert "NY-X0599" in first and "NY-X0499<" not in first
    assert 'href="?show=open&amp;limit=200"' in first
    assert "More than 100 claims" in first
    last = (await mira.get("/claims", limit="100000")).text
    assert "NY-X0000" in last and desk.lindqvist_claim.number in last and "Show older ones" not in last
    for odd in ("-1", "x", "9" * 30, "²"):
        assert (await mira.get("/claims", limit=odd)).status_code == 200


async def test_a_broken_row_is_shown_rather_than_failed_on(mira: Api, world: World, me: Operator) -> None:
    found = notices.notices(world, me)[0].notice
    with world.tx() as tx:
        tx.execute(
            "UPDATE cd_notices SET mail_date = 'soon', due_computed = NULL, type = 'odd', state = 'ZZ', "
            "claim_id = 'x', claimant_id = NULL, document_id = NULL, needs_human = 1, "
            "needs_human_reason = NULL WHERE id = ?",
            (found.id,),
        )
    for path in (*LISTS, f"/notices/{found.id}"):
        assert (await mira.get(path)).status_code == 200, path
    assert "No reason was given." in (await mira.get(f"/notices/{found.id}")).text


# forms


async def test_a_form_without_its_token_changes_nothing(mira: Api, world: World, desk: Desk) -> None:
    before = world.state_hash()
    for path, fields in (
        (f"/notices/{notices.notices(world, desk.operators[0])[0].notice.id}/flag", {"reason": "Look."}),
        (f"/claims/{desk.dana_claim.id}/questionnaires", {"state": "NY", "category": "voluntary_quit"}),
        ("/logout", {}),
    ):
        for csrf in ({}, {"csrf": ""}, {"csrf": "x" * 32}):
            answer = await mira.call("POST", path, data={**fields, **csrf})
            assert answer.status_code == 403, path
    assert world.state_hash() == before


async def test_bad_input_is_said_beside_the_field_and_changes_nothing(
    mira: Api, world: World, desk: Desk
) -> None:
    me = desk.operators[0]
    found = notices.notices(world, me)[0].notice
    draft = next(d for d in protests.drafts(world, me) if d.filed_at is None)
    new = {
        "document_id": desk.determination.id,
        "claim_id": desk.dana_claim.id,
        "state": "NY",
        "type": "determination",
    }
    cases: tuple[tuple[str, dict[str, str], str], ...] = (
        (f"/notices/{found.id}/flag", {"reason": "  "}, "reason"),
        ("/notices/new", {**new, "document_id": ""}, "document_id"),
        ("/notices/new", {**new, "document_id": "doc_none"}, "document_id"),
        ("/notices/new", {**new, "state": ""}, "state"),
        ("/notices/new", {**new, "state": "PA"}, "state"),
        ("/notices/new", {**new, "type": ""}, "type"),
        ("/notices/new", {**new, "claim_id": "clm_none"}, "claim_id"),
        ("/notices/new", {**new, "mail_date": "last week"}, "mail_date"),
        (f"/claims/{desk.dana_claim.id}/questionnaires", {"state": "NY", "category": ""}, "category"),
        (f"/claims/{desk.dana_claim.id}/questionnaires", {"state": "NY", "category": "odd"}, "category"),
        (
            f"/claims/{desk.dana_claim.id}/questionnaires",
            {"state": "PA", "category": "voluntary_quit"},
            "state",
        ),
        (f"/protests/{draft.id}", {"title": " ", "body": "kept"}, "title"),
        (f"/protests/{draft.id}", {"title": "T", "body": " ", "do": "file"}, "body"),
    )
    before = world.state_hash()
    for path, fields, field in cases:
        status, _, text = await post(mira, path, **fields)
        assert status == 422, (path, fields)
        assert f'id="{field}-error"' in text and 'role="alert"' in text, (path, fields)
        assert re.search(rf'name="{field}"[^>]*aria-invalid="true"[^>]*{field}-error', text), (path, fields)
    assert world.state_hash() == before


async def test_everything_that_is_missing_is_said_at_once(mira: Api) -> None:
    status, _, text = await post(mira, "/notices/new", printed_due="soon")
    assert status == 422 and "See the messages beside the fields." in text
    assert re.findall(r'id="(\w+)-error"', text) == ["document_id", "state", "type", "printed_due"]
    assert re.findall(r'name="(\w+)"[^>]*autofocus', text) == ["document_id"], "the first is taken up first"


async def test_an_answered_notice_is_no_deadline_to_keep(mira: Api, world: World, desk: Desk) -> None:
    found = notices.notices(world, desk.operators[0])
    asked = next(view.notice for view in found if view.claim == desk.lindqvist_claim)
    link = f'href="{ROOT}/notices/{asked.id}"'
    assert link in (await mira.get("/")).text
    assert "Mark as answered" in (await mira.get(f"/notices/{asked.id}")).text
    status, onward, _ = await post(mira, f"/notices/{asked.id}/answered")
    assert (status, onward) == (303, f"/notices/{asked.id}?done=answered")
    page = (await mira.get(f"/notices/{asked.id}")).text
    assert "<dt>Answered</dt>" in page and "Mark as answered" not in page
    assert link not in (await mira.get("/")).text
    assert (await post(mira, f"/notices/{asked.id}/answered"))[0] == 409


async def test_typed_text_survives_a_refusal(mira: Api, world: World, desk: Desk) -> None:
    _, _, text = await post(
        mira, "/notices/new", document_id=desk.determination.id, claim_id=desk.dana_claim.id, state="NY",
        type="", mail_date="2025-10-16", notice_date="2025-10-15", printed_due="2025-11-05",
    )  # fmt: skip
    for value in ("2025-10-16", "2025-10-15", "2025-11-05"):
        assert f'value="{value}"' in text
    assert f'value="{desk.dana_claim.id}" selected' in text


async def test_a_notice_is_recorded_flagged_and_cleared(mira: Api, world: World, desk: Desk) -> None:
    form = (await mira.get("/notices/new", document_id=desk.determination.id, fill="1")).text
    assert desk.printed.printed_due and f'value="{desk.printed.printed_due}"' in form
    assert "Due by 2025-11-17" in form and "12 days later" in form
    status, onward, _ = await post(
        mira, "/notices/new", document_id=desk.determination.id, claim_id=desk.dana_claim.id, state="NY",
        type="determination", mail_date="2025-10-16", notice_date="2025-10-15", printed_due="2025-11-05",
    )  # fmt: skip
    assert status == 303 and onward.endswith("?done=recorded")
    made = notices.notices(world, desk.operators[0])[0].notice
    assert onward == f"/notices/{made.id}?done=recorded"
    page = (await mira.get(f"/notices/{made.id}", done="recorded")).text
    assert (
        "The notice is recorded." in page and "Dates disagree" in page and "NOTICE OF DETERMINATION" in page
    )
    assert (await post(mira, f"/notices/{made.id}/clear"))[0] == 303
    assert (await post(mira, f"/notices/{made.id}/clear"))[0] == 409
    assert (await post(mira, f"/notices/{made.id}/flag", reason="The agency has to be called."))[0] == 303
    stored = world.get(Notice, made.id)
    assert stored and stored.needs_human_reason == "The agency has to be called."
    assert stored.flagged_by == "mira@harborlight.example"


async def test_without_a_claim_a_new_one_is_opened(mira: Api, world: World, desk: Desk) -> None:
    before = len(claims.claims(world, desk.operators[0]))
    status, _, _ = await post(
        mira, "/notices/new", document_id=desk.determination.id, state="NY", type="determination",
        mail_date="2025-10-16", notice_date="2025-10-15", printed_due="2025-11-05",
    )  # fmt: skip
    assert status == 303
    assert len(claims.claims(world, desk.operators[0])) == before + 1


async def test_a_protest_is_opened_written_and_filed(mira: Api, world: World, desk: Desk) -> None:
    me = desk.operators[0]
    drafted = {draft.notice_id for draft in protests.drafts(world, me)}
    about = next(view.notice for view in notices.notices(world, me) if view.notice.id not in drafted)
    status, onward, _ = await post(mira, f"/notices/{about.id}/protest")
    assert status == 303 and onward.startswith("/protests/")
    draft = protests.drafts(world, me)[0]
    again = await post(mira, f"/notices/{about.id}/protest")
    assert again[:2] == (303, f"/protests/{draft.id}")
    await post(mira, f"/protests/{draft.id}", title="Protest", body="First.\r\nSecond.")
    assert protests.draft(world, me, draft.id).draft.body == "First.\nSecond."
    status, _, _ = await post(mira, f"/protests/{draft.id}", title="Protest", body="Filed text.", do="file")
    filed = protests.draft(world, me, draft.id).draft
    assert (status, filed.status, filed.body) == (303, "filed", "Filed text.")
    assert (await post(mira, f"/protests/{draft.id}", title="Other", body="Other"))[0] == 409
    assert "Protest filed" in (await mira.get("/notices")).text


async def test_a_questionnaire_is_opened_sent_and_taken_down_by_telephone(
    mira: Api, world: World, desk: Desk
) -> None:
    me = desk.operators[0]
    status, onward, _ = await post(
        mira, f"/claims/{desk.dana_claim.id}/questionnaires", state="NY", category="voluntary_quit"
    )
    asked = questionnaires.fact_requests(world, me)[0].request
    assert (status, onward, asked.sent_at) == (303, f"/questionnaires/{asked.id}?done=opened", None)
    assert (await post(mira, f"/questionnaires/{asked.id}/send"))[0] == 303
    assert (await post(mira, f"/questionnaires/{asked.id}/send"))[0] == 409
    status, _, text = await post(mira, f"/questionnaires/{asked.id}/answers")
    assert status == 422 and "Nothing was typed." in text and text.count("autofocus") == 1
    questions = questionnaires.fact_request(world, me, asked.id).questions
    fields = {f"answer.{question.id}": "yes" for question in questions[:2]}
    status, _, text = await post(
        mira, f"/questionnaires/{asked.id}/answers", **fields, **{"answer.nothing": "x"}
    )
    assert status == 422 and questionnaires.fact_request(world, me, asked.id).answers == ()
    assert (await post(mira, f"/questionnaires/{asked.id}/answers", **fields))[0] == 303
    view = questionnaires.fact_request(world, me, asked.id)
    assert {answer.answered_by for answer in view.answers} == {me.email} and view.answered == 2
    assert (await post(mira, f"/questionnaires/{asked.id}/answers", **fields))[0] == 409


# the ledger


def _cents(text: str) -> int:
    return int(re.sub(r"[^\d]", "", text))


async def test_the_headline_is_the_sum_of_the_body(mira: Api, world: World, me: Operator) -> None:
    """The ledger once showed a headline that its lines did not add up to."""
    entry = ledger.statements(world, me)[0]
    page = (await mira.get(f"/ledger/{entry.statement.id}")).text
    headline = _cents(re.findall(r'id="headline-total">([^<]+)<', page)[0])
    body = page[page.index("<tbody>") : page.index("</tbody>")]
    lines = [_cents(found) for found in re.findall(r'data-label="Charged">([^<]+)<', body)]
    assert len(lines) == len(entry.lines) and sum(lines) == headline == entry.total_cents
    listed = (await mira.get("/ledger")).text
    assert re.findall(r'data-label="Charged">([^<]+)<', listed)[0] == re.findall(r'total">([^<]+)<', page)[0]


async def test_an_audit_is_started_once_and_only_of_statements(mira: Api, world: World, desk: Desk) -> None:
    me = desk.operators[0]
    status, _, text = await post(mira, f"/documents/{desk.determination.id}/audit")
    assert status == 409 and "only statements are audited" in text
    slot = ledger.start_upload(world, me, desk.q3_name, "statement", "text/plain")
    ledger.put_upload(world, me, slot.id, desk.q3_text.encode())
    paper = ledger.confirm_upload(world, me, slot.id, "statement")
    status, onward, _ = await post(mira, f"/documents/{paper.id}/audit")
    assert status == 303 and onward == f"/ledger/{ledger.statements(world, me)[0].statement.id}?done=audited"
    assert (await post(mira, f"/documents/{paper.id}/audit"))[0] == 409
    assert 'title="to audit"' not in (await mira.get("/ledger")).text
    copy = ledger.start_upload(world, me, "again.txt", "statement", "text/plain")
    ledger.put_upload(world, me, copy.id, desk.q3_text.encode())
    second = ledger.confirm_upload(world, me, copy.id, "statement")
    status, _, text = await post(mira, f"/documents/{second.id}/audit")
    assert status == 409 and "has the same bytes as" in text and "Start audit" not in text
    listed = (await mira.get("/ledger")).text
    assert "Audited already" in listed and "Start audit" not in listed and 'title="to audit"' not in listed
    assert (await post(mira, "/documents/nothing/audit"))[0] == 404


async def test_a_paper_is_kept_and_never_run(mira: Api, world: World, me: Operator) -> None:
    slot = ledger.start_upload(world, me, "page.html", "other", "text/html")
    ledger.put_upload(world, me, slot.id, b"<script>alert(1)</script>")
    paper = ledger.confirm_upload(world, me, slot.id, "other")
    kept = await mira.get(f"/documents/{paper.id}/content")
    assert kept.headers["content-type"] == "application/octet-stream"
    assert kept.headers["content-disposition"].startswith("attachment")
    assert "&lt;script&gt;" in (await mira.get(f"/documents/{paper.id}")).text


# the manager's page


async def test_the_managers_page_asks_what_is_open(
    nobody: Api, world: World, desk: Desk, me: Operator
) -> None:
    token = letters.link_token(world, desk.request.id)
    page = (await nobody.get(f"/q/{token}")).text
    assert "Harborlight" in page and desk.lindqvist.name in page
    assert "Tuesday, October 28, 2025 at 11:59 PM" in page and "11 questions are open" in page
    assert f'action="{ROOT}/api/fact-requests/{desk.request.id}/answers"' in page
    questions = questionnaires.fact_request(world, me, desk.request.id).questions
    assert page.count("data-question=") == len(questions) and not INLINE.search(page)
    record = world.log.rows("ORDER BY id DESC LIMIT 1")[0]
    assert token not in record.path and record.credential == f"link:{desk.request.id}"


async def test_a_browsers_form_leads_from_answers_to_thanks(
    nobody: Api, world: World, desk: Desk, me: Operator
) -> None:
    token = letters.link_token(world, desk.request.id)
    questions = questionnaires.fact_request(world, me, desk.request.id).questions
    html = {"Accept": "text/html"}
    path = f"/api/fact-requests/{desk.request.id}/answers"
    empty = await nobody.call("POST", path, data={"link": token}, headers=html)
    assert empty.headers["location"] == f"{ROOT}/q/{token}?error=invalid"
    assert "no question was answered" in (await nobody.get(f"/q/{token}", error="invalid")).text
    some = {"link": token, f"answer.{questions[2].id}": "He left early."}
    saved = await nobody.call("POST", path, data=some, headers=html)
    assert (saved.status_code, saved.headers["location"]) == (303, f"{ROOT}/q/{token}?saved=1")
    assert "10 questions are open" in (await nobody.get(f"/q/{token}")).text
    told = (await nobody.get(f"/q/{token}", saved="1")).text
    assert "1 answer is saved. You can come back by the same link until Tuesday, October 28, 2025" in told
    for odd in ("9", "x", "-1", "²", "1" * 20):
        assert "9 answers" not in (await nobody.get(f"/q/{token}", saved=odd)).text
    rest = {"link": token} | {f"answer.{q.id}": "yes" for q in questions if q.id != questions[2].id}
    assert (await nobody.call("POST", path, data=rest, headers=html)).status_code == 303
    thanks = (await nobody.get(f"/q/{token}")).text
    assert "Thank you" in thanks and "He left early." in thanks and "<form" not in thanks


async def test_a_link_ends(nobody: Api, world: World, desk: Desk) -> None:
    token = letters.link_token(world, desk.request.id)
    unknown = await nobody.get("/q/nothing")
    assert unknown.status_code == 404 and "not known" in unknown.text
    assert desk.request.expires_at is not None
    world.advance(desk.request.expires_at + 60_000)
    over = await nobody.get(f"/q/{token}")
    assert over.status_code == 410 and "The time to answer is over" in over.text and "<form" not in over.text


# the whole


def test_every_page_and_form_tells_the_log_its_route() -> None:
    assert {type(route).__name__ for route in web.routes()} == {"LoggedRoute", "Mount"}


async def test_reading_pages_changes_nothing(mira: Api, world: World, me: Operator) -> None:
    before = world.state_hash()
    for path in (*LISTS, *pages_of(world, me)):
        await mira.get(path)
    assert world.state_hash() == before


async def test_two_operators_of_one_tenant_see_the_same(nobody: Api, facts: Facts) -> None:
    people: tuple[Person, ...] = (facts.mira, facts.jonas)
    texts = [(await nobody.with_cookie(who).get("/claims")).text for who in people]
    rows = [re.findall(r'href="[^"]+/claims/(clm_\w+)"', text) for text in texts]
    assert rows[0] == rows[1] != []
