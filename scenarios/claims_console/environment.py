"""The environment `claims_console`: work in the desk's console that the reference tasks leave aside."""

from __future__ import annotations

from harness.environment import Environment
from scenarios.claims_console.seed import Facts, seed

env = Environment(
    name="Claims console",
    product="claims_desk",
    facts=Facts,
    seed=seed,
    summary="The same desk, worked in its console: protests, flags and chases.",
)
