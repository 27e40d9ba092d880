"""A time limit for code of others that runs in our own process and never awaits: guards."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

GUARD_SECONDS = 20.0


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raises TimeoutError inside when it takes longer.

    It goes by a signal: only in the main thread, and where there are such signals; else there is no limit.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return

    def ring(number: int, frame: FrameType | None) -> None:
        raise TimeoutError(f"not done after {seconds:g} seconds")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
