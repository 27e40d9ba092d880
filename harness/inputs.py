"""A task's inputs as files, for a person to choose from in a browser's window."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def lay_out(inputs: Mapping[str, bytes], folder: Path) -> list[Path]:
    """Writes each into the folder, under the last part of its name; returns where they are."""
    written = []
    for name, content in inputs.items():
        place = folder / Path(name).name
        place.write_bytes(content)
        written.append(place)
    return written
