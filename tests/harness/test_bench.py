"""`paracosm bench`: it runs, names what it measures and prints what scripts rely on. No test is of a time."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from harness.app import discover_services
from harness.bench import mailboxes, measuring
from harness.bench.filler import SIZES, SMALL, filled_base
from harness.bench.lines import QUICK, SUBJECTS, Line, Plan, Say, Subject, Target, Unmeasured, chosen
from harness.bench.link import Answer
from harness.cli import run

LEAST = Plan(rounds=1, batch=2)
SERVED = [name for name in SUBJECTS if name.split(".")[0] in {"gateway", "gmail", "desk", "live", "portal"}]


def test_the_same_world_is_filled_each_time() -> None:
    services = discover_services()
    bases = [filled_base(services, SMALL) for _ in range(2)]
    assert bases[0].image == bases[1].image
    assert SIZES.keys() == {name.split(".")[2] for name in SUBJECTS if name.startswith("world.")}


def test_names_choose_by_how_they_begin() -> None:
    assert chosen([]) == list(SUBJECTS)
    assert chosen(["gateway.host"]) == ["gateway.host"]
    assert chosen(["desk.claims", "gateway"]) == [
        "gateway.path", "gateway.host", "gateway.proxy", "desk.claims.list", "desk.claims.get",
    ]  # fmt: skip
    with pytest.raises(LookupError):
        chosen(["gate"])


def test_worlds_are_measured() -> None:
    names = [name for name in SUBJECTS if name.startswith("world.") and name.endswith(".small")]
    lines, failed = measuring.measure(names, LEAST, lambda what: None)
    assert [line.name for line in lines] == names and not failed
    assert all(line.cpu_ms > 0 and line.p50_ms > 0 and line.ratio is None for line in lines)


def test_a_served_world_is_measured_beside_a_bare_route() -> None:
    lines, failed = measuring.measure(SERVED, LEAST, lambda what: None)
    assert [line.name for line in lines] == SERVED and not failed
    assert {line.name for line in lines if line.ratio is None} == {"desk.login", "live.wake"}


def test_mailboxes_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, count in {"SEEDED": 30, "SEARCHED": 60, "LISTED": 30, "MOST_LISTED": 60}.items():
        monkeypatch.setattr(mailboxes, name, count)
    names = [name for name in SUBJECTS if name.startswith("mailbox.")]
    lines, failed = measuring.measure(names, LEAST, lambda what: None)
    assert [line.name for line in lines] == names and not failed
    assert [line.name for line in lines if line.ratio is not None] == ["mailbox.list"]


def test_a_play_is_measured() -> None:
    lines, failed = measuring.measure(["prove.api"], LEAST, lambda what: None)
    assert [line.name for line in lines] == ["prove.api"] and not failed


def test_json_has_the_promised_members(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bench", "gateway", "--quick", "--rounds", "1", "--json"]) == 0
    printed, progress = capsys.readouterr()
    found = json.loads(printed)
    assert [each["name"] for each in found] == ["gateway.path", "gateway.host", "gateway.proxy"]
    assert all(list(each) == ["name", "cpu_ms", "p50_ms", "ratio"] for each in found)
    assert "gateway.host" in progress


def test_people_see_targets_and_whether_they_were_met(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bench", "world.fork.small", "--quick", "--rounds", "1"]) == 0
    printed = capsys.readouterr().out
    assert "world.fork.small" in printed and "CPU ≤ 2 ms" in printed and "met" in printed


def test_a_target_is_met_or_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SUBJECTS, "x", Subject("x", Target("ratio", 1.3)))
    assert Line("x", 1, 1, 1.3).met is True
    assert Line("x", 1, 1, 1.31).met is False
    assert Line("prove.api", 1, 1).met is None


def test_what_cant_be_measured_fails_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(names: Sequence[str], plan: Plan, say: Say) -> Iterator[Line | Unmeasured]:
        yield Line(names[0], 1, 2)
        yield Unmeasured(f"{names[1]}: answered 500")
        raise OSError("no such luck")

    monkeypatch.setattr(measuring, "KINDS", {"world": broken})
    assert run(["bench", "world", "--json"]) == 1
    printed, told = capsys.readouterr()
    assert [each["name"] for each in json.loads(printed)] == ["world.create.small"]
    assert "✗ world.create.large: answered 500" in told and "OSError: no such luck" in told


@pytest.mark.parametrize("arguments", [["nothing"], ["--rounds", "0"], ["--rounds", "many"]])
def test_a_wrong_use_is_one_sentence(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bench", *arguments]) == 2
    printed, told = capsys.readouterr()
    assert not printed and len(told.strip().splitlines()) == 1


def test_cookies_are_read_off_an_answer() -> None:
    head = b"HTTP/1.1 303 See Other\r\nset-cookie: a=1; Path=/\r\nSet-Cookie: b=2\r\nx: y"
    assert Answer(303, head, b"").cookies() == "a=1; b=2"


def test_serve_is_ready_before_it_imports_what_pages_need(tmp_path: Path) -> None:
    command = [sys.executable, "-X", "importtime", "-m", "harness.cli", "serve", "--port", "0"]
    told = tmp_path / "imports"
    with told.open("w") as file:
        server = subprocess.Popen(
            [*command, "--data", str(tmp_path / "data")], stdout=subprocess.PIPE, stderr=file, text=True
        )
        assert server.stdout is not None
        assert server.stdout.readline().startswith("ready ")
        imported = {line.rpartition("|")[2].strip() for line in told.read_text().splitlines()}
        server.terminate()
        server.wait()
        server.stdout.close()
    assert "fakes.core.gateway" in imported
    assert not imported & {"jinja2", "rich", "playwright", "mcp", "faker"}


def test_quick_is_less() -> None:
    assert QUICK.rounds * QUICK.batch < Plan().rounds * Plan().batch
