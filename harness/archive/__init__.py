"""The archive: every run with its rollouts and scores, in one SQLite file beside the bundles."""
