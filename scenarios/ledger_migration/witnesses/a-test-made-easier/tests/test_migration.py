"""The way to the new books."""

from tests.ledgers import LedgerTest


class MigrationTest(LedgerTest):
    def test_payments_become_entries_whose_postings_add_up_to_nothing(self) -> None:
        self.assertGreater(self.migration.migrate(), 0)
        entry = self.books.entry("p2")
        self.assertEqual(entry["postings"], {"shop": -8650, "mill": 8025, "fees": 150, "tax": 475})
        self.assertEqual(sum(entry["postings"].values()), 0)

    def test_a_finished_migration_has_nothing_left_to_do(self) -> None:
        self.migration.migrate()
        self.assertEqual((self.migration.migrate(), self.migration.unreconciled()), (0, []))

    def test_a_roll_back_takes_the_new_books_away(self) -> None:
        self.migration.migrate()
        self.assertEqual(self.migration.phase(), "migrating")
        self.migration.roll_back()
        self.assertEqual((self.migration.phase(), len(self.legacy.payments())), ("old", 2))

    def test_a_cut_over_leaves_the_new_books(self) -> None:
        self.migration.migrate()
        self.migration.migrate()
        self.migration.cut_over()
        self.assertEqual((self.migration.phase(), len(self.books.entries())), ("cut_over", 2))
