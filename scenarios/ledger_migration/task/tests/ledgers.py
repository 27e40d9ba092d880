"""A ledger in a folder of its own, with a few payments in it."""

import tempfile
import unittest

from ledger import Books, Legacy, Migration, connect

RENT = {
    "id": "p1",
    "booked_on": "2026-03-01",
    "payer": "shop",
    "payee": "landlord",
    "currency": "EUR",
    "amount": 1200.5,
    "memo": "March",
}
FLOUR = {
    "id": "p2",
    "booked_on": "2026-03-02",
    "payer": "shop",
    "payee": "mill",
    "currency": "EUR",
    "amount": 80.25,
    "fee": 1.5,
    "tax": 4.75,
}


class LedgerTest(unittest.TestCase):
    """Has `legacy`, `books` and `migration` on one ledger that holds RENT and FLOUR."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        database = connect(f"{folder.name}/ledger.db")
        self.addCleanup(database.close)
        self.legacy, self.books, self.migration = Legacy(database), Books(database), Migration(database)
        self.legacy.add(**RENT)
        self.legacy.add(**FLOUR)
