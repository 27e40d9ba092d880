"""Code that never awaits ends at its limit, and one that is quick is left alone."""

from __future__ import annotations

import signal

import pytest

from harness.limits import limited


def test_what_takes_too_long_is_ended() -> None:
    with pytest.raises(TimeoutError, match="not done after 0.05 seconds"), limited(0.05):
        while True:
            pass


def test_what_is_quick_is_left_alone_and_nothing_stays_set() -> None:
    before = signal.getsignal(signal.SIGALRM)
    with limited(5):
        pass
    assert signal.getsignal(signal.SIGALRM) is before and signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
