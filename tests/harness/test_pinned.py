"""What a server takes from its environment: the same secrets and tokens at each start, or one sentence."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from harness.app import Server, Start
from harness.cli import run
from harness.cli.dial import Control
from harness.pinned import BadEnvironment, Pinned, PinnedToken

ROOT = Path(__file__).parents[2]
MIRA = "mira@harborlight.example"
KEY = "ab" * 32
SECRET = "a-secret-of-the-control-plane"
TOKENS = f"gmail:{MIRA}=tok_for_mira, claims-desk:{MIRA}=tok_for_the_desk=="
PROFILE = "/w/main/gmail/v1/users/me/profile"


@contextmanager
def served(data: Path, *options: str, **environ: str) -> Iterator[str]:
    """A `paracosm serve` of its own process; its URL."""
    command = [sys.executable, "-m", "harness.cli", "serve", "--port", "0", "--data", str(data), *options]
    process = subprocess.Popen(command, cwd=ROOT, env=environ, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    ready = process.stdout.readline().split()
    assert ready and ready[0] == "ready", ready
    try:
        yield ready[1]
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 0
        process.stdout.close()


def get(url: str, token: str) -> httpx.Response:
    with httpx.Client(trust_env=False) as client:
        return client.get(url, headers={"Authorization": f"Bearer {token}"})


# reading


def test_an_empty_environment_pins_nothing() -> None:
    empty = {"PARACOSM_SECRET": "", "PARACOSM_SECRET_KEY": "", "PARACOSM_TOKENS": "", "PARACOSM_HOSTS": " , "}
    assert Pinned.read({}) == Pinned.read(empty) == Pinned()


def test_everything_is_read() -> None:
    environ = {
        "PARACOSM_SECRET": SECRET, "PARACOSM_SECRET_KEY": KEY, "PARACOSM_TOKENS": TOKENS,
        "PARACOSM_HOSTS": "Fakes, paracosm.internal,fakes",
    }  # fmt: skip
    assert Pinned.read(environ, ["my_host"]) == Pinned(
        SECRET,
        bytes.fromhex(KEY),
        (
            PinnedToken("gmail", MIRA, "tok_for_mira"),
            PinnedToken("claims_desk", MIRA, "tok_for_the_desk=="),
        ),
        ("my_host", "fakes", "paracosm.internal"),
    )


def test_a_text_that_is_no_hex_makes_a_secret_too() -> None:
    one, other = [Pinned.read({"PARACOSM_SECRET_KEY": f"correct horse battery {n}"}).secret for n in (1, 2)]
    assert one is not None and len(one) == 32 and one != other


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("PARACOSM_SECRET", "short", "PARACOSM_SECRET must be at least 16"),
        ("PARACOSM_SECRET", "a secret with spaces in it", "without spaces"),
        ("PARACOSM_SECRET", "ein-geheimnis-für-uns", "PARACOSM_SECRET must be"),
        ("PARACOSM_SECRET_KEY", "abc", "PARACOSM_SECRET_KEY must be at least 16"),
        ("PARACOSM_TOKENS", "gmail", "the entry for 'gmail' is none"),
        ("PARACOSM_TOKENS", f"gmail:{MIRA}", f"the entry for 'gmail:{MIRA}' is none"),
        ("PARACOSM_TOKENS", f"gmail:{MIRA}=short", "tokens of 8 letters"),
        ("PARACOSM_TOKENS", f"gmail:{MIRA}=with a space", "is none"),
        ("PARACOSM_TOKENS", "gmail:mira=tok_for_mira", "is none"),
        ("PARACOSM_TOKENS", f"gmail:{MIRA}=tok_twice,gmail:tom@x.example=tok_twice", "twice"),
        ("PARACOSM_HOSTS", "fakes:8080", "'fakes:8080' in PARACOSM_HOSTS or --public-host is no host name"),
        ("PARACOSM_HOSTS", "http://fakes", "is no host name"),
        ("PARACOSM_HOSTS", "*", "is no host name"),
    ],
)
def test_what_can_not_be_used_is_refused_without_telling_it(name: str, value: str, sentence: str) -> None:
    with pytest.raises(BadEnvironment) as refused:
        Pinned.read({name: value})
    assert sentence in str(refused.value)
    secret = value.partition("=")[2] or (value if "SECRET" in name else "")
    assert not secret or secret not in str(refused.value)


@pytest.mark.parametrize(
    ("name", "value"),
    [("PARACOSM_SECRET", "short"), ("PARACOSM_TOKENS", "gmail"), ("PARACOSM_HOSTS", "a b")],
)
def test_serve_ends_with_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    assert run(["serve", "--port", "0", "--data", str(tmp_path / "data")]) == 2
    told = capsys.readouterr()
    assert (told.out, told.err.count("\n")) == ("", 1) and name in told.err
    assert not (tmp_path / "data").exists()


# serving


def test_tokens_and_passwords_are_the_same_at_each_start(tmp_path: Path) -> None:
    environ = {"PARACOSM_SECRET": SECRET, "PARACOSM_SECRET_KEY": KEY, "PARACOSM_TOKENS": TOKENS}
    seen = []
    for name in ("one", "two"):
        with served(tmp_path / name, **environ) as url:
            control = Control(url, SECRET)
            people = control.get("/worlds/main/people")["people"]
            issued = control.post("/worlds/main/tokens", email=MIRA, service="gmail")["token"]
            seen.append((people, issued))
            assert get(url + PROFILE, "tok_for_mira").json()["emailAddress"] == MIRA
            assert get(url + "/w/main/sites/claims_desk/api/claims", "tok_for_the_desk==").status_code == 200
            for wrong in ("tok_for_mirA", "tok_for_the_desk==", "tok_for_mira2"):
                assert get(url + PROFILE, wrong).status_code == 401
            control.post("/worlds/main/reset")
            assert control.get("/worlds/main/hash")["hash"] == control.get("/worlds/main")["pristine_hash"]
            assert get(url + PROFILE, "tok_for_mira").status_code == 200
            assert get(url + PROFILE, issued).status_code == 401
    assert seen[0] == seen[1]


def test_a_world_that_is_kept_takes_new_tokens_but_no_other_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with served(tmp_path) as url:
        secret = json.loads((tmp_path / "server.json").read_text())["secret"]
        control = Control(url, secret)
        control.post("/worlds/main/clock", mode="frozen")
    environ = {"PARACOSM_TOKENS": TOKENS}
    with served(tmp_path, **environ) as url:
        assert get(url + PROFILE, "tok_for_mira").status_code == 200
        Control(url, json.loads((tmp_path / "server.json").read_text())["secret"]).post("/worlds/main/reset")
        assert get(url + PROFILE, "tok_for_mira").status_code == 200
    monkeypatch.setenv("PARACOSM_SECRET_KEY", KEY)
    assert run(["serve", "--port", "0", "--data", str(tmp_path)]) == 2
    told = capsys.readouterr()
    assert (told.out, told.err.count("\n")) == ("", 1)
    assert "made with another secret than PARACOSM_SECRET_KEY" in told.err


@pytest.mark.parametrize(
    ("tokens", "sentence"),
    [
        ("mail:mira@harborlight.example=tok_abcdef", "'mail', which is no service"),
        ("gmail:nobody@harborlight.example=tok_abcdef", "nobody in world 'main' has that address"),
    ],
)
def test_a_token_that_main_can_not_have_ends_serve(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tokens: str,
    sentence: str,
) -> None:  # fmt: skip
    monkeypatch.setenv("PARACOSM_TOKENS", tokens)
    assert run(["serve", "--port", "0", "--data", str(tmp_path)]) == 2
    told = capsys.readouterr()
    assert (told.out, told.err.count("\n")) == ("", 1)
    assert sentence in told.err and "tok_abcdef" not in told.err


def test_the_secret_alone_goes_with_the_state_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with served(tmp_path, PARACOSM_SECRET=SECRET):
        monkeypatch.setenv("PARACOSM_SECRET", SECRET)
        monkeypatch.delenv("PARACOSM_URL", raising=False)
        assert run(["people", "--data", str(tmp_path)]) == 0
        assert MIRA in capsys.readouterr().out


async def test_a_pinned_token_outlasts_a_month_and_a_new_seed() -> None:
    tokens = (PinnedToken("gmail", MIRA, "tok_for_mira"), PinnedToken("gmail", "no@x.example", "tok_for_no"))
    async with Server(tokens=tokens) as server:
        world = server.create_world("main", Start("office"))
        world.advance(world.now() + 400 * 24 * 3600_000)
        async with httpx.AsyncClient(base_url=server.url, trust_env=False) as client:
            bearer = {"Authorization": "Bearer tok_for_mira"}
            assert (await client.get(PROFILE, headers=bearer)).status_code == 200
            await server.remove_world("main")
            server.create_world("main", Start("office", seed=2))
            server.create_world("other", Start("office", seed=2))
            assert (await client.get(PROFILE, headers=bearer)).status_code == 200
            other = PROFILE.replace("main", "other")
            assert (await client.get(other, headers=bearer)).status_code == 401


# other names


async def test_every_url_leads_to_the_host_that_it_was_asked_at() -> None:
    async with Server(hosts=["fakes"]) as server:
        server.create_world("main", Start("office"))
        async with httpx.AsyncClient(base_url=server.url, trust_env=False) as client:
            for host in (f"fakes:{server.port}", "fakes", f"127.0.0.1:{server.port}"):
                path = "/w/main/discovery/v1/apis/gmail/v1/rest"
                document: Any = (await client.get(path, headers={"Host": host})).json()
                assert document["rootUrl"] == document["baseUrl"] == f"http://{host}/w/main/"
