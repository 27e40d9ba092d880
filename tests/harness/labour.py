"""Jobs for crews in tests: a process finds them by the name of this module."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from typing import Any

from harness.parallel import Shop


async def double(shop: Shop, number: int) -> tuple[int, int]:
    """Twice the number, and whose process it was."""
    shop.say(f"number {number}", "doubles")
    return 2 * number, os.getpid()


async def keep(shop: Shop, number: int) -> list[int]:
    """All numbers that this process has had."""
    shop.kept.setdefault("numbers", []).append(number)
    return list(shop.kept["numbers"])


async def die(shop: Shop, sign: signal.Signals) -> None:
    """Ends its process."""
    os.kill(os.getpid(), sign)
    await asyncio.sleep(30)


async def leave(shop: Shop, code: int) -> None:
    """Ends its process as an agent may."""
    os._exit(code)


async def hang(shop: Shop) -> None:
    """Never awaits, and never comes back."""
    while True:
        time.sleep(1)


async def wait(shop: Shop) -> None:
    """Says whose process it is, and waits."""
    shop.say("wait", str(os.getpid()))
    await asyncio.sleep(60)


async def trip(shop: Shop) -> None:
    """Raises."""
    raise RuntimeError("over a stone")


async def return_a_function(shop: Shop) -> Any:
    """Returns what can't be sent."""
    return lambda: None
