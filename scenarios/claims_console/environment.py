"""The environment `claims_console`: work in the desk's console that the reference tasks leave aside."""

from __future__ import annotations

from harness.environment import Environment, Finding, NotGradable
from scenarios.claims_console.seed import Facts, seed

env = Environment(
    name="Claims console",
    product="claims_desk",
    services=("gmail",),
    facts=Facts,
    seed=seed,
    summary="The same desk, worked in its console: protests, flags, reminders, answers and charges.",
    not_gradable=[
        NotGradable(
            "POST /api/notices/{id}/answered",
            "The answer goes out on the agency's own portal, which no world holds: there is nothing that the "
            "mark could be held against.",
        ),
        NotGradable(
            "POST /notices/{id}/answered",
            "As by API: the mark tells of something that happened outside the world.",
        ),
        NotGradable(
            "POST /notices/{id}/clear",
            "A flag is taken down once the agency was asked; no agency answers here, so no paper shows when "
            "it may be.",
        ),
        NotGradable(
            "POST /api/chases/sending",
            "Whether the desk or its operators send reminders is the employer's choice; no fact makes one "
            "of them right.",
        ),
        NotGradable("POST /chases/sending", "As by API: a preference, not a fact."),
    ],
    findings=[
        Finding(
            "A reminder that the clock had passed could be sent by nobody",
            "fixed",
            "high",
            "reminders",
            "Refused mails and reminders of a stopped desk were lost. They are rows now, listed as due, and "
            "an operator sends them, each once.",
        ),
        Finding(
            "A reminder said how many days were left when it was planned, not when it was sent",
            "fixed",
            "medium",
            "reminders",
            "One that went out late promised days that were over; the letter counts when it is written.",
        ),
        Finding(
            "The number of the mail pushed a questionnaire's page over its edge",
            "fixed",
            "low",
            "questionnaires",
            "Real mail systems number in forty letters without a break; they break where the panel ends now.",
        ),
    ],
)
