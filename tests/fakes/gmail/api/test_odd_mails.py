"""Whatever a mail holds, it is sent or refused in the envelope, and what was sent can be read everywhere."""

from __future__ import annotations

import base64

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fakes.gmail.town import encoded

TOM = b"tom@harborlight.example"
NAMES = [
    b"To", b"Cc", b"Bcc", b"From", b"Reply-To", b"Subject", b"Date", b"Message-ID", b"References",
    b"In-Reply-To", b"Content-Type", b"Content-Disposition", b"Content-Transfer-Encoding",
    b"MIME-Version", b"X-\x7f", b"x y",
]  # fmt: skip
PIECES = [
    TOM, b"mira@harborlight.example", b"nobody@harborlight.example", b"a@out.example", b'"', b"<", b">",
    b"(", b")", b",", b":", b";", b"\\", b" ", b"\r\n ", b"\r", b"\0", b"\xff", b"\xed\xa0\x80",
    "é".encode(), b"Re: ", b"<1@x>", b"=?utf-8?q?=C3?=", b"=?utf-7?q?+2AA-?=",
    b"=?unicode_escape?q?=5Cud800?=", b"=?utf-16?b?ANg=?=", b"=?a\0?b?x?=",
    b"multipart/mixed; boundary=b", b'multipart/alternative; boundary="b\\"c"', b"multipart/related",
    b"text/html", b"text/plain; charset=", b"utf-7", b"unicode_escape", b"base64", b"quoted-printable",
    b"x-uuencode", b"idna", b"message/rfc822", b"message/delivery-status", b"attachment",
    b"; filename*0*=utf-7''%ff", b"; filename=x", b"; name*99999999999999999999=1",
    b"; charset*=a\0'b'c", b"a" * 70, b"9" * 5000,
]  # fmt: skip
BODIES = [
    b"--b\r\n", b"--b--", b"\r\n", b"\n", b"\r", b"\r\n\r\n", b"Content-Type: text/html\r\n\r\n",
    b"<p>", b"</a>", b"&#xd800;", b"&#0;", b"&", b"<a href='http://gmail.this.localhost/x'>",
    b"<![CDATA[", b"\0", b"\xff\xfe", b"+2AA-", rb"\ud800", b"=ED=A0=80", b"begin 644 x", b"http://x",
    b"Content-Type: multipart/mixed; boundary=b\n\n",
]  # fmt: skip

values = st.lists(st.sampled_from(PIECES) | st.binary(max_size=6), max_size=6).map(b"".join)
headers = st.tuples(st.sampled_from(NAMES), values).map(b": ".join)
bodies = st.lists(st.sampled_from(BODIES) | st.sampled_from(PIECES) | st.binary(max_size=8), max_size=12)


@st.composite
def mails(draw: st.DrawFn) -> bytes:
    """A mail that is more or less one."""
    lines = draw(st.lists(headers, max_size=6))
    if draw(st.booleans()):
        lines.append(b"To: " + TOM)
    end = draw(st.sampled_from([b"\r\n", b"\n"]))
    return end.join([*draw(st.permutations(lines)), b"", b"".join(draw(bodies))])


async def _tried(api: httpx.AsyncClient, mira: httpx.AsyncClient, mail: bytes) -> None:
    answer = await api.post("messages/send", json={"raw": encoded(mail)})
    assert answer.status_code in (200, 400), answer.text
    if answer.status_code == 400:
        assert answer.json()["error"]["status"] == "INVALID_ARGUMENT"
        return
    sent = answer.json()
    for format in ("minimal", "metadata", "full", "raw"):
        got = await api.get(f"messages/{sent['id']}", params={"format": format})
        assert got.status_code == 200, (format, got.text)
        got.text.encode()
    base64.urlsafe_b64decode(got.json()["raw"])
    for path in (f"/t/{sent['threadId']}", "/", "/sent", "/search?q=a"):
        assert (await mira.get(path)).status_code == 200, path


@settings(
    max_examples=200,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(mail=mails() | st.binary(max_size=60))
async def test_odd_mails_are_no_crash(api: httpx.AsyncClient, mira: httpx.AsyncClient, mail: bytes) -> None:
    await _tried(api, mira, mail)


@pytest.mark.parametrize("charset", ["unicode_escape", "utf-7", "utf-16", "idna", "base64", "nope"])
async def test_a_charset_makes_no_text_that_is_none(
    api: httpx.AsyncClient, mira: httpx.AsyncClient, charset: str
) -> None:
    for mail in (
        f"To: {TOM.decode()}\nSubject: =?{charset}?q?+2AA-=5Cud800=00=D8?=\n\nx",
        f"To: {TOM.decode()}\nContent-Type: text/plain; charset={charset}\n\n+2AA- \\ud800 \0\xd8",
    ):
        await _tried(api, mira, mail.encode("latin-1"))
