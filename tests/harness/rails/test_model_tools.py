"""The tools that a model gets: requests that stay in the world, and a workspace that nothing leaves."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from harness.attempt import Attempt
from harness.discovery import find_task
from harness.driven import Driven
from harness.driver import Driver
from harness.qualify import attempts_on
from harness.rails.model import by_model, endpoints
from harness.rails.model.requesting import Requests
from harness.rails.model.tools import MOST, Toolbox
from harness.rails.model.turns import Call, Outcome
from harness.rails.model.workspace import LARGEST, Workspace
from scenarios.claims_desk.tasks.answer_through_the_managers_link import link_token
from tests.conftest import Serve
from tests.harness.rails.scripted import DONE, Says, Script, use
from tests.harness.toy import SERVICES
from tests.harness.toy_tasks import environment, put_a_box

TOO_MANY = "too many for this tool: take a part with run."


async def called(box: Toolbox, name: str, **arguments: Any) -> Outcome:
    return await box.use(Call("1", name, arguments))


# requests


@pytest.fixture
async def attempt() -> AsyncIterator[Attempt]:
    task = find_task("claims_desk/answer-through-the-managers-link")
    async with attempts_on(task.env) as attempts, attempts.open(task) as opened:
        yield opened


async def test_a_link_is_followed_within_the_world_alone(attempt: Attempt) -> None:
    box, manager = Toolbox([Requests(attempt)]), attempt.actors["manager"]
    path = f"/q/{await link_token(manager)}"
    address, port = manager.place.lease.address, manager.place.port
    links = [
        f"http://claims-desk.{attempt.world.name}.localhost:{port}{path}",
        f"http://{address}:{port}/w/{attempt.world.name}/sites/claims_desk{path}",
        f"http://127.0.0.1:{port}/w/{attempt.world.name}/sites/claims_desk{path}",
    ]
    for link in links:
        outcome = await called(box, "http_request", path=link, actor="manager")
        assert outcome.text.startswith("200 OK\ncontent-type: text/html") and "Ohio" not in outcome.text[:20]
        asked = attempt.world.log.rows("ORDER BY id DESC LIMIT 1")[0]
        assert (asked.lease, asked.route) == (manager.place.lease.id, "GET /q/{token}")
    for link in (
        f"http://127.0.0.1:{port}/", f"http://control.localhost:{port}/worlds", "https://mail.example/",
        f"http://claims-desk.other.localhost:{port}/", "file:///etc/passwd", f"http://127.0.0.2:{port}/w/p1/",
    ):  # fmt: skip
        outcome = await called(box, "http_request", path=link, actor="manager")
        assert outcome.failed and outcome.text.startswith("Nothing outside of this world can be reached")


async def test_a_path_may_hold_an_address_and_leads_nowhere_else(attempt: Attempt) -> None:
    box = Toolbox([Requests(attempt)])
    found = await called(box, "http_request", path="/api/none?back=http://x.example/", actor="manager")
    assert found.text.startswith("404 ")
    for path in ("/../../../../", "/../../../../worlds", "/../../../main/gmail/v1/users/me/profile"):
        headers = {"Host": "control.localhost"}
        found = await called(box, "http_request", path=path, actor="manager", headers=headers)
        assert found.text.startswith(("404 ", "403 ")), found


async def test_actors_and_services_are_chosen_by_name(attempt: Attempt) -> None:
    box = Toolbox([Requests(attempt)])
    schema = next(tool for tool in box.tools if tool.name == "http_request").schema["properties"]
    assert schema["actor"]["enum"] == list(attempt.actors) and "gmail" in schema["service"]["enum"]
    mailbox = {"path": "/gmail/v1/users/me/profile", "service": "gmail"}
    manager = await called(box, "http_request", **mailbox, actor="manager")
    assert attempt.actors["manager"].person.email in manager.text
    assert "GET /api/claims: The tenant's claims." in (await called(box, "list_routes")).text
    assert "POST /gmail/v1/users/{userId}/messages/send" in (
        await called(box, "list_routes", service="gmail")
    ).text  # fmt: skip


async def test_headers_forms_and_files_are_sent_as_they_are_said() -> None:
    task = put_a_box(environment())
    async with attempts_on(task.env, services=SERVICES) as attempts, attempts.open(task) as attempt:
        box = Toolbox([Requests(attempt)])
        stranger = await called(
            box, "http_request", path="/api/boxes", headers={"Authorization": "Bearer no"}
        )
        assert stranger.text.startswith("401 Unauthorized")
        both = await called(box, "http_request", path="/boxes", method="POST", form={"a": "b"}, json=None)
        assert both.text == "A request has one body: json, or form and files."
        form = {"form": {"a": "b"}, "files": {"f": "label.txt"}}
        await called(box, "http_request", path="/api/boxes/x/close", method="POST", **form)
        [sent] = attempt.server.tap.sent(attempt.leases["desk"].address)
        assert b'name="a"' in sent.body and b'name="f"; filename="label.txt"' in sent.body
        missing = await called(box, "http_request", path="/boxes", method="POST", files={"f": "x.txt"})
        assert missing.text == "The task gives no file 'x.txt'; it gives label.txt."


# workspaces


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "work"
    (made / "src").mkdir(parents=True)
    (made / "src" / "a.py").write_text("one\ntwo\nthree\n")
    (made / "blob").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "secret").write_text("not yours")
    (made / "out").symlink_to(tmp_path / "secret")
    os.mkfifo(made / "pipe")
    (made / "odd").mkdir()
    (made / "odd" / os.fsdecode(b"\xff")).touch()
    with (made / "odd" / "large").open("wb") as file:
        file.truncate(LARGEST + 1)
    return made


@pytest.mark.parametrize(
    ("name", "arguments", "text", "failed"),
    [
        ("read_file", {"path": "src/a.py"}, "one\ntwo\nthree\n", False),
        ("read_file", {"path": "src/a.py", "first_line": 2, "last_line": 2}, "two\n", False),
        ("read_file", {"path": "."}, "blob\nodd/\nout\npipe\nsrc/", False),
        ("read_file", {"path": "odd"}, "large\n?", False),
        ("read_file", {"path": "odd/large"}, f"odd/large has {LARGEST + 1:,} bytes, {TOO_MANY}", True),
        ("read_file", {"path": "pipe"}, "pipe is no plain file.", True),
        ("write_file", {"path": "pipe", "text": ""}, "pipe is no plain file.", True),
        ("read_file", {"path": "blob"}, "blob is no text: 3 bytes.", True),
        ("read_file", {"path": "none"}, "none can't be read: No such file or directory.", True),
        ("read_file", {"path": "../secret"}, "../secret is not in the workspace.", True),
        ("read_file", {"path": "out"}, "out is not in the workspace.", True),
        ("write_file", {"path": "/etc/x", "text": ""}, "/etc/x is not in the workspace.", True),
        ("write_file", {"path": "new/b.py", "text": "hi"}, "new/b.py holds 2 letters.", False),
        ("run", {"command": "cat src/a.py | head -1; echo no >&2"}, "one\nno\nIt exited with code 0.", False),
        ("run", {"command": "exit 3"}, "It exited with code 3.", True),
        ("run", {"command": "sleep 60", "seconds": 0.2}, "It was ended after 0.2 seconds.", True),
    ],
)
async def test_a_workspace_is_read_written_and_run_in(
    folder: Path, name: str, arguments: dict[str, Any], text: str, failed: bool
) -> None:
    assert await called(Toolbox([Workspace(folder)]), name, **arguments) == Outcome(text, failed)


async def test_a_command_says_at_most_so_much_and_knows_no_key(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-0123456789")
    box = Toolbox([Workspace(folder)])
    long = await called(box, "run", command="seq 100000")
    assert len(long.text) <= MOST and long.text.endswith("100000\nIt exited with code 0.")
    assert "sk-0123456789" not in (await called(box, "run", command="env")).text


@dataclass
class AtCode(Driven):
    """An attempt at a code task, as far as the rail knows it."""

    workspace: Path
    prompt: str = "Write b.py."


async def test_a_model_does_a_code_task(serve: Serve, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(endpoints.DIALECT, raising=False)

    def look(told: list[str]) -> Says:
        assert told == ["Write b.py."]
        return use("write_file", path="b.py", text="print(6 * 7)")

    def check(told: list[str]) -> Says:
        assert told == ["42\nIt exited with code 0."]
        return DONE

    script, attempt = Script(look, use("run", command="python3 b.py"), check), AtCode(folder)
    async with serve(script.app) as url:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{url}/v1")
        monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789abcdef")
        await by_model(Driver(rail="model", model="m"))(attempt)
    assert (attempt.ended, attempt.error, script.problems, script.left) == ("finished", "", [], 0)
    assert attempt.usage.steps == 3 and attempt.usage.cost_usd is None
    assert b"print(6 * 7)" in attempt.extras["transcript.jsonl"]
