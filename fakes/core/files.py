"""Files of the data folder: written whole, and for their owner alone, since worlds' secrets are in them."""

from __future__ import annotations

import os
from pathlib import Path

SCRATCH = ".new"


def write_whole(path: Path, content: bytes) -> Path:
    """Writes a file at once or not at all: a crash leaves the old one, or none. Returns it.

    Raises OSError, such as for a full disk, which what was begun then does not fill further.
    """
    scratch = path.with_name(path.name + SCRATCH)
    scratch.unlink(missing_ok=True)
    try:
        with open(os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(content)
        return scratch.replace(path)
    except OSError:
        scratch.unlink(missing_ok=True)
        raise
