"""A code task: a live ledger moves to double entry."""
