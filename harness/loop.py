"""The event loop that servers run in: uvloop's where there is one."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any


def run(make: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Runs what `make` makes until it is done."""
    import asyncio

    try:
        import uvloop
    except ImportError:  # there is none on Windows
        factory = None
    else:
        factory = uvloop.new_event_loop
    with asyncio.Runner(loop_factory=factory) as runner:
        runner.run(make())
