"""Where the packages for Node are that the tests use: `python -m tests.sdk.node_packages` prints the folder,
and `.ci/setup` installs them there. It is named by what is asked for, so another version has another folder.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

WANTED = Path(__file__).parent / "node" / "package.json"


def folder() -> Path:
    """The folder that holds, or is to hold, `node_modules`."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return cache / "paracosm" / f"node-{hashlib.sha256(WANTED.read_bytes()).hexdigest()[:12]}"


if __name__ == "__main__":
    print(folder())
