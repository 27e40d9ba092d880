"""What the migration adds to the file, and how it is taken away again. An entry is there if and only if it is
what its payment says now. Triggers see to the second half, since the old release can't: whatever is written
to a payment takes its entry away, and the next batch converts it anew.
"""

from ledger.store import Database

TABLES = (
    """
CREATE TABLE entries (
  id TEXT PRIMARY KEY,
  booked_on TEXT NOT NULL,
  currency TEXT NOT NULL,
  memo TEXT NOT NULL
)""",
    """
CREATE TABLE postings (
  entry_id TEXT NOT NULL,
  account TEXT NOT NULL,
  minor INTEGER NOT NULL,
  PRIMARY KEY (entry_id, account)
)""",
    "CREATE TABLE unconvertible (id TEXT PRIMARY KEY, why TEXT NOT NULL)",
)
WATCHED = (("UPDATE", "NEW"), ("DELETE", "OLD"))


def begin(database: Database) -> None:
    """Makes tables and triggers."""
    for table in TABLES:
        database.execute(table)
    for verb, row in WATCHED:
        database.execute(
            f"CREATE TRIGGER watch_{verb.lower()} AFTER {verb} ON payments BEGIN"
            f" DELETE FROM postings WHERE entry_id = {row}.id;"
            f" DELETE FROM entries WHERE id = {row}.id;"
            f" DELETE FROM unconvertible WHERE id = {row}.id; END"
        )


def phase_of(database: Database) -> str:
    """Told by what is in the file."""
    names = {row["name"] for row in database.execute("SELECT name FROM sqlite_master")}
    if "refuse_insert" in names:
        return "cut_over"
    return "migrating" if "entries" in names else "old"
