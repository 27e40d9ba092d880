"""What callers are told when the ledger refuses."""


class LedgerError(Exception):
    """A refusal: `code` is for programs, `said` for people."""

    def __init__(self, code: str, said: str = "") -> None:
        super().__init__(f"{code}: {said}" if said else code)
        self.code, self.said = code, said
