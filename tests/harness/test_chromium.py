from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from harness import chromium
from harness.chromium import ChromiumMissing, find_chromium, find_shell, launch_args


@pytest.fixture(autouse=True)
def bare_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with no browser at all."""
    monkeypatch.delenv("PARACOSM_CHROMIUM", raising=False)
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "playwright"))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))


def _executable(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch(mode=0o755)
    return path


def test_nothing_found(capsys: pytest.CaptureFixture[str]) -> None:
    assert find_chromium() is None
    assert chromium.main() == 1
    assert "make setup" in capsys.readouterr().err


def test_the_system_has_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _executable(tmp_path / "bin" / "google-chrome")
    found = _executable(tmp_path / "bin" / "chromium")
    assert find_chromium() == found
    assert chromium.main() == 0
    assert capsys.readouterr().out == f"{found}\n"


REVISIONS = {"chromium": "7", "chromium-headless-shell": "8"}


@pytest.fixture
def driver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Playwright's driver, which wants revision 7, and 8 of the shell."""
    driver = tmp_path / "site" / "driver" / "package"
    driver.mkdir(parents=True)
    wanted = [{"name": name, "revision": number} for name, number in REVISIONS.items()]
    driver.joinpath("browsers.json").write_text(json.dumps({"browsers": wanted}))
    installed = SimpleNamespace(origin=str(tmp_path / "site" / "__init__.py"))
    monkeypatch.setattr(chromium, "find_spec", lambda _: installed)


@pytest.mark.usefixtures("driver")
def test_playwrights_own_goes_first(tmp_path: Path) -> None:
    _executable(tmp_path / "bin" / "chromium")
    _executable(tmp_path / "playwright" / "chromium-6" / "chrome-linux64" / "chrome")
    assert find_chromium() == tmp_path / "bin" / "chromium"
    own = _executable(tmp_path / "playwright" / "chromium-7" / "chrome-linux64" / "chrome")
    assert find_chromium() == own


@pytest.mark.usefixtures("driver")
def test_a_shell_goes_before_a_whole_browser_where_it_does(tmp_path: Path) -> None:
    whole = _executable(tmp_path / "playwright" / "chromium-7" / "chrome-linux64" / "chrome")
    assert find_shell() == whole
    systems = _executable(tmp_path / "bin" / "chromium-headless-shell")
    assert find_shell() == systems
    downloads = tmp_path / "playwright" / "chromium_headless_shell-8"
    own = _executable(downloads / "chrome-headless-shell-linux64" / "chrome-headless-shell")
    assert find_shell() == own
    assert find_chromium() == whole


def test_the_named_one_goes_before_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _executable(tmp_path / "bin" / "chromium")
    _executable(tmp_path / "bin" / "chromium-headless-shell")
    named = _executable(tmp_path / "elsewhere" / "browser")
    monkeypatch.setenv("PARACOSM_CHROMIUM", str(named))
    assert find_chromium() == find_shell() == named


def test_a_wrong_name_is_said_and_not_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _executable(tmp_path / "bin" / "chromium")
    monkeypatch.setenv("PARACOSM_CHROMIUM", "/no/such/browser")
    with pytest.raises(ChromiumMissing, match="correct or unset it"):
        find_chromium()


def test_only_names_of_this_machine_are_resolved() -> None:
    (rules,) = (flag for flag in launch_args("paracosm") if flag.startswith("--host-resolver-rules="))
    assert rules.startswith("--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost")
    assert rules.endswith("EXCLUDE paracosm")


@pytest.mark.parametrize("root", [True, False])
def test_no_sandbox_as_root_only(root: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chromium, "_is_root", lambda: root)
    assert ("--no-sandbox" in launch_args()) is root
