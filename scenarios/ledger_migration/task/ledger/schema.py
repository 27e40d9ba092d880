"""The new tables: an entry for each payment, and a posting for each account that it touches."""

TABLES = (
    """
CREATE TABLE IF NOT EXISTS entries (
  id TEXT,
  booked_on TEXT,
  currency TEXT,
  memo TEXT
)""",
    """
CREATE TABLE IF NOT EXISTS postings (
  entry_id TEXT,
  account TEXT,
  minor INTEGER
)""",
)
