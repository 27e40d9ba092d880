"""The environment `inbox`: eight tasks in one mailbox."""

from __future__ import annotations

from harness.environment import Environment
from scenarios.inbox.seed import Facts, seed

env = Environment(
    name="Inbox",
    product="gmail",
    facts=Facts,
    seed=seed,
    summary="Mail work of every day: find and file, answer the right one, schedule, filter, leave a list.",
)
