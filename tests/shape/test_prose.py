"""The repository speaks of the product alone, not of the machine it was written on or of how it was."""

from __future__ import annotations

import re
from pathlib import Path

from tests.shape.tree import ROOT, files

WORDS = re.compile(
    r"(?<![\w.-])/(?:work|tmp/pc|tmp/venv|tmp/npm|tmp/bash_jobs|opt/wheels|opt/pypi|root)(?:/|\b)"
    r"|/home/(?!user\b|me\b)\w+"
    r"|\bINTERFACES\.md\b|\bMEASUREMENTS\.md\b|\bDESIGN\.md\b|\bSTYLE\.md\b"
    r"|\.library\b|\bCEO\b"
    r"|\b(?:co-authored-by|generated with|as an ai|language model assistant)\b",
    re.IGNORECASE,
)


def test_prose_is_about_the_product() -> None:
    told = []
    for path in files():
        if path == Path("tests/shape/test_prose.py") or "vendor" in path.parts:
            continue
        text = (ROOT / path).read_bytes().decode("utf-8", "replace")
        for number, line in enumerate(text.splitlines(), 1):
            told += [f"{path}:{number}: {found[0]}" for found in WORDS.finditer(line)]
    assert not told
