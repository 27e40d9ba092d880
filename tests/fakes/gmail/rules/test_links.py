from __future__ import annotations

from fakes.gmail.rules.links import split_links


def test_links_are_told_from_text() -> None:
    assert split_links("See https://x.example/a?b=1&c=2.") == [
        ("See ", False), ("https://x.example/a?b=1&c=2", True), (".", False),
    ]  # fmt: skip


def test_other_schemes_are_text() -> None:
    assert split_links("javascript:alert(1) ftp://x") == [("javascript:alert(1) ftp://x", False)]


def test_nothing_is_no_piece() -> None:
    assert split_links("") == []
