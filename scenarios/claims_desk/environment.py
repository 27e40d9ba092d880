"""The environment `claims_desk`: the desk's four reference tasks."""

from __future__ import annotations

from harness.environment import Environment, Finding, NotGradable
from scenarios.claims_desk.seed import Facts, seed

env = Environment(
    name="Claims desk",
    product="claims_desk",
    services=("gmail",),
    facts=Facts,
    seed=seed,
    summary="An employer's operator works unemployment claims: statements, notices, questionnaires.",
    not_gradable=[
        NotGradable(
            "POST /api/drafts",
            "The desk could not open a protest: the page answered, but no row was written.",
            "closed: drafts are rows now, and claims_console grades them",
        ),
        NotGradable(
            "POST /api/notices/{id}/flag",
            "A flag was set without a reason, so there was nothing to hold an operator to.",
            "closed: a flag never stands without a reason",
        ),
        NotGradable(
            "DUE chase",
            "Reminders were sent by a job outside the world, at the wall clock's pleasure.",
            "closed: chases are planned on the run clock and mailed once each",
        ),
        NotGradable(
            "GET /claims",
            "The console showed a demo list to customers, so a browser task had nothing true to read.",
            "closed: every operator sees the tenant's rows",
        ),
    ],
    findings=[
        Finding(
            "A signed-in customer saw a demo list in the console",
            "fixed",
            "high",
            "console",
            "Lists are the tenant's rows, at once after a write; a test signs in at both tenants.",
        ),
        Finding(
            "The ledger's headline and its body disagreed after an audit",
            "fixed",
            "medium",
            "ledger",
            "Totals are never stored: headline and body are sums over the same lines.",
        ),
    ],
)
