"""Where a world may deliver to."""

from __future__ import annotations

import pytest

from fakes.core.callbacks import VARIABLE, BadCallbacks, NotReachable, listed, receiver


@pytest.mark.parametrize(
    ("url", "dial"),
    [
        ("http://127.0.0.1:3000/hooks", ("127.0.0.1",)),
        ("http://127.8.9.10:3000/", ("127.8.9.10",)),
        ("http://[::1]:3000/", ("::1",)),
        ("http://localhost/hooks", ("127.0.0.1", "::1")),
        ("https://app.localhost:8443", ("127.0.0.1", "::1")),
        ("http://LOCALHOST:1/", ("127.0.0.1", "::1")),
    ],
)
def test_this_machine_is_dialled_by_its_addresses(url: str, dial: tuple[str, ...]) -> None:
    assert receiver(url).dial == dial


@pytest.mark.parametrize(
    "url",
    [
        "http://example.com/",
        "http://10.0.0.1:3000/",
        "http://169.254.169.254/latest/meta-data",
        "http://0.0.0.0:3000/",
        "http://2130706433/",
        "http://0x7f.0.0.1/",
        "http://127.1/",
        "http://[::ffff:127.0.0.1]/",
        "http://[::ffff:10.0.0.1]/",
        "http://[::1%25lo]:3000/",
        "http://127.0.0.1.example/",
        "http://localhost.example/",
        "http://notlocalhost/",
    ],
)
def test_anything_else_is_refused_with_what_to_do(url: str) -> None:
    with pytest.raises(NotReachable, match=f"(?s)not this machine.*{VARIABLE}="):
        receiver(url)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "hooks",
        "ftp://127.0.0.1/",
        "file:///etc/passwd",
        "http://",
        "http:///x",
        "//127.0.0.1/",
        "http://[::1",
        "\x00",
        "http://127.0.0.1:99999/",
        "http://127.0.0.1:0/",
        "http://xn--/",
        "http://xn--a-\u00e9.localhost/",
        "http://127.0.0.1:x/",
        "http://127.0.0.1/" + "x" * 3000,
    ],
)
def test_what_is_no_url_is_refused(url: str) -> None:
    with pytest.raises(NotReachable, match="no URL to deliver to"):
        receiver(url)


def test_no_password_hides_a_host() -> None:
    for url in ("http://127.0.0.1@example.com/", "http://me:secret@127.0.0.1/"):
        with pytest.raises(NotReachable, match="no user and password"):
            receiver(url)


def test_listed_hosts_are_looked_up_by_name_at_their_port_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, " app:3000, Hooks.Test:443 ,[fd00::1]:80,")
    assert listed() == {("app", 3000), ("hooks.test", 443), ("fd00::1", 80)}
    found = receiver("http://APP:3000/hooks")
    assert (found.host, found.port, found.dial, found.listed) == ("app", 3000, (), True)
    assert receiver("https://hooks.test/").listed and receiver("http://[fd00::1]/").listed
    with pytest.raises(NotReachable, match="PARACOSM_CALLBACKS=app:3001"):
        receiver("http://app:3001/hooks")
    assert not receiver("http://127.0.0.1:3000/").listed


@pytest.mark.parametrize(
    "text", ["app", "app:", "app:0", "app:70000", "http://app:3000", "app:3000;b:1", "a b:3"]
)
def test_a_list_that_is_none_is_told(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, text)
    with pytest.raises(BadCallbacks, match="lists HOST:PORT"):
        listed()
    with pytest.raises(NotReachable, match="lists HOST:PORT"):
        receiver("http://app:3000/")
