"""The old release."""

from ledger import Legacy
from tests.ledgers import LedgerTest


class LegacyTest(LedgerTest):
    def test_the_payer_pays_fee_and_tax_too(self) -> None:
        self.assertEqual(self.legacy.balance("shop", "EUR"), -1287.0)
        self.assertEqual(self.legacy.balance("fees", "EUR"), 1.5)

    def test_payments_are_amended_and_removed(self) -> None:
        self.legacy.amend("p1", memo="April")
        self.legacy.remove("p2")
        self.assertEqual([payment["memo"] for payment in Legacy(self.legacy.database).payments()], ["April"])
