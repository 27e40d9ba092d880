"""Environments: seeded worlds, the tasks set in them and their graders."""
