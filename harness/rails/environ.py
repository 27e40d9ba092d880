"""The variables by which a program outside of ours gets into a world, and those that it may have besides."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PLAIN = ("PATH", "LANG", "LC_ALL", "TZ", "TERM", "SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS", "HTTPS_PROXY")
"""What every command gets of our environment. HTTP_PROXY is none of them: worlds are plain http."""

PASS = "PARACOSM_PASS"
"""Names, with commas between, of further variables that commands get."""

STAND_IN = "PARACOSM_STANDIN"
"""The variable that names a stand-in's private file; no other command has one."""

KEYS = (
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_BASE_URL",
    "GEMINI_API_KEY",
    "OPENAI_API_KEY",
    "OPENAI_BASE_URL",
    "OPENROUTER_API_KEY",
)
"""Where models are, and what opens them: what a command of one's own gets besides."""


@dataclass(frozen=True)
class Entry:
    """A person's way into one service: where programs find it, their token, where its pages and where its
    tools are.
    """

    service: str
    base_url: str
    token: str | None = None
    pages: str | None = None
    tools: str | None = None

    def variables(self) -> dict[str, str]:
        """`GMAIL_BASE_URL`, `GMAIL_TOKEN`, `GMAIL_PAGES` and `GMAIL_MCP_URL`, as far as there are such."""
        name = variable(self.service)
        found = {"BASE_URL": self.base_url, "TOKEN": self.token, "PAGES": self.pages, "MCP_URL": self.tools}
        return {f"{name}_{what}": value for what, value in found.items() if value is not None}


def variable(name: str) -> str:
    """A service's or an actor's name as variables begin with it: CLAIMS_DESK."""
    return name.upper().replace("-", "_")


def for_person(email: str, base_url: str, entries: Iterable[Entry]) -> dict[str, str]:
    """All that a person's programs need in a world; `base_url` is the world's own."""
    found = {"PARACOSM_EMAIL": email, "PARACOSM_BASE_URL": base_url}
    for entry in entries:
        found |= entry.variables()
    return found


def prefixed(actor: str, variables: Mapping[str, str]) -> dict[str, str]:
    """The same for one actor of several: MANAGER_GMAIL_TOKEN."""
    return {f"{variable(actor)}_{name}": value for name, value in variables.items()}


def given(home: Path, passes: Iterable[str]) -> dict[str, str]:
    """A small environment to start from, of which `passes` and PARACOSM_PASS name more."""
    asked = [name.strip() for name in os.environ.get(PASS, "").split(",")]
    return small(home, [*passes, *filter(None, asked)])


def small(home: Path, passes: Iterable[str] = ()) -> dict[str, str]:
    """Ours as far as PLAIN and `passes` name it, and a home of its own."""
    found = {name: os.environ[name] for name in (*PLAIN, *passes) if name in os.environ}
    return {"LANG": "C.UTF-8", "TERM": "dumb", "PATH": os.defpath, **found, "HOME": str(home)}


def tool_servers(entries: Iterable[Entry]) -> str:
    """Servers of tools as most agents' configuration names them (modelcontextprotocol.io): each with its
    token.
    """
    servers = {
        entry.service: {
            "type": "http", "url": entry.tools, "headers": {"Authorization": f"Bearer {entry.token}"},
        }
        for entry in entries if entry.tools and entry.token
    }  # fmt: skip
    return json.dumps({"mcpServers": servers}, indent=2)


def storage_state(cookies: Iterable[tuple[str, str, str]]) -> str:
    """A signed-in browser as Playwright's `storage_state` takes it; cookies are (host, name, value)."""
    shown: list[dict[str, Any]] = [
        {
            "name": name,
            "value": value,
            "domain": host,
            "path": "/",
            "expires": -1,
            "httpOnly": True,
            "secure": False,
            "sameSite": "Lax",
        }
        for host, name, value in cookies
    ]
    return json.dumps({"cookies": shown, "origins": []}, indent=1)
