"""Log-in forms come from their own host, and lead on to it."""

from __future__ import annotations

import pytest
from starlette.requests import Request

from fakes.core.forms import is_own_form, local_path


def sent(**headers: str) -> Request:
    raw = [(name.encode(), value.encode()) for name, value in headers.items()]
    return Request({"type": "http", "headers": raw})


def test_a_form_of_this_host_and_a_programs_form_are_taken() -> None:
    assert is_own_form(sent(host="a.main.localhost:8080", origin="http://a.main.localhost:8080"))
    assert is_own_form(sent(host="127.0.0.1:8080"))


@pytest.mark.parametrize("origin", ["http://evil.example", "http://b.main.localhost:8080", "null", ""])
def test_a_form_of_another_host_is_not(origin: str) -> None:
    assert not is_own_form(sent(host="a.main.localhost:8080", origin=origin))


@pytest.mark.parametrize("path", ["/", "/a?b=/c", "/q/é"])
def test_own_paths_are_kept(path: str) -> None:
    assert local_path(path) == path


@pytest.mark.parametrize("path", ["", "a", "//evil.example", "/\\evil.example", "/\t/evil.example", "/a\n", "http://x"])
def test_other_paths_lead_home(path: str) -> None:
    assert local_path(path) == "/"
