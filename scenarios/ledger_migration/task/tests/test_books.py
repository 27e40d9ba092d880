"""The new books."""

from ledger import LedgerError
from tests.ledgers import LedgerTest

SALT = {
    "booked_on": "2026-03-03",
    "payer": "shop",
    "payee": "mill",
    "currency": "EUR",
    "amount": 990,
    "fee": 10,
}


class BooksTest(LedgerTest):
    def setUp(self) -> None:
        super().setUp()
        self.migration.migrate()

    def test_a_balance_is_in_minor_units(self) -> None:
        self.assertEqual(self.books.balance("shop", "EUR"), -128700)

    def test_a_payment_is_recorded_changed_and_dropped(self) -> None:
        self.books.pay("p3", **SALT)
        self.books.change("p3", **{**SALT, "amount": 1990})
        self.assertEqual(self.books.entry("p3")["postings"], {"shop": -2000, "mill": 1990, "fees": 10})
        self.books.drop("p3")
        self.assertIsNone(self.books.entry("p3"))

    def test_an_id_is_used_once(self) -> None:
        with self.assertRaises(LedgerError) as refused:
            self.books.pay("p1", **SALT)
        self.assertEqual(refused.exception.code, "DUPLICATE_ID")
