"""Rails: what drives an attempt. Each turns a lease into an actor that plays and agents hold."""

from __future__ import annotations

from harness.rails.actor import Actor, Lent, Place, Rail
from harness.rails.api import ApiRail
from harness.rails.browser import BrowserActor, BrowserMissing, BrowserRail
from harness.rails.forge import Forge, PlayError
from harness.rails.mcp import McpActor, McpRail, Told
from harness.rails.recorder import Recording

__all__ = [
    "Actor",
    "ApiRail",
    "BrowserActor",
    "BrowserMissing",
    "BrowserRail",
    "Forge",
    "Lent",
    "McpActor",
    "McpRail",
    "Place",
    "PlayError",
    "Rail",
    "Recording",
    "Told",
]
