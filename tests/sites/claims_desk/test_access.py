from __future__ import annotations

import pytest

from fakes.core import auth
from fakes.core.requests import LoggedRequest
from fakes.core.world import World
from fakes.core.worlds import Worlds
from sites.claims_desk.api import routes
from sites.claims_desk.schema import Operator
from tests.sites.claims_desk.conftest import Api, Facts

ROUTES = sorted(
    {(method, route.path) for route in routes() for method in route.methods - {"HEAD"}}  # type: ignore[attr-defined]
)
WRITES = [(method, path) for method, path in ROUTES if method != "GET"]


def filled(path: str, id: str = "nothing") -> str:
    """The path with an id in it."""
    return path.replace("{id}", id).replace("{object_id}", id)


@pytest.mark.parametrize(("method", "path"), ROUTES)
async def test_every_route_refuses_whoever_is_not_signed_in(nobody: Api, method: str, path: str) -> None:
    answer = await nobody.call(method, filled(path))
    assert answer.status_code == 401 and answer.headers["www-authenticate"].startswith("Bearer")
    assert answer.json()["error"].keys() == {"code", "message"}
    assert answer.json()["error"]["code"] == "not_signed_in"


@pytest.mark.parametrize(("method", "path"), ROUTES)
async def test_every_route_refuses_a_person_who_is_no_operator(
    nobody: Api, facts: Facts, method: str, path: str
) -> None:
    answer = await nobody.with_token(facts.visitor).call(method, filled(path))
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "not_an_operator")


@pytest.mark.parametrize(("method", "path"), WRITES)
async def test_every_write_by_cookie_needs_the_csrf_token(
    nobody: Api, facts: Facts, method: str, path: str
) -> None:
    answer = await nobody.with_cookie(facts.mira, csrf=False).call(method, filled(path))
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "csrf_failed")


@pytest.mark.parametrize(("method", "path"), [(m, p) for m, p in ROUTES if "{" in p])
async def test_every_route_with_an_id_says_not_found(api: Api, method: str, path: str) -> None:
    bodies = {"reason": "x", "answers": [{"question_id": "x", "text": "x"}], "title": "x"}
    wanted = {"flag": ["reason"], "answers": ["answers"], "{id}": ["title"]}.get(path.rsplit("/", 1)[-1], [])
    answer = await api.call(method, filled(path), json={name: bodies[name] for name in wanted})
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_found")


async def test_a_wrong_bearer_is_not_helped_by_a_good_cookie(nobody: Api, facts: Facts) -> None:
    cookie = nobody.with_cookie(facts.mira)
    answer = await cookie.call("GET", "/api/claims", headers={"Authorization": "Bearer wrong"})
    assert answer.status_code == 401


async def test_a_token_of_another_service_opens_nothing(nobody: Api, facts: Facts) -> None:
    assert (await nobody.with_token(facts.mira, "gmail").get("/api/claims")).status_code == 401


async def test_a_session_before_its_second_factor_opens_nothing(nobody: Api, facts: Facts) -> None:
    assert (await nobody.with_cookie(facts.mira, stage="password").get("/api/claims")).status_code == 401


async def test_a_session_ends_by_the_run_clock(nobody: Api, facts: Facts, world: World) -> None:
    browser = nobody.with_cookie(facts.mira)
    assert (await browser.get("/api/claims")).status_code == 200
    world.advance(world.now() + auth.SESSION_TTL)
    assert (await browser.get("/api/claims")).status_code == 401


async def test_a_disabled_operator_is_shut_out_at_once(api: Api, world: World, me: Operator) -> None:
    with world.tx() as tx:
        tx.update(me, disabled_at=world.now())
    assert (await api.get("/api/claims")).status_code == 403


async def test_a_token_of_one_world_opens_no_other(api: Api, worlds: Worlds) -> None:
    assert (await api.at(worlds.get("other")).get("/api/claims")).status_code == 401


async def test_paths_that_are_none_and_wrong_methods_get_the_same_envelope(api: Api) -> None:
    missing = await api.get("/api/nothing")
    assert (missing.status_code, missing.json()["error"]["code"]) == (404, "not_found")
    wrong = await api.call("DELETE", "/api/claims")
    assert (wrong.status_code, wrong.json()["error"]["code"]) == (405, "method_not_allowed")


async def test_the_request_log_names_credential_route_and_person(
    api: Api, world: World, facts: Facts
) -> None:
    await api.get(f"/api/claims/{facts.desk.dana_claim.id}")
    logged: LoggedRequest = world.log.rows()[-1]
    assert logged.route == "GET /api/claims/{id}" and logged.person == facts.mira.email
    assert (logged.credential or "").startswith("token:")
