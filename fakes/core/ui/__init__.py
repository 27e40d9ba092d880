"""The UI kit: what every product's pages stand on, and nothing of how they look.

A product's `web.py` makes one `Pages` of its package and answers with `pages.response(...)`; its templates
extend `kit/base.html`. The gateway mounts `kit_routes()` on every host that serves pages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fakes.core.ui.live import close_streams, kit_routes
from fakes.core.ui.static import Static

if TYPE_CHECKING:
    from fakes.core.ui.pages import Pages


def __getattr__(name: str) -> Any:
    """`Pages`, imported with the first page: Jinja is slow to import, and a server is up without it."""
    if name != "Pages":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from fakes.core.ui.pages import Pages

    return Pages


__all__ = ["Pages", "Static", "close_streams", "kit_routes"]
