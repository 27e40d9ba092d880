"""A play that says that it is under way the second time it is played, and then does not go on."""

from __future__ import annotations

import asyncio
from pathlib import Path

CALLS = Path("calls")


async def stall() -> None:
    """Counts in a file of the working directory how often it was called; stalls the second time."""
    with CALLS.open("a") as calls:
        calls.write("x")
    if CALLS.stat().st_size == 2:
        print("stalled", flush=True)
        await asyncio.sleep(600)
