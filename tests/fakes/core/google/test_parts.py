from __future__ import annotations

import pytest

from fakes.core.google.errors import BadRequest
from fakes.core.google.parts import Part, inner, parts_of

TYPE = "multipart/mixed; boundary=b"


@pytest.mark.parametrize("end", [b"\r\n", b"\n"])
def test_parts_are_found_whatever_ends_lines(end: bytes) -> None:
    lines = [b"before", b"--b", b"Content-ID: <a + 1>", b"", b"one", b"--bb", b"--b", b"", b"two", b"--b--"]
    assert [(part.content_id, part.content) for part in parts_of(end.join([*lines, b"after"]), TYPE)] == [
        ("a + 1", b"one" + end + b"--bb"), ("", b"two"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("media_type", "found"),
    [
        ('multipart/mixed; boundary="b"', 1),
        ("multipart/mixed; BOUNDARY=b; charset=utf-8", 1),
        ("multipart/mixed", 0),
        ("multipart/mixed; boundary=a", 0),
    ],
)
def test_the_boundary_is_told_by_the_type(media_type: str, found: int) -> None:
    assert len(parts_of(b"--b\r\n\r\none\r\n--b--", media_type)) == found


def test_a_body_that_breaks_off_has_a_last_part() -> None:
    assert [part.content for part in parts_of(b"--b\r\n\r\none", TYPE)] == [b"one"]


def test_a_folded_header_is_one() -> None:
    [part] = parts_of(b"--b\r\nContent-ID:\r\n <a>\r\nX: y\r\n\r\none\r\n--b--", TYPE)
    assert (part.content_id, part.headers["x"]) == ("a", "y")


@pytest.mark.parametrize(
    ("content", "verb", "path", "query", "body"),
    [
        (b"GET /a/b?c=d HTTP/1.1\r\n\r\n", "GET", "/a/b", "c=d", b""),
        (b"GET https://host.example/a?c HTTP/1.1\n", "GET", "/a", "c", b""),
        (b"DELETE a%2Fb%20c", "DELETE", "/a/b c", "", b""),
        (b"POST /a HTTP/1.1\nContent-Length: 2\n\n{}\n\n", "POST", "/a", "", b"{}"),
        (b"POST /a HTTP/1.1\r\nContent-Length: 900\r\n\r\n{}", "POST", "/a", "", b"{}"),
        (b"POST /a HTTP/1.1\nContent-Length: " + b"9" * 5000 + b"\n\n{}", "POST", "/a", "", b"{}"),
        (b"\r\nPUT /a\r\nX: y\r\n\r\n{}\r\n", "PUT", "/a", "", b"{}\r\n"),
    ],
)
def test_a_part_holds_a_request(content: bytes, verb: str, path: str, query: str, body: bytes) -> None:
    call = inner(Part({"content-type": "application/http"}, content))
    assert (call.verb, call.path, call.query, call.body) == (verb, path, query, body)


@pytest.mark.parametrize(
    "content",
    [b"", b"hello", b"get /a HTTP/1.1", b"GET  HTTP/1.1", b"GET /a /b HTTP/1.1", b"GET http://[::1 HTTP/1.1"],
)
def test_what_is_no_request_is_refused(content: bytes) -> None:
    with pytest.raises(BadRequest):
        inner(Part({}, content))


def test_a_part_of_another_type_is_refused() -> None:
    with pytest.raises(BadRequest):
        inner(Part({"content-type": "application/json"}, b"GET /a HTTP/1.1"))
