"""Whether the kit's mark "Simulated" lies over something that a page says or offers."""

from __future__ import annotations

from playwright.async_api import Page

_COVERED = """() => {
  const mark = document.querySelector(".kit-simulated").getBoundingClientRect();
  const under = (box) => box.width && box.height && box.right > mark.left && box.left < mark.right
    && box.bottom > mark.top && box.top < mark.bottom;
  // What is cut off or scrolled out of a box of its own is not to be seen there.
  const inside = (x, y, part) => document.elementsFromPoint(x, y).some((found) => found === part);
  const found = new Set();
  const look = (part, boxes, says) => {
    for (const box of boxes) {
      const x = Math.max(box.left, mark.left) + 1;
      const y = (Math.max(box.top, mark.top) + Math.min(box.bottom, mark.bottom)) / 2;
      if (under(box) && inside(x, y, part)) found.add(says);
    }
  };
  const root = document.documentElement;
  for (let y = 0; ; y += 90) {
    scrollTo(0, y);
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { data, parentElement: part } = texts.currentNode;
      if (!data.trim() || part.closest(".kit-simulated, script, style")) continue;
      const range = document.createRange();
      range.selectNodeContents(texts.currentNode);
      look(part, range.getClientRects(), data.trim().slice(0, 40));
    }
    for (const field of document.querySelectorAll("button, input, select, textarea")) {
      look(field, [field.getBoundingClientRect()], field.outerHTML.slice(0, 60));
    }
    if (y + innerHeight >= root.scrollHeight) return [...found];
  }
}"""


async def covered_by_mark(page: Page) -> list[str]:
    """Texts and fields that lie under the mark at some place of scrolling."""
    found: list[str] = await page.evaluate(_COVERED)
    return found
