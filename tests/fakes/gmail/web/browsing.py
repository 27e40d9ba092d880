"""What tests of pages in Chromium share: coming into a mailbox, and what axe has to say of a page."""

from __future__ import annotations

from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Page

from fakes.core import people
from fakes.core.people import Person
from harness.app import Server


async def sign_in(page: Page, server: Server, person: Person, path: str = "/") -> None:
    """Types address and password of a person of world `main`; the page at `path` follows."""
    await page.goto(f"http://gmail.main.localhost:{server.port}{path}")
    await page.get_by_label("Address").fill(person.email)
    await page.get_by_label("Password").fill(people.password(server.worlds.get("main"), person.email))
    await page.keyboard.press("Enter")


async def check_axe(page: Page) -> None:
    """Asserts that axe finds nothing on the page as it stands."""
    found = await Axe().run(page)
    assert not found.response["violations"], found.generate_report()
