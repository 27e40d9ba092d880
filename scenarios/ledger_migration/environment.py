"""The environment `ledger_migration`: an online migration that has to keep what nobody sees at first."""

from __future__ import annotations

from harness.code import CodeEnvironment, Instance, Witness
from harness.environment import NotGradable

env = CodeEnvironment(
    name="Ledger migration",
    summary="A live ledger of floats moves to double entry in minor units, while two releases write to it.",
    package="ledger",
    store="ledger.store",
    fault="LEDGER_FAULT",
    fault_exit=86,
    locked=(
        "tests/*.py",
        "ledger/legacy.py",
        "ledger/store.py",
        "ledger/faults.py",
        "ledger/errors.py",
        "ledger/currencies.py",
    ),
    instances=[Instance("instance-1", ("M1", "M2", "M3", "M4"))],
    witnesses=[
        Witness(
            "binary-rounding",
            "Multiplies the float and rounds: 1.015, a hair below a tie, goes the wrong way.",
            fails=("M1",),
        ),
        Witness("two-digits-for-all", "Takes every currency for one with cents.", fails=("M1",)),
        Witness(
            "the-total-rounded",
            "Rounds what the payer pays as a sum: it is a cent off its rounded parts.",
            fails=("M1",),
        ),
        Witness(
            "entries-before-postings",
            "Commits a batch's entries, then their postings: killed in between, entries are empty for ever.",
            fails=("M2",),
        ),
        Witness(
            "a-list-in-memory",
            "Lists what is to do once and works it off: another process does the same.",
            fails=("M2",),
        ),
        Witness("all-in-one-batch", "Takes the size of a batch for a hint, and converts all.", fails=("M2",)),
        Witness(
            "replaced-unseen",
            "Watches updates and deletions; a payment that is replaced runs neither trigger.",
            fails=("M3",),
        ),
        Witness(
            "migrated-rows-alone",
            "The new release reads the new tables, and not what is yet to come into them.",
            fails=("M3",),
        ),
        Witness(
            "one-book-after-the-other",
            "The new release commits its entry, then the old row: killed in between, only one has it.",
            fails=("M3",),
        ),
        Witness(
            "new-books-alone",
            "The new release leaves the old table alone: the old one sees nothing, a roll-back loses it.",
            fails=("M1", "M3", "M4"),
        ),
        Witness(
            "counts-compared",
            "Takes old and new books for reconciled when they have the same ids.",
            fails=("M4",),
        ),
        Witness(
            "strange-ones-in-the-way",
            "Leaves what can't be converted at the head of the line: whole batches of it end the migration.",
            fails=("M4",),
        ),
        Witness(
            "old-amounts-tidied",
            "Rounds the old floats too, where it is at it: a roll-back does not bring them back.",
            fails=("M4",),
        ),
        Witness(
            "triggers-dropped-first",
            "Rolls back step by step: killed half-way, it migrates on without watching old writes.",
            fails=("M4",),
        ),
        Witness(
            "refusals-one-by-one",
            "Cuts over step by step: killed half-way, some old writes are refused and others are taken.",
            fails=("M4",),
        ),
        Witness(
            "a-test-made-easier",
            "A visible test was edited.",
            breaks="locked-files-unchanged",
        ),
        Witness(
            "a-door-of-its-own",
            "Reads by a connection of its own, past the store and its faults.",
            breaks="sqlite-only-through-the-store",
        ),
    ],
    not_gradable=[
        NotGradable(
            "a write of the old release between the check and the cut-over",
            "Nothing outside can hold a process still between two statements of one call without going by "
            "time; that both stand in one transaction is for a reviewer to see.",
        ),
        NotGradable(
            "how long a batch holds the write lock",
            "It would be measured by time. That a batch is bounded is graded by count.",
        ),
    ],
)
