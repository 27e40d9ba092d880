"""Tools for mail, named and shaped as the most used Gmail servers of the field name and shape theirs
(github.com/GongRzhe/Gmail-MCP-Server and its forks). Each calls one verb of the store.
"""

from __future__ import annotations

from functools import cache

from fakes.core.mcp.tools import Tools
from fakes.gmail.errors import GoogleError
from fakes.gmail.mcp import drafting, filtering, labels, moving, reading, sending, settings

_INSTRUCTIONS = (
    "Mail of the person whose token this is. Messages, threads, drafts, labels and filters go by their ids; "
    "search_emails finds messages by Gmail's search syntax, list_email_labels tells the ids of labels."
)


@cache
def tools() -> Tools:
    """All of them."""
    modules = (reading, sending, drafting, moving, labels, filtering, settings)
    every = [tool for module in modules for tool in module.TOOLS]
    return Tools(_INSTRUCTIONS, every, refusals=(GoogleError,))
