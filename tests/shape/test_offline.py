"""Nothing we serve or install names a place outside: no page reaches out, no registry is written down."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from tests.shape.tree import ROOT, files, ours

# What a browser loads; vendored files are other people's and are held by their checksums.
SERVED = {".css", ".html", ".j2", ".js", ".svg"}
URL = re.compile(r"(?:https?:|wss?:)?//(?P<host>[a-z0-9*-]+(?:\.[a-z0-9*-]+)+|localhost)", re.IGNORECASE)
OURS = re.compile(r"(?:localhost|127(?:\.\d+){3}|.*\.(?:localhost|example|test|invalid))$", re.IGNORECASE)
NAMESPACES = ("http://www.w3.org/", "https://www.w3.org/")
COMMENT = re.compile(r"/\*.*?\*/|<!--.*?-->|\{#.*?#\}|^\s*//.*?$", re.DOTALL | re.MULTILINE)

REGISTRY = re.compile(r"pypi\.org|pythonhosted\.org|registry\.(?:npmjs|yarnpkg)|deb\.debian\.org|npmmirror")
INDEX_OPTION = re.compile(r"(?:--(?:extra-)?index-url|--find-links|--trusted-host|(?<![\w-])-[if]\s+\S+:/)")
INSTALLS = re.compile(
    r"requirements.*\.(?:txt|in)|constraints.*\.txt|pyproject\.toml|Makefile|Dockerfile|.*\.(?:sh|ya?ml|cfg|ini|toml)"
)

INLINE_SCRIPT = re.compile(
    r"<script(?![^>]*\bsrc=)[^>]*>|\s(?:on[a-z]+|hx-on[\w:-]*)\s*=|javascript:", re.IGNORECASE
)


def _served() -> list[Path]:
    return [path for path in files() if ours(path) and path.suffix in SERVED]


def test_pages_name_no_foreign_host() -> None:
    foreign = []
    for path in _served():
        text = COMMENT.sub("", (ROOT / path).read_text())
        for found in URL.finditer(text):
            namespace = text.startswith(NAMESPACES, found.start())
            if not namespace and not OURS.match(found["host"]):
                foreign.append(f"{path}: {found[0]}")
    assert not foreign


def test_templates_hold_no_script_that_the_pages_policy_refuses() -> None:
    refused = []
    for path in _served():
        if path.suffix in (".html", ".j2"):
            text = COMMENT.sub("", (ROOT / path).read_text())
            refused += [f"{path}: {found[0].strip()}" for found in INLINE_SCRIPT.finditer(text)]
    assert not refused


def test_no_registry_is_written_down() -> None:
    named = []
    for path in files():
        if path == Path("tests/shape/test_offline.py") or "vendor" in path.parts:
            continue
        text = (ROOT / path).read_bytes().decode("utf-8", "replace")
        named += [f"{path}: {found[0]}" for found in REGISTRY.finditer(text)]
        if INSTALLS.fullmatch(path.name) or path.parts[0] in (".ci", "docker"):
            named += [f"{path}: {found[0]}" for found in INDEX_OPTION.finditer(text)]
    assert not named


def test_dependencies_come_by_name() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = [project["dependencies"], *project["optional-dependencies"].values()]
    assert not [name for group in wanted for name in group if "@" in name or "://" in name]
