"""The agents that are known: how each is told its task, kept from its user's settings, and read.

What a recipe rests on stands beside it: none of these agents comes with Paracosm.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path

import harness
from harness.driver import Driver
from harness.rails import readers
from harness.rails.commandline import OPTIONS, Recipe, Source
from harness.rails.environ import KEYS
from harness.rails.reading import plain

STAND_INS = ("honest", "lazy", "cheating")


class UnknownRecipe(LookupError):
    """No agent of that name is known, or none is named; the sentence lists those there are."""


CLAUDE_CODE = Recipe(
    "claude-code",
    (
        "claude", "--print", "--output-format", "stream-json", "--verbose", "--strict-mcp-config",
        "--setting-sources", "project", "--dangerously-skip-permissions", OPTIONS,
    ),
    readers.claude_code,
    "Home and CLAUDE_CONFIG_DIR are fresh: no user's settings, memory, skills, hooks or log-in; no servers "
    "but those on its command line, which are the task's, if it is done by tools. What lies in the workspace "
    "itself, it does see.",
    for_model=("--model", "{model}"),
    for_turns=("--max-turns", "{turns}"),
    for_tools=("--mcp-config", "{tools}"),
    environment={
        "CLAUDE_CONFIG_DIR": "{home}/.claude", "DISABLE_AUTOUPDATER": "1",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    },
    passes=("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "CLAUDE_CODE_OAUTH_TOKEN"),
    sources=(
        Source("https://docs.claude.com/en/docs/claude-code/headless", "documented"),
        Source("https://docs.claude.com/en/docs/claude-code/cli-reference", "documented"),
        Source("https://github.com/anthropics/claude-code-action/issues/823", "seen"),
    ),
)  # fmt: skip

CODEX = Recipe(
    "codex",
    ("codex", "exec", "--json", "--skip-git-repo-check", "--sandbox", "danger-full-access", OPTIONS, "-"),
    readers.codex,
    "Home and CODEX_HOME are fresh: no user's config.toml, AGENTS.md, servers, rules or log-in. Its own "
    "sandbox is off, since it would cut the world off with the rest of the network.",
    for_model=("--model", "{model}"),
    environment={"CODEX_HOME": "{home}/.codex"},
    files={".codex/config.toml": 'approval_policy = "never"\n'},
    passes=("CODEX_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL"),
    borrows={"CODEX_API_KEY": "OPENAI_API_KEY"},
    sources=(
        Source("https://developers.openai.com/codex/noninteractive", "documented"),
        Source("https://developers.openai.com/codex/cli/reference", "documented"),
        Source("https://github.com/openai/codex/pull/4583", "documented"),
    ),
)

GEMINI = Recipe(
    "gemini",
    ("gemini", "--output-format", "stream-json", "--approval-mode", "yolo", OPTIONS),
    readers.gemini,
    "Home and GEMINI_CLI_HOME are fresh, and the system's settings are named where there are none: no "
    "settings, extensions, servers, memory or log-in.",
    for_model=("--model", "{model}"),
    environment={
        "GEMINI_CLI_HOME": "{home}",
        "GEMINI_CLI_SYSTEM_SETTINGS_PATH": "{home}/none.json",
        "GEMINI_CLI_SYSTEM_DEFAULTS_PATH": "{home}/none.json",
    },
    files={
        ".gemini/settings.json": '{"model": {"maxSessionTurns": {turns}}, '
        '"general": {"enableAutoUpdate": false}, '
        '"privacy": {"usageStatisticsEnabled": false}}\n'
    },
    passes=("GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GENAI_USE_VERTEXAI"),
    turns_code=53,
    sources=(
        Source("https://geminicli.com/docs/cli/headless/", "documented"),
        Source("https://geminicli.com/docs/reference/configuration", "documented"),
    ),
)

OPENCODE = Recipe(
    "opencode",
    ("opencode", "run", "--format", "json", OPTIONS, "{prompt}"),
    readers.opencode,
    "Home and the XDG folders are fresh: no user's configuration, agents, plugins, servers or log-in; it is "
    "allowed everything, shares nothing and stays at its version.",
    environment={
        "XDG_CONFIG_HOME": "{home}/.config", "XDG_DATA_HOME": "{home}/.local/share",
        "XDG_STATE_HOME": "{home}/.local/state", "XDG_CACHE_HOME": "{home}/.cache",
        "OPENCODE_CONFIG_CONTENT": json.dumps(
            {"permission": "allow", "share": "disabled", "autoupdate": False}
        ),
        "OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DISABLE_CLAUDE_CODE": "1",
    },
    for_model=("--model", "{model}"),
    passes=("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "OPENROUTER_API_KEY"),
    sources=(
        Source("https://opencode.ai/docs/cli/", "documented"),
        Source("https://opencode.ai/v1/docs/permissions/", "documented"),
        Source("https://github.com/banteg/takopi/blob/HEAD/docs/runner/opencode", "seen"),
    ),
)  # fmt: skip

AIDER = Recipe(
    "aider",
    (
        "aider", "--message-file", "{file}", "--yes-always", "--no-auto-commits", "--no-gitignore",
        "--no-check-update", "--no-show-release-notes", "--no-analytics", "--no-pretty", "--no-stream",
        "--input-history-file", "{home}/input.history", "--chat-history-file", "{home}/chat.history",
        OPTIONS,
    ),
    readers.aider,
    "Home is fresh: no user's .aider.conf.yml or .env. It edits files and sends nothing itself, so it is for "
    "code tasks; it makes the workspace a git repository.",
    for_model=("--model", "{model}"),
    passes=("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "OPENAI_API_BASE", "GEMINI_API_KEY", "OPENROUTER_API_KEY"),
    sources=(
        Source("https://aider.chat/docs/scripting.html", "documented"),
        Source("https://aider.chat/docs/more/analytics.html", "documented"),
        Source("https://aider.chat/docs/config/options.html", "documented"),
    ),
)  # fmt: skip


def _stand_in(behaviour: str) -> Recipe:
    """Our own scripted agent, which plays without a model and is told the facts in a private file."""
    return Recipe(
        f"stand-in-{behaviour}",
        (sys.executable, "-m", "harness.standin", behaviour),
        readers.stand_in,
        "It has no settings.",
        environment={"PYTHONPATH": str(Path(harness.__file__).parent.parent)},
        private=True,
    )


RECIPES: Mapping[str, Recipe] = {
    recipe.name: recipe
    for recipe in (CLAUDE_CODE, CODEX, GEMINI, OPENCODE, AIDER, *map(_stand_in, STAND_INS))
}
"""Every known agent by name."""


def find_recipe(name: str) -> Recipe:
    """A known agent. Raises UnknownRecipe."""
    if name not in RECIPES:
        raise UnknownRecipe(f"There is no recipe {name!r}; there are {', '.join(RECIPES)}.")
    return RECIPES[name]


def recipe_for(driver: Driver) -> Recipe:
    """The recipe that a driver names, or one for its own command line. Raises UnknownRecipe."""
    if driver.recipe:
        return find_recipe(driver.recipe)
    if not driver.command:
        raise UnknownRecipe(f"Say which command, or a recipe: {', '.join(RECIPES)}.")
    apart = "Home is fresh; the rest is its own business."
    return Recipe(driver.command[0], driver.command, plain, apart, passes=KEYS)
