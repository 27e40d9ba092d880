from __future__ import annotations

import pytest

from fakes.gmail.rules import mime
from fakes.gmail.rules.parts import tree
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
    with pytest.raises(mime.BadHeader, match="To"):
        mime.read(raw(To=value))


def test_an_empty_group_is_nobody() -> None:
    assert mime.read(raw(To="undisclosed-recipients:;")).to == ()


def test_the_plain_part_is_the_text() -> None:
    letter = mime.read(mime.write([("To", "a@x.example")], "As text", "<p>As HTML</p>"))
    assert letter.text.strip() == "As text"


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
    assert [part.media_type for part in tree(one).walk()] == [
        "multipart/alternative", "text/plain", "text/html",
    ]  # fmt: skip


def test_a_message_id_that_cannot_be_referred_to_is_none() -> None:
    for value in ("no id", "<a@x> <b@x>", f"<{'a' * mime.LONGEST_ID}@x>"):
        assert mime.read(raw(Message_ID=value)).message_id == ""


def test_a_thread_is_looked_for_by_the_newest_references_alone() -> None:
    many = " ".join(f"<{n}@x>" for n in range(3 * mime.MOST_REFERENCES))
    references = mime.read(raw(References=many)).references
    assert len(references) == mime.MOST_REFERENCES
    assert references[-1] == f"<{3 * mime.MOST_REFERENCES - 1}@x>"


def test_a_reply_to_that_cannot_be_read_is_none() -> None:
    assert mime.reply_to(b"Reply-To: nobody\r\n\r\n") == ()


@pytest.mark.parametrize("name", ["To", "Cc", "References"])
def test_three_headers_may_be_longer_than_others(name: str) -> None:
    mime.check(raw(**{name: "x" * (mime.MOST_HEADER + 1)}))


def test_any_other_header_has_a_limit() -> None:
    mime.check(raw(Subject="x" * (mime.MOST_HEADER - 1)))  # and the space after the colon
    with pytest.raises(mime.BadHeader, match="Subject"):
        mime.check(raw(Subject="x" * mime.MOST_HEADER))


@pytest.mark.parametrize("head", ["To: " + "x" * mime.MOST_HEAD, "X: y\n" * mime.MOST_HEADERS + "X: y"])
def test_all_headers_together_have_limits(head: str) -> None:
    with pytest.raises(mime.LongHead):
        mime.check(f"{head}\n\nHello".encode())


def test_no_header_is_written_that_is_too_long() -> None:
    with pytest.raises(mime.BadHeader, match="Subject"):
        mime.write([("Subject", "é" * (mime.MOST_HEADER + 1))], "x")
