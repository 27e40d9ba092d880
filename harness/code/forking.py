"""Forks lives: a process that has imported what solutions commonly import, and forks when it is asked to.
Starting Python anew costs some fifty milliseconds each time, and crashes are tried by the hundred.

Run as a file, with nothing of ours imported: `forking.py CONTROL SOLUTION PROGRAMS`. CONTROL is the number of
a socket; a request comes with three open files. Of the solution nothing is imported before the fork.
"""

from __future__ import annotations

import ast
import atexit
import gc
import json
import os
import select
import signal
import socket
import sys
import threading
from contextlib import suppress
from importlib import import_module
from types import ModuleType
from typing import Any

MEGABYTE = 1 << 20
FILE_BYTES, MEMORY_BYTES, CPU_SECONDS = 64 * MEGABYTE, 2048 * MEGABYTE, 120
PR_SET_CHILD_SUBREAPER = 36
COMMON = (
    "contextlib", "dataclasses", "datetime", "decimal", "hashlib", "http.client", "pathlib", "random",
    "sqlite3", "threading", "traceback", "typing", "urllib.request", "uuid",
)  # fmt: skip


def main(control: int, solution: str, programs: str) -> None:
    """Serves forks; returns in each child once its program has been run."""
    _limit()
    _adopt()
    for name in COMMON:
        import_module(name)
    gc.freeze()
    become(_asked(socket.socket(fileno=control)), solution, programs)


def become(asked: dict[str, Any], solution: str, programs: str) -> None:
    """Runs a program as `__main__`. The grader's own modules are found before the solution's, and what the
    program wants of Python's is imported before there is a solution: it can't stand in for what asks it.
    """
    os.environ.clear()
    os.environ.update(asked["environ"])
    os.chdir(asked["cwd"])
    sys.stdin, sys.stderr = open(0, closefd=False), open(2, "w", buffering=1, closefd=False)
    sys.path.insert(0, programs)
    sys.argv = [asked["program"], *asked["arguments"]]
    import_module("answering").take_output()
    module = sys.modules["__main__"] = ModuleType("__main__")
    module.__file__ = asked["program"]
    with open(asked["program"], encoding="utf-8") as file:
        tree = ast.parse(file.read(), asked["program"])
    for name in _imported(tree) & sys.stdlib_module_names:
        import_module(name)
    sys.path.insert(1, solution)
    code = compile(tree, asked["program"], "exec")
    exec(code, module.__dict__)
    _end()


def _imported(tree: ast.Module) -> set[str]:
    """The modules that a program begins with, without their packages' insides."""
    names = [alias.name for node in tree.body if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module or "" for node in tree.body if isinstance(node, ast.ImportFrom) and not node.level]
    return {name.partition(".")[0] for name in names}


def _end() -> None:
    """Ends as Python does, but without taking itself apart: that takes longer than most lives.

    What raises, SystemExit too, ends the usual way.
    """
    threading._shutdown()  # type: ignore[attr-defined]  # waits for threads, as Python's own end does
    atexit._run_exitfuncs()
    sys.stderr.flush()
    os._exit(0)


def _adopt() -> None:
    """What a life leaves behind becomes this process's child, whatever it did to hide, and is seen there."""
    with suppress(Exception):  # it is Linux alone that can
        import_module("ctypes").CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _asked(control: socket.socket) -> dict[str, Any]:
    """Forks for each request, and tells how each child ended; in a child, what was asked of it."""
    wake, woken = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    signal.set_wakeup_fd(woken)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    while True:
        ready, _, _ = select.select([control.fileno(), wake], [], [])
        if wake in ready:
            os.read(wake, 512)
            _tell_ended(control)
        if control.fileno() in ready:
            message, files, _, _ = socket.recv_fds(control, 1 << 20, 3)
            if not message:
                os._exit(0)
            pid = os.fork()
            if pid == 0:
                _leave(control, wake, woken)
                _take(files)
                asked: dict[str, Any] = json.loads(message)
                return asked
            _apart(pid)
            for file in files:
                os.close(file)
            _tell(control, {"pid": pid})


def _leave(control: socket.socket, wake: int, woken: int) -> None:
    """In a child: lets go of what is its parent's, and stands in a group of its own."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    control.close()
    os.close(wake)
    os.close(woken)
    _apart(0)


def _take(files: list[int]) -> None:
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)


def _apart(pid: int) -> None:
    with suppress(OSError):  # parent and child both do it, whoever comes first
        os.setpgid(pid, pid)


def _tell_ended(control: socket.socket) -> None:
    with suppress(ChildProcessError):
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                return
            _tell(control, {"ended": pid, "code": os.waitstatus_to_exitcode(status)})


def _tell(control: socket.socket, value: dict[str, int]) -> None:
    control.sendall(json.dumps(value).encode() + b"\n")


def _limit() -> None:
    import resource

    for what, most in (
        (resource.RLIMIT_FSIZE, FILE_BYTES),
        (resource.RLIMIT_AS, MEMORY_BYTES),
        (resource.RLIMIT_CPU, CPU_SECONDS),
        (resource.RLIMIT_CORE, 0),
    ):
        _, hard = resource.getrlimit(what)
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(what, (most, most))


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], sys.argv[3])
