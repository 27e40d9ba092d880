"""Files of a mail: handed out to its owner alone, never as a page."""

from __future__ import annotations

import io
import zipfile

import httpx
import pytest

from fakes.core.capabilities import Attachment
from fakes.core.world import World
from fakes.gmail import store
from fakes.gmail.rules import mime
from fakes.gmail.schema import Message
from tests.fakes.gmail.town import Cast, raw

PAGE = b"<script>alert(1)</script>"


def _sent(world: World, cast: Cast, *files: Attachment) -> Message:
    mail = mime.write([("To", cast.mira.email), ("Subject", "Files")], "Here", "", files)
    return store.send(world, cast.mira, mail)


async def _file(client: httpx.AsyncClient, message: Message, n: int, query: str = "") -> httpx.Response:
    return await client.get(f"/m/{message.id}/files/{n}{query}")


@pytest.mark.parametrize("query", ["", "?view=1"])
@pytest.mark.parametrize("kind", ["text/html", "image/svg+xml", "application/xhtml+xml", "text/xml"])
async def test_what_could_run_is_only_saved(
    mira: httpx.AsyncClient, world: World, cast: Cast, kind: str, query: str
) -> None:
    answer = await _file(mira, _sent(world, cast, Attachment("page.html", kind, PAGE)), 2, query)
    assert (answer.content, answer.headers["content-type"]) == (PAGE, kind)
    assert answer.headers["content-disposition"].startswith("attachment; ")
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["content-security-policy"] == "default-src 'none'; sandbox"


async def test_a_picture_can_be_shown(mira: httpx.AsyncClient, world: World, cast: Cast) -> None:
    message = _sent(world, cast, Attachment("dock.png", "image/png", b"\x89PNG"))
    assert (await _file(mira, message, 2)).headers["content-disposition"].startswith("attachment; ")
    shown = await _file(mira, message, 2, "?view=1")
    assert shown.headers["content-disposition"].startswith("inline; ")
    assert (shown.headers["content-type"], shown.content) == ("image/png", b"\x89PNG")
    assert f'<img src="/m/{message.id}/files/2?view=1"' in (await mira.get(f"/t/{message.thread_id}")).text


@pytest.mark.parametrize(
    ("name", "plain", "encoded"),
    [
        ("Größe.csv", "Gr__e.csv", "Gr%C3%B6%C3%9Fe.csv"),
        ("../../etc/passwd", "passwd", "passwd"),
        ('a"; filename="b.exe', "a _ filename=_b.exe", "a%20%3B%20filename%3D%20b.exe"),
        ("..", "attachment", "attachment"),
    ],
)
async def test_a_files_name_is_only_a_name(
    mira: httpx.AsyncClient, world: World, cast: Cast, name: str, plain: str, encoded: str
) -> None:
    answer = await _file(mira, _sent(world, cast, Attachment(name, "text/csv", b"a")), 2)
    told = answer.headers["content-disposition"]
    assert told.count('"') == 2 and "\r" not in told and "/" not in told.partition("*=")[0]
    assert told.endswith(encoded) or plain in told


async def test_a_picture_inside_the_text_is_shown_there(
    mira: httpx.AsyncClient, world: World, cast: Cast
) -> None:
    parts = [
        'Content-Type: text/html\n\n<p>Look</p><img src="cid:dock@1" alt="The dock">',
        "Content-Type: image/png; name=dock.png\nContent-ID: <dock@1>\n\nPNG",
    ]
    body = "".join(f"--b\n{part}\n" for part in parts) + "--b--"
    mail = raw(body, To=cast.mira.email, Content_Type="multipart/related; boundary=b")
    message = store.send(world, cast.mira, mail)
    page = (await mira.get(f"/t/{message.thread_id}")).text
    assert f"/m/{message.id}/files/2?view=1" in page and "cid:" not in page
    assert 'aria-label="Attachments"' not in page
    assert (await _file(mira, message, 2, "?view=1")).content == b"PNG"


async def test_all_files_come_in_one_archive(mira: httpx.AsyncClient, world: World, cast: Cast) -> None:
    files = [Attachment("a.txt", "text/plain", b"1"), Attachment("a.txt", "text/plain", b"2")]
    message = _sent(world, cast, *files)
    answer = await mira.get(f"/m/{message.id}/files")
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == {"a.txt": b"1", "a (2).txt": b"2"}
    assert (await mira.get(f"/m/{message.id}/files")).content == answer.content
    assert "Files.zip" in answer.headers["content-disposition"]


async def test_the_original_is_shown_and_saved(mira: httpx.AsyncClient, world: World, cast: Cast) -> None:
    message = store.send(world, cast.mira, raw("<b>Hi", To=cast.mira.email, X_Odd="<script>"))
    page = (await mira.get(f"/m/{message.id}/original")).text
    assert "X-Odd: &lt;script&gt;" in page and "&lt;b&gt;Hi</pre>" in page
    saved = await mira.get(f"/m/{message.id}/original?save=1")
    assert saved.headers["content-type"] == "message/rfc822" and b"X-Odd: <script>" in saved.content


async def test_only_the_owner_gets_files(mira: httpx.AsyncClient, world: World, cast: Cast) -> None:
    mail = mime.write([("To", cast.lena.email)], "x", "", [Attachment("a.txt", "text/plain", b"1")])
    theirs = store.send(world, cast.tom, mail)
    mine = _sent(world, cast)
    for path in (f"{theirs.id}/files/2", f"{theirs.id}/files", f"{theirs.id}/original", f"{mine.id}/files/0",
                 f"{mine.id}/files/9", f"{mine.id}/files", "0/files/1", f"{mine.id}/files/x"):  # fmt: skip
        assert (await mira.get(f"/m/{path}")).status_code == 404, path
