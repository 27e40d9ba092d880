"""Commits once through the store, and is dead by then if the hook works."""

import sys

from ledger.store import connect

database = connect(":memory:")
with database.transaction():
    database.execute("CREATE TABLE hooked (id INTEGER)")
sys.exit(0)
