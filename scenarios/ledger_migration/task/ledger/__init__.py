"""A small bookkeeping ledger in SQLite: the old release, the new books, and the way from one to the other."""

from ledger.books import Books
from ledger.errors import LedgerError
from ledger.legacy import Legacy, WriteRefused
from ledger.migration import Migration
from ledger.store import connect

__all__ = ["Books", "Legacy", "LedgerError", "Migration", "WriteRefused", "connect"]
