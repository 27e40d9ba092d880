"""Page tokens are signed, and bound to world, method and parameters."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fakes.core.paging import BadPageToken, page_position, page_token
from fakes.core.world import World


def test_a_token_gives_its_position_back(world: World) -> None:
    token = page_token(world, "list", {"q": "x"}, [7, "id"])
    assert page_position(world, "list", {"q": "x"}, token) == [7, "id"]


def test_a_token_for_another_call_is_refused(world: World) -> None:
    token = page_token(world, "list", {"q": "x"}, [7])
    for method, params in (("list", {"q": "y"}), ("search", {"q": "x"}), ("list", {})):
        with pytest.raises(BadPageToken):
            page_position(world, method, params, token)


def test_a_token_of_another_world_is_refused(world: World) -> None:
    token = page_token(world.fork("twin"), "list", {}, [7])
    with pytest.raises(BadPageToken):
        page_position(world, "list", {}, token)


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.text(max_size=80))
def test_nothing_else_is_a_token(world: World, text: str) -> None:
    with pytest.raises(BadPageToken):
        page_position(world, "list", {}, text)
