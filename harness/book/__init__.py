"""The task book: every environment, task, grader, run and rollout as plain files that a browser reads."""
