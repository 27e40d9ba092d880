"""The desk beside the Gmail fake, over real sockets: what the desk mails, people find in their mailboxes."""

from __future__ import annotations

import base64
import re
from collections.abc import AsyncIterator

import httpx
import pytest

from fakes.core import auth
from fakes.core.people import Person
from fakes.core.world import World
from harness.app import FIXED_SECRET, Server, Start
from sites.claims_desk.schema import FactQuestion, FactRequest, Operator
from sites.claims_desk.store import accounts


@pytest.fixture
async def office() -> AsyncIterator[Server]:
    """A server whose world `main` is the office."""
    async with Server(secret=FIXED_SECRET) as server:
        server.create_world("main", Start("office"))
        yield server


def person(world: World, email: str | None) -> Person:
    """Somebody of the office."""
    found = world.person(email or "")
    assert found is not None
    return found


async def newest_mail(server: Server, owner: Person, words: str) -> str:
    """The text of the newest mail that a search in the owner's mailbox finds."""
    world = server.worlds.get("main")
    root = f"http://127.0.0.1:{server.port}/w/main/gmail/v1/users/me/messages"
    headers = {"Authorization": f"Bearer {auth.issue_token(world, owner, 'gmail', scopes=SCOPE)}"}
    async with httpx.AsyncClient(headers=headers) as client:
        found = (await client.get(root, params={"q": words})).json()["messages"][0]
        payload = (await client.get(f"{root}/{found['id']}")).json()["payload"]
    part = payload if payload["body"].get("data") else payload["parts"][0]
    return base64.urlsafe_b64decode(part["body"]["data"]).decode()


SCOPE = "https://mail.google.com/"


async def test_the_manager_answers_through_the_link_in_his_mailbox(office: Server) -> None:
    world = office.worlds.get("main")
    request = world.one(FactRequest, "WHERE status = 'sent'")
    assert request is not None
    manager = person(world, request.manager_email)
    text = await newest_mail(office, manager, "subject:separation")
    link = re.search(r"http://\S+/q/\w+", text)
    assert link is not None
    lease = await office.lease("main", kind="person", medium="client", holder=manager.email)
    site = f"http://{lease.address}:{office.port}/w/main/sites/claims_desk"
    questions = world.all(FactQuestion, "WHERE request_id = ?", (request.id,))
    body = {"answers": [{"question_id": question.id, "text": "Yes."} for question in questions]}
    async with httpx.AsyncClient(headers={"Authorization": f"Link {link[0].rpartition('/')[2]}"}) as client:
        answer = await client.post(f"{site}/api/fact-requests/{request.id}/answers", json=body)
    assert answer.status_code == 201 and answer.json()["all_answered"] is True
    (change,) = [c for c in world.diff() if c.table == "cd_fact_requests"]
    (logged,) = world.log.rows("WHERE id = ?", (change.requests[-1],))
    assert (logged.lease, logged.credential) == (lease.id, f"link:{request.id}")
    assert (logged.person, logged.route) == (manager.email, "POST /api/fact-requests/{id}/answers")


async def test_a_mailed_code_arrives_in_the_operators_mailbox(office: Server) -> None:
    world = office.worlds.get("main")
    operator = world.one(Operator, "WHERE second_factor = 'email'")
    assert operator is not None
    accounts.send_mailed_code(world, operator)
    text = await newest_mail(office, person(world, operator.email), "subject:code")
    code = re.search(r"\b\d{6}\b", text)
    assert code is not None and accounts.check_second_factor(world, operator, code[0])
