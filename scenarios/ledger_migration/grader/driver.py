"""Asks a solution: [who, verb, arguments], such as ["old", "add", {"id": "p1", …}], on the ledger that was
opened last, by ["file", "open", {"path": …}].
"""

from typing import Any

from answering import serve
from ledger import Books, Legacy, Migration, connect

RELEASES = {"old": Legacy, "books": Books, "migration": Migration}


class File:
    """A ledger, and who works on it in this process: made when first asked, as an old release makes nothing
    new.
    """

    def __init__(self) -> None:
        self.running: dict[str, Any] = {"file": self}
        self.database: Any = None

    def open(self, path: str) -> None:
        """Closes the one before."""
        self.close()
        self.database = connect(path)

    def close(self) -> None:
        """Nobody works on it any more."""
        if self.database is not None:
            self.database.close()
        self.database, self.running = None, {"file": self}

    def handle(self, asked: list[Any]) -> Any:
        """What the solution returns."""
        who, verb, given = asked
        if who not in self.running:
            self.running[who] = RELEASES[who](self.database)
        return getattr(self.running[who], verb)(**given)


serve(File().handle)
