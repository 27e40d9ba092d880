"""How long `paracosm serve` takes to be ready."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from harness.bench.lines import Line, Plan, Say
from harness.bench.worlds import Samples

_SECONDS = 30


def measure(names: Sequence[str], plan: Plan, say: Say) -> Iterator[Line]:
    """The line of `serve.ready`. The first start, which seeds the world and compiles, is not counted."""
    say("starting servers")
    samples = Samples()
    with tempfile.TemporaryDirectory(prefix="paracosm-bench-") as folder:
        for n in range(max(2, plan.rounds // 2) + 1):
            cpu, wall = _start(Path(folder) / "data")
            if n:
                samples.cpu.append(cpu)
                samples.wall.append(wall)
    for name in names:
        yield samples.line(name)


def _start(data: Path) -> tuple[float, float]:
    """CPU and wall seconds from the command to `ready`."""
    command = [sys.executable, "-m", "harness.cli", "serve", "--port", "0", "--data", str(data)]
    wall = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert process.stdout is not None
    try:
        ready = process.stdout.readline()
        wall = time.perf_counter() - wall
        if not ready.startswith("ready "):
            raise RuntimeError("`paracosm serve` ended before it was ready.")
        process.send_signal(signal.SIGTERM)
        _, _, usage = os.wait4(process.pid, 0)
        process.returncode = 0
    finally:
        if process.returncode is None:
            process.kill()
            process.wait(_SECONDS)
        process.stdout.close()
    return usage.ru_utime + usage.ru_stime, wall
