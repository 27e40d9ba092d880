"""The archive's tables; harness/archive/README.md says what they mean and how to ask them."""

from __future__ import annotations

SCHEMA = 1
"""The version of the tables, kept as `PRAGMA user_version`. An archive of a newer one is refused."""

TABLES = """
CREATE TABLE runs (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    begun_ms INTEGER NOT NULL,
    ended_ms INTEGER,
    targets TEXT NOT NULL,
    driver TEXT NOT NULL,
    options TEXT NOT NULL,
    versions TEXT NOT NULL,
    isolation TEXT NOT NULL
) STRICT;
CREATE TABLE rollouts (
    id INTEGER PRIMARY KEY,
    run TEXT NOT NULL REFERENCES runs (id),
    task TEXT NOT NULL,
    seed INTEGER NOT NULL,
    number INTEGER NOT NULL,
    state TEXT NOT NULL,
    begun_ms INTEGER,
    took_s REAL,
    error TEXT NOT NULL DEFAULT '',
    bundle TEXT,
    revision TEXT NOT NULL DEFAULT '',
    rail TEXT NOT NULL DEFAULT '',
    confined INTEGER NOT NULL DEFAULT 0,
    steps INTEGER,
    tokens_in INTEGER,
    tokens_out INTEGER,
    cost_usd REAL,
    UNIQUE (run, task, seed, number)
) STRICT;
CREATE TABLE gradings (
    id INTEGER PRIMARY KEY,
    rollout INTEGER NOT NULL REFERENCES rollouts (id),
    at_ms INTEGER NOT NULL,
    revision TEXT NOT NULL,
    state TEXT NOT NULL
) STRICT;
CREATE INDEX gradings_of_rollout ON gradings (rollout);
CREATE TABLE verdicts (
    grading INTEGER NOT NULL REFERENCES gradings (id),
    place INTEGER NOT NULL,
    guard TEXT NOT NULL,
    state TEXT NOT NULL,
    message TEXT NOT NULL,
    PRIMARY KEY (grading, place)
) STRICT, WITHOUT ROWID;
CREATE TABLE classifications (
    id INTEGER PRIMARY KEY,
    rollout INTEGER NOT NULL REFERENCES rollouts (id),
    at_ms INTEGER NOT NULL,
    kind TEXT NOT NULL,
    note TEXT NOT NULL,
    guard TEXT
) STRICT;
"""
