from __future__ import annotations

import base64

import pytest

from fakes.gmail.rules.parts import MOST_DEPTH, MOST_MARKS, MOST_PARTS, Part, TooComplex, tree


def _part(head: str, body: bytes = b"") -> bytes:
    return f"Content-Type: {head}\r\n\r\n".encode() + body


def _nested(levels: int) -> bytes:
    mail = b"\r\nHello"
    for level in range(levels):
        mail = _part(f"multipart/mixed; boundary=b{level}x", f"--b{level}x\r\n".encode() + mail)
    return mail


def _types(part: Part) -> list[str]:
    return [below.media_type for below in part.walk()]


def test_parts_stand_between_boundaries() -> None:
    body = b"before\r\n--b\r\n\r\none\r\n--b \r\nContent-Type: text/html\r\n\r\ntwo\r\n--bb\r\n--b--\r\nafter"
    whole = tree(_part('multipart/mixed; boundary="b"', body))
    assert _types(whole) == ["multipart/mixed", "text/plain", "text/html"]
    assert [part.body for part in whole.parts] == [b"one", b"two\r\n--bb"]


def test_the_last_boundary_may_be_missing() -> None:
    assert tree(_part("multipart/mixed; boundary=b", b"--b\r\n\r\none")).parts[0].body == b"one"


def test_a_part_may_be_empty() -> None:
    assert len(tree(_part("multipart/mixed; boundary=b", b"--b\r\n--b\r\n\r\nx\r\n--b--")).parts) == 2


@pytest.mark.parametrize("head", ["multipart/mixed", "multipart/mixed; boundary=c", "nonsense"])
def test_without_a_boundary_there_is_one_part(head: str) -> None:
    assert tree(_part(head, b"--b\r\n\r\none")).body == b"--b\r\n\r\none"


def test_a_mail_in_a_mail_is_a_part() -> None:
    assert _types(tree(_part("message/rfc822", _part("text/html")))) == ["message/rfc822", "text/html"]


@pytest.mark.parametrize(
    ("encoding", "body"),
    [("quoted-printable", b"Caf=E9"), ("BASE64 ", base64.encodebytes(b"Caf\xe9")), ("7bit", b"Caf\xe9"),
     ("x-uuencode", b"Caf\xe9")],
)  # fmt: skip
def test_transfer_encodings_are_undone(encoding: str, body: bytes) -> None:
    assert (
        tree(_part(f"text/plain; charset=latin1\r\nContent-Transfer-Encoding: {encoding}", body)).text
        == "Café"
    )


@pytest.mark.parametrize("letters", [b"YQ", b"YQ=", b"Y", b"Y!Q==", b"\xff"])
def test_bad_base64_is_read_as_far_as_it_goes(letters: bytes) -> None:
    head = b"Content-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\n"
    assert tree(head + letters).content in (b"a", b"")


@pytest.mark.parametrize(
    ("head", "name", "attached"),
    [
        ("a/b; name=x.pdf", "x.pdf", True),
        ("a/b; name=x\r\nContent-Disposition: inline; filename=y", "y", True),
        ("text/plain\r\nContent-Disposition: Attachment", "", True),
        ("text/plain\r\nContent-Disposition: inline", "", False),
    ],
)
def test_files_are_told_from_text(head: str, name: str, attached: bool) -> None:
    part = tree(_part(head))
    assert (part.file_name, part.is_attachment) == (name, attached)


def test_depth_is_bounded() -> None:
    assert len(_types(tree(_nested(MOST_DEPTH - 1), strict=True))) == MOST_DEPTH
    assert len(_types(tree(_nested(900)))) == MOST_DEPTH
    with pytest.raises(TooComplex):
        tree(_nested(MOST_DEPTH), strict=True)


def test_what_only_begins_like_a_boundary_is_bounded() -> None:
    mail = _part("multipart/mixed; boundary=b", b"--b\r\n" + b"\r\n--bx" * MOST_MARKS)
    assert _types(tree(mail)) == ["multipart/mixed"]
    with pytest.raises(TooComplex):
        tree(mail, strict=True)


def test_the_number_is_bounded() -> None:
    parts = [
        _part("multipart/mixed; boundary=b", b"--b\r\n\r\n\r\n" * n) for n in (MOST_PARTS - 1, MOST_PARTS)
    ]
    assert len(_types(tree(parts[0], strict=True))) == len(_types(tree(parts[1]))) == MOST_PARTS
    with pytest.raises(TooComplex):
        tree(parts[1], strict=True)
