"""A served book is printed anew when its archive changed, and is for this machine alone."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from harness.book.serving import book_app


@pytest.fixture
def out(tmp_path: Path) -> Path:
    folder = tmp_path / "book"
    folder.mkdir()
    (folder / "index.html").write_text("first")
    return folder


def asking(out: Path, archive: Path, host: str = "127.0.0.1") -> httpx.AsyncClient:
    def print_anew() -> None:
        (out / "index.html").write_text("second")

    transport = httpx.ASGITransport(book_app(out, archive, print_anew))
    return httpx.AsyncClient(transport=transport, base_url=f"http://{host}")


async def test_it_is_printed_anew_when_the_archive_changed(out: Path, tmp_path: Path) -> None:
    archive = tmp_path / "archive.db"
    async with asking(out, archive) as browser:
        assert (await browser.get("/")).text == "first"
        archive.write_bytes(b"more")
        answer = await browser.get("/index.html")
    assert answer.text == "second"
    assert "default-src 'none'" in answer.headers["content-security-policy"]


async def test_other_hosts_and_other_files_get_nothing(out: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("no")
    async with asking(out, tmp_path / "archive.db", "evil.example") as browser:
        assert (await browser.get("/")).status_code == 400
    async with asking(out, tmp_path / "archive.db") as browser:
        assert (await browser.get("/%2e%2e/secret.txt")).status_code == 404
