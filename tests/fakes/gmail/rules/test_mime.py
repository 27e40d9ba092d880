from __future__ import annotations

import pytest

from fakes.gmail.rules import mime
from tests.fakes.gmail.town import raw


def test_reads_addresses_names_and_references() -> None:
    letter = mime.read(
        raw(
            To='"Reyes, Tom" <Tom@X.example>, lena@x.example',
            Subject="=?utf-8?b?Q2Fmw6k=?= at\n noon",
            References="<1@x>\n <2@x>",
            In_Reply_To="<2@x>",
        )
    )
    assert [(a.name, a.email) for a in letter.to] == [("Reyes, Tom", "tom@x.example"), ("", "lena@x.example")]
    assert letter.subject == "Café at noon"
    assert letter.references == ("<1@x>", "<2@x>", "<2@x>")


@pytest.mark.parametrize("value", ["Tom", "tom@x", "tom@@x.example", "a@x.example b@x.example"])
def test_what_is_no_address_is_refused(value: str) -> None:
    with pytest.raises(mime.BadAddress, match="To"):
        mime.read(raw(To=value))


def test_an_empty_group_is_nobody() -> None:
    assert mime.read(raw(To="undisclosed-recipients:;")).to == ()


def test_the_plain_part_is_the_text() -> None:
    letter = mime.read(mime.write([("To", "a@x.example")], "As text", "<p>As HTML</p>"))
    assert letter.text.strip() == "As text"


def test_html_alone_is_read_without_its_markup() -> None:
    assert mime.plain_text("<title>T</title><p>One &amp; two</p><p>Three<br>four</p><script>x</script>") == (
        "One & two\nThree\nfour"
    )


def test_text_in_another_charset_is_given_as_utf_8() -> None:
    head = b"Content-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable"
    mail = head + b"\r\n\r\nCaf=E9"
    assert mime.part_bytes(mime.tree(mail)).decode() == "Café"


def test_an_unknown_charset_keeps_its_bytes() -> None:
    assert mime.part_bytes(mime.tree(b"Content-Type: text/plain; charset=nope\r\n\r\nhi")) == b"hi"


def test_snippets_end_between_words() -> None:
    snippet = mime.read(raw("word " * 100)).snippet
    assert len(snippet) <= mime.SNIPPET
    assert snippet.endswith("word")


def test_headers_come_and_go_and_the_rest_stays() -> None:
    mail = mime.read(raw("Body\n\nmore", To="a@x.example", Bcc="b@x.example,\n c@x.example", Subject="S")).raw
    edited = mime.edited(mail, drop=["bcc"], add=[("Message-ID", "<1@x>")])
    assert edited == b"Message-ID: <1@x>\r\nTo: a@x.example\r\nSubject: S\r\n\r\nBody\r\n\r\nmore"


def test_headers_can_be_added_where_there_are_none() -> None:
    assert mime.edited(b"\r\nBody", add=[("To", "a@x.example")]) == b"To: a@x.example\r\n\r\nBody"


def test_a_value_adds_no_header_of_its_own() -> None:
    mail = mime.write([("Subject", "Hi\r\nBcc: spy@x.example")], "x")
    assert mime.read(mail).bcc == ()


def test_the_same_mail_is_written_as_the_same_bytes() -> None:
    one, other = (mime.write([("Message-ID", "<1@x>")], "a", "<p>a</p>") for _ in range(2))
    assert one == other
    assert [part.get_content_type() for part in mime.tree(one).walk()] == [
        "multipart/alternative", "text/plain", "text/html",
    ]  # fmt: skip


def test_typed_addresses_are_written_for_a_header() -> None:
    assert mime.address_line("José <jose@x.example>, ") == "=?utf-8?b?Sm9zw6k=?= <jose@x.example>"
    assert mime.address_line("José") == "José"
