"""The command line: what each command prints, its exit code, and how a wrong use of it is answered."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from fakes.core.worlds import Worlds
from harness.app import FIXED_SECRET, Server, Start, discover_services
from harness.chromium import find_shell
from harness.cli import app, run
from harness.cli.dial import Control, running_server
from harness.cli.words import WrongUse

ROOT = Path(__file__).parents[2]
SECONDS = 20


@dataclass
class Served:
    """A `paracosm serve` of its own process."""

    process: subprocess.Popen[str]
    data: Path
    url: str
    link: str

    def end(self, sign: signal.Signals = signal.SIGTERM) -> int:
        self.process.send_signal(sign)
        code = self.process.wait(SECONDS)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return code


def paracosm(*arguments: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """A command in a process of its own; what it does in a browser it does in the headless shell."""
    command = [sys.executable, "-m", "harness.cli", *arguments]
    env = {**os.environ, "PARACOSM_CHROMIUM": str(find_shell() or "")}
    return subprocess.run(
        command, cwd=cwd, env=env, capture_output=True, text=True, timeout=SECONDS * 4, check=False
    )


def make(*arguments: str) -> None:
    """`paracosm new …` in the working directory."""
    assert run(["new", *arguments]) == 0


def start(data: Path, *arguments: str, cwd: Path = ROOT) -> Served:
    command = [sys.executable, "-m", "harness.cli", "serve", "--port", "0", "--data", str(data), *arguments]
    process = subprocess.Popen(command, cwd=cwd, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    ready, link = process.stdout.readline().split(), process.stdout.readline().split()
    assert (ready[0], link[0]) == ("ready", "portal"), (ready, link)
    return Served(process, data, ready[1], link[1])


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One server for the tests that leave it running."""
    running = start(tmp_path_factory.mktemp("served") / "data")
    yield running
    assert running.end() == 0


@pytest.fixture
def at(served: Served, monkeypatch: pytest.MonkeyPatch) -> Served:
    """The running server, as the environment names it."""
    monkeypatch.setenv("PARACOSM_URL", served.url)
    monkeypatch.setenv("PARACOSM_SECRET", json.loads((served.data / "server.json").read_text())["secret"])
    return served


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder with no server, and an environment that names none."""
    monkeypatch.delenv("PARACOSM_URL", raising=False)
    monkeypatch.delenv("PARACOSM_SECRET", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


# serve


def test_serve_says_where_it_is_and_answers_there(served: Served) -> None:
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+", served.url)
    with httpx.Client(trust_env=False, verify=False) as browser:
        assert browser.get(f"{served.url}/").status_code == 404
        assert browser.get(served.link).status_code == 303
        assert "office" in browser.get(f"{served.url}/").text


def test_serve_keeps_a_state_file_for_its_owner_alone(served: Served) -> None:
    path = served.data / "server.json"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(served.data.stat().st_mode) == 0o700
    assert stat.S_IMODE((served.data / "main.world").stat().st_mode) == 0o600
    state = json.loads(path.read_text())
    assert (state["url"], state["pid"]) == (served.url, served.process.pid)


def test_worlds_and_clocks_outlast_a_server(tmp_path: Path) -> None:
    first = start(tmp_path / "data")
    control = running_server(first.data)
    control.post("/worlds/main/clock", mode="frozen")
    control.post("/worlds/main/clock/advance", by="3d")
    control.post("/worlds", name="second", at="2025-10-21")
    before = [control.get(f"/worlds/{name}/hash") for name in ("main", "second")]
    assert first.end(signal.SIGINT) == 0
    assert not (first.data / "server.json").exists()

    again = start(tmp_path / "data")
    control = running_server(again.data)
    assert [control.get(f"/worlds/{name}/hash") for name in ("main", "second")] == before
    assert again.end() == 0


def test_a_server_that_was_killed_is_no_obstacle(alone: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = start(alone / "data")
    first.end(signal.SIGKILL)
    assert run(["people", "--data", str(alone / "data")]) == 2
    assert "No server answers" in capsys.readouterr().err
    assert start(alone / "data").end() == 0


def test_a_second_server_over_the_same_data_is_refused(
    served: Served, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["serve", "--port", "0", "--data", str(served.data)]) == 2
    said = capsys.readouterr()
    assert f"already, at {served.url}" in said.err
    assert (said.out, said.err.count("\n")) == ("", 1)


def test_a_busy_port_is_one_sentence(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        ended = paracosm("serve", "--port", port, "--data", str(tmp_path))
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr == f"Port {port} is taken on 127.0.0.1; choose another --port, or 0 for a free one.\n"
    assert not (tmp_path / "server.json").exists()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--world", "main=nowhere"), "There is no scenario 'nowhere'"),
        (("--world", "Main=office"), "'Main' is no world name"),
        (("--host", "203.0.113.7"), "can't be listened on"),
    ],
)
def test_a_server_put_wrongly_is_one_sentence(
    tmp_path: Path, arguments: tuple[str, ...], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["serve", "--port", "0", "--data", str(tmp_path / "data"), *arguments]) == 2
    said = capsys.readouterr()
    assert says in said.err
    assert (said.out, said.err.count("\n")) == ("", 1)


def test_a_world_kept_from_another_scenario_is_not_taken_for_the_one_wanted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert start(tmp_path, "--world", "desk=office").end() == 0
    assert run(["serve", "--port", "0", "--data", str(tmp_path), "--world", "desk=claims_desk"]) == 2
    assert "comes from 'office', not 'claims_desk'" in capsys.readouterr().err


def test_a_world_with_other_tables_is_put_aside(tmp_path: Path) -> None:
    base = Server(services={}, secret=FIXED_SECRET).base(Start("office"))
    older = Worlds({}, folder=tmp_path)
    older.create("main", base.image)
    older.close()
    server = Server(services=discover_services(), folder=tmp_path)
    assert server.reopen() == ["main"]
    assert server.worlds.names() == []
    assert {path.name for path in tmp_path.iterdir()} == {"main.world.old", "main.pristine.old"}


# commands at a running server


def test_people_are_listed_with_their_passwords(at: Served, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["people", "--world", "main"]) == 0
    out = capsys.readouterr().out
    line = next(line for line in out.splitlines() if "mira@harborlight.example" in line)
    assert re.search(r"Mira Okafor +Operations coordinator +\w+-\w+-\w+-\d\d", line)


def test_people_as_json(at: Served, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["people", "--json"]) == 0
    people = json.loads(capsys.readouterr().out)
    assert people[0]["email"] == "mira@harborlight.example"


def test_a_token_is_printed_bare_and_works(at: Served, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["token", "--world", "main", "--as", "mira@harborlight.example", "--service", "gmail"]) == 0
    token = capsys.readouterr().out
    assert re.fullmatch(r"\S+\n", token)
    profile = f"{at.url}/w/main/gmail/v1/users/me/profile"
    headers = {"Authorization": f"Bearer {token.strip()}"}
    answer = httpx.get(profile, headers=headers, trust_env=False)
    assert answer.json()["emailAddress"] == "mira@harborlight.example"


def test_seeding_says_the_hash_and_replaces_the_world(at: Served, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["seed", "--world", "trial", "--scenario", "office", "--date", "2026-01-05", "--seed", "4"]
    said = []
    for _ in range(2):
        assert run(command) == 0
        said.append(capsys.readouterr().out)
    assert "World trial is seeded from office, at 2026-01-05T09:30" in said[0]
    hashes = [re.search(r"^hash ([0-9a-f]{64})$", each, re.MULTILINE) for each in said]
    assert hashes[0] and hashes[1] and hashes[0][1] == hashes[1][1]


def test_a_new_portal_link_is_printed(at: Served, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["portal"]) == 0
    assert capsys.readouterr().out.startswith(f"{at.url}/open?key=")


def test_the_server_is_found_by_its_state_file(
    served: Served, alone: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (alone / ".paracosm").symlink_to(served.data)
    assert run(["people", "--json"]) == 0
    assert run(["people", "--json", "--data", str(served.data)]) == 0


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("people --world nowhere", "There is no world 'nowhere' here."),
        ("people --world ../../leases", "There is no world"),
        ("token --as nobody@x.example --service gmail", "Nobody in world 'main' has the address"),
        ("token --as mira@harborlight.example --service pigeons", "There is no service 'pigeons'."),
        (
            "token --as declan@harborlight.example --service claims-desk",
            "has no account at claims_desk in world",
        ),
        ("seed --world gmail --scenario office", "'gmail' is reserved"),
        ("seed --world x --scenario nowhere", "There is no scenario 'nowhere'."),
        ("seed --world x --scenario office --date 21.10.2025", "is no instant"),
        ("seed --world x --scenario office --date 2025-02-30", "is no instant"),
    ],
)
def test_a_wrong_name_is_one_sentence(
    at: Served, command: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(command.split()) == 2
    said = capsys.readouterr()
    assert says in said.err
    assert (said.out, said.err.count("\n")) == ("", 1)


def test_the_data_folder_is_taken_from_the_environment(
    served: Served, alone: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PARACOSM_DATA", str(served.data))
    assert run(["people", "--json"]) == run(["portal"]) == 0
    assert run(["people", "--data", str(alone)]) == 2
    for command in ("serve", "seed", "people", "token", "portal", "run"):
        capsys.readouterr()
        assert run([command, "--help"]) == 0
        assert "PARACOSM_DATA" in capsys.readouterr().out, command


def test_a_server_learns_of_scenarios_that_are_made_while_it_runs(
    alone: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server = start(alone / ".paracosm", cwd=alone)
    assert run(["new", "scenario", "afterwards"]) == 0
    assert run(["seed", "--world", "later", "--scenario", "afterwards"]) == 0
    assert "World later is seeded from afterwards" in capsys.readouterr().out
    assert "afterwards" in running_server(server.data).get("/")["scenarios"]
    seed = alone / "scenarios" / "afterwards" / "seed.py"
    seed.rename(seed.with_name("before.py"))
    assert "afterwards" not in running_server(server.data).get("/")["scenarios"]
    assert run(["new", "scenario", "broken"]) == 0
    (alone / "scenarios" / "broken" / "seed.py").write_text("def seed(w):\n    return 1 / 0\n")
    assert run(["seed", "--world", "later", "--scenario", "broken"]) == 2
    said = capsys.readouterr().err
    assert said == "scenarios/broken/seed.py:2: ZeroDivisionError: division by zero\n"
    assert server.end() == 0


# no server, or another


def test_without_a_server_commands_say_how_to_start_one(
    alone: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["people"]) == 2
    assert capsys.readouterr().err == (
        "No server runs over .paracosm: start one with `paracosm serve`, or say --data.\n"
    )


def test_url_and_secret_go_together(alone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARACOSM_URL", "http://127.0.0.1:1")
    with pytest.raises(WrongUse, match="PARACOSM_SECRET is not set"):
        running_server(alone)


def test_a_secret_that_is_wrong_is_said_to_be(served: Served) -> None:
    with pytest.raises(WrongUse, match="does not take this secret"):
        Control(served.url, "wrong").get("/worlds")


def test_a_state_file_that_is_broken_is_said_to_be(alone: Path) -> None:
    (alone / "server.json").write_text("{")
    with pytest.raises(WrongUse, match="can't be read"):
        running_server(alone)


# the command line itself


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("bogus", "No such command 'bogus'; see `paracosm --help`."),
        ("seed", "Missing option '--world'; see `paracosm seed --help`."),
        ("people --bogus", "No such option: --bogus; see `paracosm people --help`."),
        ("seed --world x --scenario office --seed many", "see `paracosm seed --help`."),
        ("seed --world x --scenario office --clock wrong", "see `paracosm seed --help`."),
        ("serve --world main", "--world takes NAME=SCENARIO, such as main=office, not 'main'."),
        ("serve --port 70000", "--port takes a number from 0 to 65535, not '70000'."),
        ("serve --port abc", "--port takes a number from 0 to 65535, not 'abc'."),
        ("new", "Missing command; see `paracosm new --help`."),
    ],
)
def test_wrong_use_is_one_sentence_and_two(
    command: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(command.split()) == 2
    said = capsys.readouterr()
    assert says in said.err
    assert (said.out, said.err.count("\n")) == ("", 1)


COMMANDS = [info.callback.__name__ for info in app.registered_commands if info.callback is not None]


@pytest.mark.parametrize("command", [*COMMANDS, "new scenario", "new task"])
def test_every_commands_help_has_an_example(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*command.split(), "--help"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert re.search(f"Examples?: paracosm {command}", shown)


def test_every_command_is_there() -> None:
    wanted = "serve seed people token portal prove run grade record gradable"
    assert set(wanted.split()) <= set(COMMANDS)


def test_no_command_shows_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([]) == 0
    assert "Commands:" in capsys.readouterr().out


def test_the_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert capsys.readouterr().out.startswith("paracosm")


def test_the_module_runs_as_the_command_does() -> None:
    ended = paracosm("--version")
    assert (ended.returncode, ended.stderr) == (0, "")


def test_no_module_of_the_command_line_imports_the_server_before_a_command_runs() -> None:
    script = "import sys, harness.cli; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert not {"starlette", "apsw", "rich", "httpx", "playwright", "pydantic"} & set(done.stdout.split())


# agents


@pytest.mark.parametrize(
    ("agent", "said"),
    [
        (
            "import os\nasync def agent(desk): os._exit(0)",
            "error: the agent's process ended with exit code 0.\n",
        ),
        (
            "import harness.rollout\nasync def agent(desk): harness.rollout.grade = None",
            "error: the agent's process broke: TypeError: 'NoneType' object is not callable.\n",
        ),
    ],
)
def test_an_agent_that_takes_its_process_down_has_not_passed(tmp_path: Path, agent: str, said: str) -> None:
    (tmp_path / "mine.py").write_text(agent)
    place = f"{tmp_path / 'mine.py'}:agent"
    ran = paracosm("run", "claims_desk/record-the-determination", "--agent", place, "--data", str(tmp_path))
    assert (ran.returncode, ran.stderr) == (1, said)


def test_an_agent_that_ends_what_imports_it_is_told_before_any_attempt(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("import os\nos._exit(0)")
    place = f"{tmp_path / 'mine.py'}:agent"
    ran = paracosm("run", "claims_desk", "--agent", place, "--instances", "2", "--data", str(tmp_path))
    assert ran.returncode == 2 and "its process ended with exit code 0" in ran.stderr
    assert not (tmp_path / "archive.db").exists()


# scaffolds


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout whose scenarios are the office alone, as working directory; the code is this one's."""
    monkeypatch.chdir(tmp_path)
    for name in ("fakes", "sites", "harness"):
        (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "scenarios" / "__init__.py").write_text('"""Scenarios."""\n')
    (tmp_path / "scenarios" / "office").symlink_to(ROOT / "scenarios" / "office")
    return tmp_path


def test_a_new_scenario_and_a_new_task_prove_as_they_are(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make("scenario", "front-desk")
    said = capsys.readouterr().out
    assert said == "scenarios/front_desk is there; prove it with: paracosm prove front_desk\n"
    make("task", "front-desk/say-good-morning", "--answer")
    assert "prove it with: paracosm prove front_desk/say-good-morning" in capsys.readouterr().out
    proved = paracosm("prove", "front_desk", cwd=checkout)
    assert proved.returncode == 0, proved.stdout + proved.stderr
    assert "Graders proved 7/7 · 5/5 guards needed" in proved.stdout
    assert re.search(r"front_desk: \d+ attacks by adversaries\.", proved.stdout)
    assert "! " not in proved.stdout and "neighbours=" not in proved.stdout
    files = {path.name for path in (checkout / "scenarios" / "front_desk").iterdir()}
    assert {"__init__.py", "environment.py", "seed.py", "README.md", "tasks"} <= files
    first = (checkout / "scenarios" / "front_desk" / "tasks" / "say_hello.py").read_text()
    assert first.startswith('"""Send Tom a mail that says hello."""')
    assert 'api("gmail").post("/gmail/v1/users/me/messages/send"' in first
    assert 'neighbours={"tom": "tomas"}' in first and len(first.splitlines()) <= 60


def test_a_new_task_for_a_browser_proves_as_it_is(checkout: Path) -> None:
    make("scenario", "front_desk")
    make("task", "front_desk/by-page", "--browser")
    proved = paracosm("prove", "front_desk/by-page", "--quick", cwd=checkout)
    assert proved.returncode == 0, proved.stdout + proved.stderr
    assert "Graders proved 3/3" in proved.stdout and " browser " in proved.stdout
    written = (checkout / "scenarios" / "front_desk" / "tasks" / "by_page.py").read_text()
    assert len(written.splitlines()) <= 60


def test_what_a_scaffold_writes_is_as_we_write(checkout: Path) -> None:
    make("scenario", "front_desk")
    for name, flavour in (("a", ["--browser"]), ("b", ["--answer"]), ("c", ["--browser", "--answer"])):
        make("task", f"front_desk/{name}", *flavour)
    folder = checkout / "scenarios" / "front_desk"
    config = ["--config", str(ROOT / "pyproject.toml"), "--no-cache"]
    linted = subprocess.run(
        [sys.executable, "-m", "ruff", "check", *config, str(folder)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert linted.returncode == 0, linted.stdout
    formatted = subprocess.run(
        [sys.executable, "-m", "ruff", "format", "--diff", *config, str(folder)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert formatted.returncode == 0, formatted.stdout


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("new scenario office", "There is a folder scenarios/office already"),
        ("new scenario 2nd", "is no name for a scenario"),
        ("new scenario ../up", "is no name for a scenario"),
        ("new scenario class", "'class' is a reserved word of Python and no name for a scenario"),
        ("new scenario claims_desk", "Paracosm has a scenario 'claims_desk' of its own"),
        ("new task greeting", "A task is named SCENARIO/NAME"),
        ("new task office/greeting", "There is no environment scenarios/office in "),
        ("new task nowhere/greeting", "There is no environment scenarios/nowhere in "),
    ],
)
def test_a_scaffold_put_wrongly_is_one_sentence(
    checkout: Path, command: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(command.split()) == 2
    said = capsys.readouterr()
    assert says in said.err
    assert said.err.count("\n") == 1


def test_a_scenario_of_ones_own_is_made_and_proved_in_any_folder(alone: Path) -> None:
    make("scenario", "night_desk")
    proved = paracosm("prove", "night_desk", "--quick", cwd=alone)
    assert proved.returncode == 0 and "Graders proved" in proved.stdout, proved.stdout + proved.stderr
