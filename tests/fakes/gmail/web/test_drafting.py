"""Drafts on the pages: saved, taken up again, discarded and brought back, sent later and taken back."""

from __future__ import annotations

import re
from typing import Any

import httpx
import pytest

from fakes.core import people
from fakes.core.world import World
from fakes.gmail import store
from fakes.gmail.reading import ReadMail, read_mail
from fakes.gmail.schema import Draft, Message, Sending
from tests.fakes.gmail.town import MORNING, Cast, raw
from tests.fakes.gmail.web.test_visits import csrf

SCRIPT = {"X-Autosave": "1"}
HOUR = 3_600_000


async def _post(
    client: httpx.AsyncClient, path: str, *files: tuple[str, bytes], headers: Any = None, **fields: str
) -> httpx.Response:
    form = {"csrf": csrf(await client.get("/compose")), **fields}
    sent = [("files", (name, content, "text/plain")) for name, content in files]
    return await client.post(path, data=form, files=sent or None, headers=headers)


def _mail(world: World, draft: Draft) -> ReadMail:
    message = store.message_in(world, draft.owner, draft.message_id)
    assert message
    return read_mail(store.source_of(world, message).raw)


def _only(world: World) -> Draft:
    [draft] = world.all(Draft)
    return draft


async def test_what_was_written_is_saved_and_taken_up_again(
    mira: httpx.AsyncClient, world: World, cast: Cast
) -> None:
    typed = {"to": f"Tom <{cast.tom.email}>, not yet", "bcc": cast.lena.email, "subject": "S & S"}
    body = {"format": "html", "html": "<p>Half <b>a</b></p>"}
    told = (await _post(mira, "/drafts/save", **typed, **body, headers=SCRIPT)).json()
    assert told["draft"] == _only(world).id and told["path"] == f"/compose?draft={told['draft']}"
    page = (await mira.get(told["path"])).text
    assert 'value="Tom &lt;tom@harborlight.example&gt;, not yet"' in page and 'value="S &amp; S"' in page
    assert "<p>Half <b>a</b></p></div>" in page and "Half a</textarea>" in page
    await _post(mira, "/drafts/save", draft=told["draft"], **{**typed, "to": cast.tom.email}, text="Whole")
    assert _only(world).id == told["draft"]
    assert (_mail(world, _only(world)).text, _mail(world, _only(world)).bcc) == (
        "Whole\n",
        (cast.lena.email,),
    )


async def test_without_a_script_saving_leads_to_the_draft(mira: httpx.AsyncClient, world: World) -> None:
    answer = await _post(mira, "/drafts/save", text="Half a")
    assert answer.headers["location"] == f"/compose?draft={_only(world).id}"


async def test_files_come_and_go(mira: httpx.AsyncClient, world: World, cast: Cast) -> None:
    names = ("C:\\docs\\a.txt", "b.txt")
    told = (await _post(mira, "/drafts/save", *((name, b"1") for name in names), headers=SCRIPT)).json()
    assert "a.txt" in told["files"] and 'aria-label="Remove b.txt"' in told["files"]
    draft = _only(world)
    told = (await _post(mira, "/drafts/save", draft=draft.id, remove="0", headers=SCRIPT)).json()
    assert "a.txt" not in told["files"]
    await _post(mira, "/compose", ("c.txt", b"3"), draft=draft.id, to=cast.tom.email, subject="S")
    sent = world.all(Message, "WHERE owner = ?", (cast.tom.id,))[0]
    assert [(f.name, f.content) for f in read_mail(store.source_of(world, sent).raw).files] == [
        ("b.txt", b"1"), ("c.txt", b"3")
    ]  # fmt: skip


async def test_files_that_came_with_a_problem_are_not_lost(mira: httpx.AsyncClient, world: World) -> None:
    answer = await _post(mira, "/compose", ("a.txt", b"1"), to="nobody", subject="S")
    assert answer.status_code == 400 and "a.txt" in answer.text.partition('id="attached"')[2]
    assert f'name="draft" value="{_only(world).id}"' in answer.text


async def test_too_much_is_refused_and_nothing_changes(
    mira: httpx.AsyncClient, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fakes.gmail.web.editor.MOST_ATTACHED", 10)
    answer = await _post(mira, "/drafts/save", ("a.txt", b"x" * 11), headers=SCRIPT)
    assert answer.status_code == 400 and "at most 25 MB" in answer.json()["problem"]
    page = await _post(mira, "/compose", ("a.txt", b"x" * 11), to="tom@harborlight.example")
    assert 'id="problem-files"' in page.text and not world.count(Draft) and not world.count(Message)


async def test_a_draft_is_discarded_and_brought_back(mira: httpx.AsyncClient, world: World) -> None:
    await _post(mira, "/drafts/save", subject="S", text="Half a")
    draft = _only(world)
    answer = await _post(mira, "/discard", draft=draft.id)
    assert answer.headers["location"] == f"/?discarded={draft.id}" and not world.count(Draft)
    page = (await mira.get(answer.headers["location"])).text
    assert "Draft discarded." in page and 'action="/discard/undo"' in page
    back = await _post(mira, "/discard/undo", draft=draft.id)
    assert back.headers["location"] == f"/compose?draft={draft.id}"
    assert "Draft discarded." not in (await mira.get(f"/?discarded={draft.id}")).text
    assert _mail(world, _only(world)).text == "Half a\n"


async def test_an_answer_is_drafted_in_its_conversation(
    mira: httpx.AsyncClient, world: World, cast: Cast
) -> None:
    store.send(world, cast.tom, raw("At noon?", To=cast.mira.email, Subject="Lunch"))
    received = world.all(Message, "WHERE owner = ?", (cast.mira.id,))[0]
    form = {
        "kind": "reply",
        "about": received.id,
        "to": cast.tom.email,
        "subject": "Re: Lunch",
        "quote": "keep",
    }
    html = {"format": "html", "html": "<div>Half</div>"}
    told = (await _post(mira, "/drafts/save", **form, **html, headers=SCRIPT)).json()
    assert told["path"] == f"/t/{received.thread_id}?draft={told['draft']}"
    assert (await mira.get(f"/compose?draft={told['draft']}")).headers["location"] == told["path"]
    card = (await mira.get(f"/t/{received.thread_id}")).text
    assert f'id="draft-{told["draft"]}"' in card and "Half" in card
    page = (await mira.get(told["path"])).text
    assert f'id="draft-{told["draft"]}"' not in page and "<div>Half</div></div>" in page
    for _ in range(2):  # a quote does not grow
        await _post(mira, "/drafts/save", draft=told["draft"], quote="keep", **html, headers=SCRIPT)
    mail = _mail(world, _only(world))
    assert mail.text.count("> At noon?") == mail.html.count("At noon?") == 1
    await _post(mira, f"/t/{received.thread_id}/reply", draft=told["draft"], **html)
    sent = world.all(Message, "WHERE owner = ? ORDER BY seq DESC", (cast.mira.id,))[0]
    assert sent.thread_id == received.thread_id and not world.count(Draft)


async def test_a_mail_is_scheduled_by_the_persons_clock(
    mira: httpx.AsyncClient, world: World, cast: Cast
) -> None:
    world.advance(MORNING + 11 * 24 * HOUR)  # 1 November; clocks change in the night
    email = cast.mira.email
    await mira.post("/sign-in", data={"email": email, "password": people.password(world, email)})
    form = {"to": cast.tom.email, "subject": "S", "text": "x", "at": "2025-11-02T08:00"}
    answer = await _post(mira, "/schedule", **form)
    sending = world.all(Sending)[0]
    assert (sending.kind, sending.due_at - world.now()) == ("scheduled", int(23.5 * HOUR))
    page = (await mira.get(answer.headers["location"])).text
    assert "Send scheduled for Sun 2 Nov 2025, 08:00." in page and 'action="/unsend"' in page
    shown = await mira.get(f"/compose?draft={sending.draft_id}")
    waiting = (await mira.get(shown.headers["location"])).text
    assert "Cancel send" in waiting and "to Tom Reyes" in waiting
    back = await _post(mira, "/unsend", draft=sending.draft_id)
    assert back.headers["location"] == f"/compose?draft={sending.draft_id}" and not world.count(Sending)
    world.advance(sending.due_at + HOUR)
    assert not world.count(Message, "WHERE owner = ?", (cast.tom.id,))


async def test_fields_of_date_and_time_are_a_time_too(
    mira: httpx.AsyncClient, world: World, cast: Cast
) -> None:
    form = {"to": cast.tom.email, "subject": "S", "date": "2025-10-22", "time": "09:30"}
    await _post(mira, "/schedule", **form)
    assert world.all(Sending)[0].due_at == MORNING + 24 * HOUR
    world.advance(MORNING + 24 * HOUR)
    assert world.count(Message, "WHERE owner = ?", (cast.tom.id,)) == 1


@pytest.mark.parametrize("when", [{"at": "2025-10-20T08:00"}, {"date": "", "time": ""}, {"at": "soon"}])
async def test_a_time_that_is_past_or_none_is_refused(
    mira: httpx.AsyncClient, world: World, cast: Cast, when: dict[str, str]
) -> None:
    answer = await _post(mira, "/schedule", to=cast.tom.email, subject="Kept", **when)
    assert answer.status_code == 400 and 'id="problem-schedule"' in answer.text
    assert 'value="Kept"' in answer.text and not world.count(Sending)


async def test_what_was_sent_can_be_undone_while_time_runs(
    mira: httpx.AsyncClient, world: World, cast: Cast
) -> None:
    world.turn_clock("running")
    store.change_settings(world, cast.mira.id, undo_seconds=30)
    answer = await _post(mira, "/compose", to=cast.tom.email, subject="S", text="x")
    page = (await mira.get(answer.headers["location"])).text
    draft = world.all(Sending)[0].draft_id
    assert "Message sent." in page and 'action="/unsend"' in page
    world.advance(world.now() + 30_000)
    assert 'action="/unsend"' not in (await mira.get(answer.headers["location"])).text
    late = await _post(mira, "/unsend", draft=draft)
    assert "too late" in (await mira.get(late.headers["location"])).text
    assert world.count(Message, "WHERE owner = ?", (cast.tom.id,)) == 1


async def test_what_was_sent_is_not_sent_again(mira: httpx.AsyncClient, world: World, cast: Cast) -> None:
    await _post(mira, "/drafts/save", to=cast.tom.email, subject="S")
    form = {"draft": _only(world).id, "to": cast.tom.email, "subject": "S"}
    assert (await _post(mira, "/compose", **form)).status_code == 303
    for path in ("/compose", "/schedule"):
        again = await _post(mira, path, **form, at="2025-10-22T08:00")
        assert again.status_code == 400 and "This draft is gone" in again.text
    assert world.count(Message, "WHERE owner = ?", (cast.tom.id,)) == 1
    assert not world.count(Draft)


async def test_anothers_drafts_are_not_there(mira: httpx.AsyncClient, world: World, cast: Cast) -> None:
    theirs = store.create_draft(world, cast.tom, raw("Secret", To=cast.lena.email))
    assert (await mira.get(f"/compose?draft={theirs.id}")).status_code == 404
    await _post(mira, "/discard", draft=theirs.id)
    assert (await _post(mira, "/discard/undo", draft=theirs.id)).status_code == 404
    saved = (await _post(mira, "/drafts/save", draft=theirs.id, text="Mine", headers=SCRIPT)).json()
    assert saved["draft"] != theirs.id and _mail(world, theirs).text == "Secret"
    store.schedule(world, cast.tom, theirs, MORNING + HOUR)
    await _post(mira, "/unsend", draft=theirs.id)
    assert world.count(Sending) == 1


@pytest.mark.parametrize("path", ["/drafts/save", "/schedule", "/discard", "/discard/undo", "/unsend"])
async def test_forms_need_their_token(mira: httpx.AsyncClient, path: str) -> None:
    assert (await mira.post(path, data={"csrf": "made-up"})).status_code == 403


async def test_what_is_reopened_is_made_safe(mira: httpx.AsyncClient, world: World, cast: Cast) -> None:
    bad = "<script>x</script><form action=/x><b onclick=y>Half</b></form><img src=http://t.example/p>"
    draft = store.create_draft(world, cast.mira, raw(bad, Content_Type="text/html"))
    page = (await mira.get(f"/compose?draft={draft.id}")).text
    [shown] = re.findall(r'<div id="rich"[^>]*>(.*?)</div>', page)
    assert shown == "<b>Half</b>"
