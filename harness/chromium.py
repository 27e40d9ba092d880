"""Finds the Chromium that the rails, `prove` and the browser tests launch, and the flags it is launched with.

`python -m harness.chromium` prints where it is, or says what to do and exits 1.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import sys
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

SYSTEM_NAMES = ("chromium", "chromium-browser", "google-chrome")
"""What distributions call it, in the order we try them."""

SHELL = "chromium-headless-shell"
"""What Playwright's manifest and Debian call Chromium without what is around its pages."""

NOT_FOUND = "no Chromium found: run `make setup`, or set PARACOSM_CHROMIUM to a browser's executable"

_EXECUTABLES = ("chrome-linux*/chrome", "chrome-mac*/*.app/Contents/MacOS/*", "chrome-win*/chrome.exe")
_SHELLS = ("chrome-headless-shell-*/chrome-headless-shell*", "chrome-*/headless_shell*")


class ChromiumMissing(Exception):
    """`PARACOSM_CHROMIUM` names something that cannot be run."""


def find_chromium() -> Path | None:
    """The browser to launch: `PARACOSM_CHROMIUM`, else Playwright's download, else the system's, else None.

    Raises ChromiumMissing if `PARACOSM_CHROMIUM` is set but names no executable: falling back to another
    browser would hide the mistake.
    """
    if named := os.environ.get("PARACOSM_CHROMIUM"):
        path = shutil.which(named)
        if path is None:
            raise ChromiumMissing(f"PARACOSM_CHROMIUM is {named!r}, no executable: correct or unset it")
        return Path(path)
    return next(_playwrights_own("chromium", _EXECUTABLES), None) or next(_the_systems(*SYSTEM_NAMES), None)


def find_shell() -> Path | None:
    """Chromium's headless shell, from the same places; else what `find_chromium` finds.

    A page costs it a third of the time. It asks for no icons, shows no PDFs and has no windows, so it is for
    tests of pages, not for people or agents. Raises ChromiumMissing.
    """
    if os.environ.get("PARACOSM_CHROMIUM"):
        return find_chromium()
    own = next(_playwrights_own(SHELL, _SHELLS), None)
    return own or next(_the_systems(SHELL), None) or find_chromium()


def launch_args(*hosts: str) -> list[str]:
    """Command-line flags for `playwright.chromium.launch(args=...)`.

    They stop the browser's own traffic (updates, sync, probes of the network), and let it resolve names of
    this machine alone, so that a page cannot reach out even by mistake. `hosts` are further names it may
    resolve, such as that of a server in another container. Playwright's `--disable-features` must not be
    repeated here: Chromium takes only the last one.
    """
    allowed = ("localhost", "*.localhost", "127.*", "[::1]", *hosts)
    rules = ", ".join(["MAP * ~NOTFOUND", *(f"EXCLUDE {host}" for host in allowed)])
    flags = [
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-default-apps",
        "--disable-domain-reliability",
        "--disable-quic",
        "--disable-sync",
        "--dns-prefetch-disable",
        "--no-first-run",
        f"--host-resolver-rules={rules}",
    ]
    if _is_root():  # Chromium's sandbox refuses to start as root
        flags.append("--no-sandbox")
    return flags


def _playwrights_own(name: str, executables: Sequence[str]) -> Iterator[Path]:
    """Playwright's download of the revision that its driver wants, found without starting the driver."""
    spec = find_spec("playwright")
    if spec is None or spec.origin is None:
        return
    driver = Path(spec.origin).parent / "driver" / "package"
    manifest = driver / "browsers.json"
    if not manifest.is_file():
        return
    wanted = [b["revision"] for b in json.loads(manifest.read_text())["browsers"] if b["name"] == name]
    for revision in wanted:
        folder = _downloads(driver) / f"{name.replace('-', '_')}-{revision}"
        for pattern in executables:
            yield from _runnable(sorted(folder.glob(pattern)))


def _downloads(driver: Path) -> Path:
    """Where Playwright keeps its browsers on this system."""
    named = os.environ.get("PLAYWRIGHT_BROWSERS_PATH", "")
    if named == "0":
        return driver / ".local-browsers"
    if named:
        return Path(named)
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "ms-playwright"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "ms-playwright"
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "ms-playwright"


def _the_systems(*names: str) -> Iterator[Path]:
    for name in names:
        if path := shutil.which(name):
            yield Path(path)


def _runnable(paths: list[Path]) -> Iterator[Path]:
    return (path for path in paths if path.is_file() and os.access(path, os.X_OK))


def has_display() -> bool:
    """Whether a window can be opened here."""
    on_x_or_wayland = sys.platform.startswith(("linux", "freebsd"))
    return not on_x_or_wayland or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def free_port() -> int:
    """A port for DevTools: Chromium tells nobody which one it took, so it is told one."""
    with socket.create_server(("127.0.0.1", 0)) as held:
        return int(held.getsockname()[1])


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def main() -> int:
    """Print the browser's path (exit code 0), or what to do to have one (exit code 1)."""
    try:
        found = find_chromium()
    except ChromiumMissing as error:
        print(error, file=sys.stderr)
        return 1
    if found is None:
        print(NOT_FOUND, file=sys.stderr)
        return 1
    print(found)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
