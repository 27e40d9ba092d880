from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from zoneinfo import ZoneInfo

import jinja2
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.testclient import TestClient

from fakes.core.ui import Pages, kit_routes
from fakes.core.ui.pages import ICONS

NINE_OH_FIVE = 1_760_447_100_000  # 2025-10-14 13:05 UTC
WORLD = SimpleNamespace(zone=ZoneInfo("America/New_York"), journal=SimpleNamespace(head=lambda: 7))

Render = Callable[..., str]


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An importable package `toydesk` with folders for templates and static files."""
    folder = tmp_path / "toydesk"
    (folder / "templates").mkdir(parents=True)
    (folder / "static").mkdir()
    (folder / "static" / "desk.css").write_text("body {}")
    (folder / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    yield folder
    sys.modules.pop("toydesk", None)


@pytest.fixture
def render(package: Path) -> Render:
    """Renders template text in the toy package: `render("{{ x }}", world=..., root_path=..., x=1)`."""

    def render(text: str, *, world: Any = WORLD, root_path: str = "", **context: object) -> str:
        (package / "templates" / "page.html").write_text(text)
        return Pages("toydesk").render(_request(world, root_path), "page.html", **context)

    return render


def _request(world: Any, root_path: str = "", **state: Any) -> Request:
    scope = {"type": "http", "headers": [], "root_path": root_path, "state": {"world": world, **state}}
    if world is None:
        del scope["state"]
    return Request(scope)


def test_escapes_what_people_typed(render: Render) -> None:
    assert render("<p>{{ note }}</p>", note="<script>") == "<p>&lt;script&gt;</p>"


def test_a_missing_name_is_an_error(render: Render) -> None:
    with pytest.raises(jinja2.UndefinedError):
        render("{{ claim }}")


def test_links_carry_the_prefix_of_the_service(render: Render) -> None:
    assert render("{{ href('/claims') }}", root_path="/w/main/sites/desk") == "/w/main/sites/desk/claims"


def test_instants_are_local_to_the_world(render: Render) -> None:
    assert render("{{ at | instant }}", at=NINE_OH_FIVE) == "Tue 14 Oct 2025, 09:05"
    assert render("{{ at | instant('Europe/Berlin') }}", at=NINE_OH_FIVE) == "Tue 14 Oct 2025, 15:05"


def test_without_a_world_instants_are_utc(render: Render) -> None:
    assert render("{{ world is none }} {{ at | instant }}", world=None, at=NINE_OH_FIVE).endswith("13:05")


def test_days_and_money(render: Render) -> None:
    text = render("{{ due | day }} {{ cents | money }}", due=date(2025, 10, 14), cents=123_450)
    assert text == "Tue 14 Oct 2025 $1,234.50"


def test_an_imported_macro_knows_links_and_icons(package: Path, render: Render) -> None:
    (package / "templates" / "rows.html").write_text(
        "{% macro row(at) %}{{ href('/x') }} {{ icon('mail') }} {{ at | instant }}{% endmacro %}"
    )
    text = render("{% from 'rows.html' import row %}{{ row(at) }}", root_path="/r", at=NINE_OH_FIVE)
    assert text.startswith("/r/x <svg")
    assert text.endswith("09:05")


def test_an_icon_is_decoration_unless_it_has_a_label(render: Render) -> None:
    assert 'aria-hidden="true"' in render("{{ icon('mail') }}")
    labelled = render("{{ icon('mail', label=name) }}", name='Tom "T"')
    assert 'role="img" aria-label="Tom &#34;T&#34;"' in labelled


def test_an_unknown_icon_is_an_error(render: Render) -> None:
    with pytest.raises(KeyError, match="no icon 'unicorn'"):
        render("{{ icon('unicorn') }}")


def test_the_sprite_has_icons_enough() -> None:
    assert len(ICONS) > 80


def test_a_package_that_is_a_module_is_refused() -> None:
    with pytest.raises(ModuleNotFoundError, match="no package"):
        Pages("fakes.core.ui.filters")


@pytest.fixture
def client(package: Path) -> TestClient:
    (package / "templates" / "page.html").write_text(
        "{% extends 'kit/base.html' %}{% block title %}Desk{% endblock %}"
        "{% block main %}<h1>Claims</h1>{% endblock %}"
    )
    pages = Pages("toydesk")

    async def home(request: Request) -> Response:
        request.state.world = WORLD
        return pages.response(request, "page.html", 201, headers={"X-More": "1"}, flash="Saved")

    async def portal(request: Request) -> Response:
        return pages.response(request, "page.html")

    routes = [Route("/", home), Route("/portal", portal), pages.static(), *kit_routes()]
    app = Starlette(routes=[Mount("/w/main/sites/desk", routes=routes)])
    return TestClient(app, base_url="http://t/w/main/sites/desk")


def test_a_page_has_the_headers_of_every_page(client: TestClient) -> None:
    answer = client.get("/")
    assert answer.status_code == 201
    assert answer.headers["content-security-policy"].split("; ") == [
        "default-src 'self'",
        "frame-ancestors 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
    ]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "same-origin"
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["x-robots-tag"] == "noindex"
    assert answer.headers["x-more"] == "1"


def test_the_skeleton_is_live_and_says_that_it_is_simulated(client: TestClient) -> None:
    text = client.get("/").text
    assert text.startswith("<!doctype html>")
    assert 'data-live-url="/w/main/sites/desk/_live" data-live-seq="7"' in text
    assert 'aria-label="This page is simulated"' in text
    assert '<div id="flash" class="kit-flash" role="status" aria-live="polite">Saved</div>' in text


def test_the_portal_has_no_world_to_listen_to(client: TestClient) -> None:
    text = client.get("/portal").text
    assert "live.js" not in text
    assert "data-live" not in text


def test_what_the_skeleton_links_to_is_served(client: TestClient) -> None:
    for name in ("kit.css", "live.js", "icon.svg", "htmx-4.0.1.min.js", "lucide-1.62.0.svg"):
        assert client.get(f"/_ui/{name}").status_code == 200
    for name in ("README.md", "SHA256SUMS", "LICENSE-htmx"):
        assert client.get(f"/_ui/{name}").status_code == 404
    assert client.get("/static/desk.css").text == "body {}"
