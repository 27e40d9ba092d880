"""The rules of mail that need no database: MIME, threads, labels, the search grammar, links."""
