"""What the Connect page offers for copying: an environment, and a first call in four languages."""

from __future__ import annotations

import json
from dataclasses import dataclass
from textwrap import dedent

from fakes.core.links import by_path
from fakes.core.people import Person
from fakes.core.service import Service
from fakes.core.world import World

NO_TOKEN = "issue-a-token-above"


@dataclass(frozen=True)
class Snippet:
    """A text to copy; `name` is for its heading, `hint` says how it is run."""

    id: str
    name: str
    hint: str
    text: str


def base_url(server: str, world: World, service: Service) -> str:
    """Where programs find a service: `server` is the server's address without a slash at its end."""
    return f"{server}{by_path(service, world.name)}"


def environment(base: str, person: Person, token: str | None) -> Snippet:
    """The variables that every snippet reads, as a .env file."""
    values = {"BASE_URL": base, "EMAIL": person.email, "TOKEN": token or NO_TOKEN}
    text = "".join(f"PARACOSM_{name}={value}\n" for name, value in values.items())
    return Snippet("dotenv", "Environment", "Save as .env; in a shell: set -a; . ./.env; set +a", text)


def first_calls(service: Service) -> list[Snippet]:
    """A first call to a service in each language; none for a service that names none."""
    sample = service.sample
    if sample is None:
        return []
    python = (
        _GOOGLE.format(api=sample.google[0], version=sample.google[1], method=sample.google[2])
        if sample.google
        else _PYTHON.format(path=sample.path)
    )
    library = "needs google-api-python-client" if sample.google else "the standard library alone"
    return [
        Snippet("curl", "curl", "in a shell", _CURL.format(path=sample.path)),
        Snippet("python", "Python", library, python),
        Snippet("node", "Node", "node --env-file=.env call.mjs", _NODE.format(path=sample.path)),
    ]


def tool_clients(
    url: str, world: World, service: Service, person: Person, token: str | None
) -> list[Snippet]:
    """How clients of MCP are told of a service's tools: `url` is where they are."""
    name, bearer = f"{service.host_label}-{world.name}", f"Bearer {token or NO_TOKEN}"
    by_http = {"url": url, "headers": {"Authorization": bearer}}
    words = ["mcp", "--world", world.name, "--as", person.email, "--service", service.name]
    launched = {"mcpServers": {name: {"command": "paracosm", "args": words}}}
    hint = "claude_desktop_config.json, where paracosm finds its server"
    return [
        Snippet("mcp-address", "Address", "streamable HTTP, with the token as bearer", f"{url}\n"),
        Snippet(
            "mcp-claude-code", "Claude Code", "in a shell",
            f'claude mcp add --transport http {name} {url} \\\n  --header "Authorization: {bearer}"\n',
        ),
        Snippet("mcp-cursor", "Cursor", ".cursor/mcp.json", _json({"mcpServers": {name: by_http}})),
        Snippet(
            "mcp-vscode", "VS Code", ".vscode/mcp.json",
            _json({"servers": {name: {"type": "http", **by_http}}}),
        ),
        Snippet("mcp-desktop", "Claude Desktop", hint, _json(launched)),
    ]  # fmt: skip


def _json(values: object) -> str:
    return json.dumps(values, indent=2) + "\n"


def for_browser(proxy: str, url: str, login: tuple[str, str] | None) -> str:
    """A Playwright script whose browser is a lease's; `login` is user and password, where it has some."""
    settings = {"server": proxy, **dict(zip(("username", "password"), login or (), strict=False))}
    return _PLAYWRIGHT.format(proxy=json.dumps(settings), url=url)


def chromium_flags(proxy: str) -> str:
    """The same for a Chromium that is started by hand."""
    return f'--proxy-server="{proxy}" --proxy-bypass-list="<-loopback>"'


_CURL = dedent("""\
    curl -H "Authorization: Bearer $PARACOSM_TOKEN" \\
      "$PARACOSM_BASE_URL/{path}"
""")
_PYTHON = dedent("""\
    import json
    import os
    from urllib.request import Request, urlopen

    url = os.environ["PARACOSM_BASE_URL"] + "/{path}"
    token = os.environ["PARACOSM_TOKEN"]
    with urlopen(Request(url, headers={{"Authorization": f"Bearer {{token}}"}})) as answer:
        print(json.dumps(json.load(answer), indent=2))
""")
_GOOGLE = dedent("""\
    import json
    import os

    from google.oauth2.credentials import Credentials
    from googleapiclient.discovery import build

    base = os.environ["PARACOSM_BASE_URL"]
    client = build(
        "{api}",
        "{version}",
        credentials=Credentials(os.environ["PARACOSM_TOKEN"]),
        discoveryServiceUrl=base + "/discovery/v1/apis/{{api}}/{{apiVersion}}/rest",
    )
    print(json.dumps(client.{method}.execute(), indent=2))
""")
_NODE = dedent("""\
    const {{ PARACOSM_BASE_URL: base, PARACOSM_TOKEN: token }} = process.env;
    const answer = await fetch(`${{base}}/{path}`, {{ headers: {{ authorization: `Bearer ${{token}}` }} }});
    console.log(answer.status, await answer.json());
""")
_PLAYWRIGHT = dedent("""\
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(proxy={proxy})
        page = browser.new_page()
        page.goto("{url}")
        print(page.title())
        browser.close()
""")
