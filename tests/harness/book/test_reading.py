"""The book in Chromium, from the files themselves: search, keyboard, a phone, and axe."""

from __future__ import annotations

from pathlib import Path

import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Page, expect

from harness.book.printing import print_book
from tests.harness.book.shelf import SERVICES, TASK, careless, desk, records


@pytest.fixture(scope="module", autouse=True)
def _bundle_is_made_outside_of_the_loop() -> None:
    careless()


@pytest.fixture
def book(tmp_path: Path) -> Path:
    print_book([desk()], records(tmp_path), tmp_path, tmp_path / "book", SERVICES)
    return tmp_path / "book"


async def test_the_search_field_narrows_the_contents_down(page: Page, book: Path) -> None:
    await page.goto((book / "index.html").as_uri())
    await expect(page.get_by_role("heading", name="Task book")).to_be_visible()
    await page.keyboard.press("/")
    field = page.get_by_role("searchbox", name="Search the book")
    await expect(field).to_be_focused()
    await field.fill("whitfield surname")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("status")).to_have_text("1 found")
    await page.get_by_role("link", name="right-claimant").click()
    await expect(page.get_by_role("heading", level=1)).to_contain_text("Record the determination")


async def test_pages_fit_a_phone_and_axe_finds_nothing_serious(page: Page, book: Path) -> None:
    await page.set_viewport_size({"width": 390, "height": 800})
    for path in ("index.html", "rollouts/1.html", f"environments/{TASK}.html"):
        await page.goto((book / path).as_uri())
        await expect(page.get_by_role("heading", level=1)).to_be_visible()
        assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        found = (await Axe().run(page)).response["violations"]
        assert not [each["id"] for each in found if each["impact"] in ("serious", "critical")], path
