from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.testclient import TestClient

from fakes.core.ui.static import KIT, Static


@pytest.fixture
def client(tmp_path: Path) -> TestClient:
    (tmp_path / "secret.css").write_text("not yours")
    served = tmp_path / "static"
    (served / "deep").mkdir(parents=True)
    (served / "desk.css").write_text("body {}")
    (served / "deep" / "desk.js").write_text("1;")
    (served / "README.md").write_text("for developers")
    return TestClient(Starlette(routes=[Mount("/static", app=Static(served))]))


def test_serves_a_file_with_its_type(client: TestClient) -> None:
    answer = client.get("/static/desk.css")
    assert answer.text == "body {}"
    assert answer.headers["content-type"] == "text/css; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_serves_folders_below(client: TestClient) -> None:
    assert client.get("/static/deep/desk.js").headers["content-type"] == "text/javascript; charset=utf-8"


def test_head_has_no_body(client: TestClient) -> None:
    answer = client.head("/static/desk.css")
    assert (answer.status_code, answer.content, answer.headers["content-length"]) == (200, b"", "7")


def test_an_unchanged_file_is_not_sent_again(client: TestClient) -> None:
    etag = client.get("/static/desk.css").headers["etag"]
    answer = client.get("/static/desk.css", headers={"If-None-Match": f"W/{etag}, {etag}"})
    assert (answer.status_code, answer.content) == (304, b"")


def test_below_a_prefix(tmp_path: Path, client: TestClient) -> None:
    app = Starlette(routes=[Mount("/w/main/sites/desk", app=client.app)])
    assert TestClient(app).get("/w/main/sites/desk/static/desk.css").text == "body {}"


@pytest.mark.parametrize(
    "path",
    ["/static/", "/static/deep", "/static/README.md", "/static/../secret.css", "/static/%2e%2e/secret.css",
     "/static/deep/..%2f..%2fsecret.css", "/static//secret.css", "/static/%2Fetc/passwd"],
)  # fmt: skip
def test_serves_nothing_else(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 404


def test_only_reading(client: TestClient) -> None:
    answer = client.post("/static/desk.css")
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET, HEAD")


def test_a_missing_folder_is_said_at_once(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no folder"):
        Static(tmp_path / "nothing")


def test_vendored_files_are_those_of_the_checksums() -> None:
    vendor = KIT / "vendor"
    lines = (line.split() for line in (vendor / "SHA256SUMS").read_text().splitlines())
    sums = {name: digest for digest, name in lines}
    present = {path.name for path in vendor.iterdir()} - {"README.md", "SHA256SUMS"}
    assert present == sums.keys()
    assert {name: hashlib.sha256((vendor / name).read_bytes()).hexdigest() for name in present} == sums
