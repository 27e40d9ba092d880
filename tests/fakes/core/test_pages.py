"""Files that share pages: what one world writes stays its own, and what nobody wrote is never copied."""

from __future__ import annotations

from typing import Any

import apsw
import pytest

from fakes.core.pages import Pages

ROWS = 2000


def rows(con: apsw.Connection) -> list[int]:
    found: list[Any] = con.execute("SELECT n FROM t ORDER BY n").fetchall()
    return [n for (n,) in found]


def image_of(page_size: int = 4096) -> bytes:
    """A database of many pages, as SQLite itself writes it."""
    con = apsw.Connection(":memory:")
    con.execute(f"PRAGMA page_size = {page_size}; CREATE TABLE t (n INTEGER PRIMARY KEY, text TEXT)")
    con.executemany("INSERT INTO t VALUES (?, ?)", ((n, f"row {n} " * 20) for n in range(ROWS)))
    return con.serialize("main")


@pytest.mark.parametrize("page_size", [512, 4096, 65536])
def test_an_image_is_read_and_written_whatever_its_pages(page_size: int) -> None:
    image = image_of(page_size)
    pages = Pages(image)
    con = pages.connect()
    assert rows(con) == list(range(ROWS))
    con.execute("DELETE FROM t WHERE n % 2")
    again = Pages(pages.image()).connect()
    assert rows(again) == list(range(0, ROWS, 2))
    assert again.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_an_image_that_nobody_wrote_to_is_the_very_bytes() -> None:
    image = image_of()
    pages = Pages(image)
    assert rows(pages.connect()) and pages.image() is image and pages.copy().image() is image


def test_an_image_is_taken_once_for_all_until_the_next_write() -> None:
    pages = Pages(image_of())
    con = pages.connect()
    con.execute("DELETE FROM t WHERE n = 1")
    assert pages.image() is pages.image()
    con.execute("DELETE FROM t WHERE n = 2")
    assert rows(Pages(pages.image()).connect()) == rows(con)


def test_copies_are_apart() -> None:
    image = image_of()
    before = bytes(bytearray(image))
    first = Pages(image)
    con = first.connect()
    con.execute("DELETE FROM t WHERE n < 10")
    copy = first.copy().connect()
    con.execute("DELETE FROM t WHERE n < 20")
    copy.execute("DELETE FROM t WHERE n < 15")
    assert (rows(con)[0], rows(copy)[0], rows(Pages(image).connect())[0]) == (20, 15, 0)
    assert image == before


def test_what_is_not_committed_is_in_no_copy() -> None:
    pages = Pages(image_of())
    con = pages.connect()
    con.execute("BEGIN; UPDATE t SET text = text || text")  # more pages than a cache holds
    assert [text for (text,) in pages.copy().connect().execute("SELECT text FROM t WHERE n = 7")] == [
        "row 7 " * 20
    ]
    con.execute("ROLLBACK")
    assert pages.copy().connect().execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert con.execute("SELECT text FROM t WHERE n = 7").fetchall() == [("row 7 " * 20,)]


def test_a_file_gets_shorter_and_longer() -> None:
    pages = Pages(image_of())
    con = pages.connect()
    size = len(pages.image())
    con.execute("DELETE FROM t WHERE n > 10; VACUUM")
    assert len(pages.image()) == pages.xFileSize() < size / 4
    con.executemany("INSERT INTO t VALUES (?, ?)", ((n, "new " * 30) for n in range(11, ROWS)))
    assert rows(Pages(pages.image()).connect()) == rows(con) == list(range(ROWS))


def test_a_truncated_base_does_not_show_through() -> None:
    pages = Pages(image_of())
    con = pages.connect()
    con.execute("DELETE FROM t WHERE n > 10; VACUUM")
    con.executemany("INSERT INTO t VALUES (?, ?)", ((n, "new " * 30) for n in range(11, ROWS)))
    assert rows(pages.copy().connect()) == list(range(ROWS))
    assert con.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_an_empty_file_becomes_a_database() -> None:
    pages = Pages()
    con = pages.connect()
    con.execute("CREATE TABLE t (n INTEGER PRIMARY KEY); INSERT INTO t VALUES (1)")
    assert rows(Pages(pages.image()).connect()) == [1]


@pytest.mark.parametrize("junk", [b"x", b"x" * 5000, b"SQLite format 3\0" + b"\xff" * 9000])
def test_what_is_no_database_is_refused(junk: bytes) -> None:
    with pytest.raises(apsw.Error):
        Pages(junk).connect().execute("SELECT * FROM sqlite_schema").fetchall()


def test_a_large_sort_may_leave_memory() -> None:
    con = Pages(image_of()).connect()
    con.execute("PRAGMA temp_store = FILE; PRAGMA cache_size = 10")
    assert len(con.execute("SELECT a.text FROM t a, (SELECT 1 FROM t LIMIT 40) ORDER BY 1").fetchall())
