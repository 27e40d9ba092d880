"""Known agents: the command lines that recipes make, what they keep apart, and how they are found."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from harness.driver import Driver
from harness.rails.command import by_command
from harness.rails.commandline import Holes, Recipe, command_line
from harness.rails.recipes import RECIPES, UnknownRecipe, recipe_for
from harness.rollout import rollout
from tests.harness.toy import SERVICES
from tests.harness.toy_tasks import environment, put_a_box

OURS = [recipe for recipe in RECIPES.values() if not recipe.private]
BARE = Holes("Do {model} it.", "/room/TASK.md", "/room/own", "/room/workspace")
FULL = Holes("Do {model} it.", "/room/TASK.md", "/room/own", "/room/workspace", "some-model", 9)


def line(name: str, holes: Holes) -> str:
    return " ".join(command_line(RECIPES[name], holes))


@pytest.mark.parametrize(
    ("name", "bare", "full"),
    [
        (
            "claude-code",
            "claude --print --output-format stream-json --verbose --strict-mcp-config "
            "--setting-sources project --dangerously-skip-permissions",
            " --model some-model --max-turns 9",
        ),
        (
            "codex",
            "codex exec --json --skip-git-repo-check --sandbox danger-full-access* -",
            " --model some-model",
        ),
        ("gemini", "gemini --output-format stream-json --approval-mode yolo", " --model some-model"),
        ("opencode", "opencode run --format json* Do {model} it.", " --model some-model"),
        (
            "aider",
            "aider --message-file /room/TASK.md --yes-always --no-auto-commits --no-gitignore "
            "--no-check-update --no-show-release-notes --no-analytics --no-pretty --no-stream "
            "--input-history-file /room/own/input.history --chat-history-file /room/own/chat.history",
            " --model some-model",
        ),
    ],
)
def test_a_recipe_makes_its_command_line(name: str, bare: str, full: str) -> None:
    place = bare if "*" in bare else f"{bare}*"
    assert line(name, BARE) == place.replace("*", "")
    assert line(name, FULL) == place.replace("*", full)


def test_servers_of_tools_are_named_to_who_takes_them() -> None:
    holes = replace(BARE, tools="/room/workspace/mcp.json")
    assert line("claude-code", holes).endswith(" --mcp-config /room/workspace/mcp.json")


@pytest.mark.parametrize("recipe", OURS, ids=lambda recipe: recipe.name)
def test_a_recipe_says_what_it_keeps_apart_and_what_it_rests_on(recipe: Recipe) -> None:
    assert "resh" in recipe.isolates
    assert any(source.grade == "documented" for source in recipe.sources)
    assert all(re.match(r"https://[\w.-]+/", source.address) for source in recipe.sources)
    assert recipe.passes and not [name for name in recipe.passes if name.startswith("PARACOSM")]


def test_a_limit_of_turns_goes_into_settings_where_there_is_no_option() -> None:
    settings = RECIPES["gemini"].files[".gemini/settings.json"]
    assert json.loads(FULL.fill(settings))["model"] == {"maxSessionTurns": 9}
    assert json.loads(BARE.fill(settings))["model"] == {"maxSessionTurns": -1}


def test_stand_ins_are_told_nothing_but_how_to_behave() -> None:
    assert line("stand-in-lazy", FULL).endswith(" -m harness.standin lazy")
    assert not RECIPES["stand-in-lazy"].by_stdin


def test_an_unknown_recipe_is_answered_with_those_there_are() -> None:
    with pytest.raises(UnknownRecipe) as raised:
        by_command(Driver("command", recipe="nope"))
    assert str(raised.value) == (
        "There is no recipe 'nope'; there are claude-code, codex, gemini, opencode, aider, stand-in-honest, "
        "stand-in-lazy, stand-in-cheating."
    )
    with pytest.raises(UnknownRecipe, match="Say which command, or a recipe: claude-code"):
        recipe_for(Driver("command"))


CODEX = """#!/bin/sh
cat > prompt
echo "{\\"type\\": \\"item.completed\\", \\"item\\": {\\"type\\": \\"agent_message\\", \\"text\\": \\"$*\\"}}"
for said in "$CODEX_HOME" "$CODEX_API_KEY" "$(head -1 prompt)" "$(cat "$CODEX_HOME"/config.toml)"; do
  echo "said $said"
done
echo '{"type": "turn.completed", "usage": {"input_tokens": 120, "output_tokens": 30}}'
"""


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], None]:
    """Puts a program of a name on the PATH."""
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")

    def make(name: str, script: str) -> None:
        (tmp_path / name).write_text(script)
        (tmp_path / name).chmod(0o755)

    return make


async def test_an_agent_is_started_as_its_recipe_says(
    program: Callable[[str, str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    program("codex", CODEX)
    monkeypatch.setenv("CODEX_HOME", "/the/callers/own")
    monkeypatch.delenv("CODEX_API_KEY", raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-caller")
    task = put_a_box(environment())
    drive = by_command(Driver("command", recipe="codex", model="some-model", timeout=30))
    done = await rollout(task, drive, rail="command", services=SERVICES)
    told = [json.loads(each) for each in done.evidence.extras["transcript.jsonl"].decode().splitlines()]
    words, home, key, prompt, settings, _ = [each["text"] for each in told]
    assert words == "exec --json --skip-git-repo-check --sandbox danger-full-access --model some-model -"
    assert home.endswith("/home/.codex") and key == "said [OPENAI_API_KEY]"
    assert prompt == "said Put Lamps on the shelf, due 2025-10-26."
    assert settings == 'said approval_policy = "never"'
    assert (done.evidence.usage.tokens_in, done.evidence.usage.tokens_out) == (120, 30)


LIMIT = """#!/bin/sh
echo '{"type": "result", "subtype": "error_max_turns", "is_error": true, "num_turns": 9}'; exit 1
"""
NO_KEY = r"""#!/bin/sh
cat << 'END'
{"type": "result", "subtype": "success", "is_error": true, "result": "Invalid API key\nLog in."}
END
"""


BUSY = """#!/bin/sh
while :; do echo '{"type": "step_finish", "part": {"tokens": {"input": 10}}}'; done
"""


@pytest.mark.parametrize(
    ("recipe", "name", "script", "ended", "error"),
    [
        ("opencode", "opencode", BUSY, "time-out", "not done after 9 turns"),
        ("gemini", "gemini", "#!/bin/sh\nexit 53\n", "time-out", "not done after 9 turns"),
        ("gemini", "gemini", "#!/bin/sh\nexit 41\n", "error", "The command exited with code 41"),
        ("claude-code", "claude", LIMIT, "time-out", "not done after 9 turns"),
        ("claude-code", "claude", NO_KEY, "error", "The command exited with code 0: Invalid API key"),
    ],
)
async def test_an_agents_own_way_to_end_is_understood(
    program: Callable[[str, str], None], recipe: str, name: str, script: str, ended: str, error: str
) -> None:
    program(name, script)
    drive = by_command(Driver("command", recipe=recipe, timeout=30, max_turns=9))
    done = await rollout(put_a_box(environment()), drive, rail="command", services=SERVICES)
    assert (done.evidence.ended, done.evidence.error) == (ended, error)
