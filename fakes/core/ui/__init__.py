"""The UI kit: what every product's pages stand on, and nothing of how they look.

A product's `web.py` makes one `Pages` of its package and answers with `pages.response(...)`; its templates
extend `kit/base.html`. The gateway mounts `kit_routes()` on every host that serves pages.
"""

from __future__ import annotations

from fakes.core.ui.live import close_streams, kit_routes
from fakes.core.ui.pages import Pages
from fakes.core.ui.static import Static

__all__ = ["Pages", "Static", "close_streams", "kit_routes"]
