from __future__ import annotations

import pytest

from fakes.gmail.rules.addresses import Address, NoAddress, address_line, addresses

ANA, BOB = "ana@x.example", "bob@x.example"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        (" , ,", []),
        ("undisclosed-recipients:;", []),
        (ANA, [("", ANA)]),
        (f"<{ANA}>", [("", ANA)]),
        ("Ana B. Cole <Ana@X.example>", [("Ana B. Cole", ANA)]),
        (r'"Cole, \"Ana\"" <ana@x.example>, bob@x.example,', [('Cole, "Ana"', ANA), ("", BOB)]),
        ("ana@x.example (Ana (at work))", [("Ana (at work)", ANA)]),
        ("Ana (at :; work) <ana@x.example>", [("Ana", ANA)]),
        (f"Us: {ANA}, Bob <{BOB}>; {ANA}", [("", ANA), ("Bob", BOB), ("", ANA)]),
        ("=?utf-8?q?Jos=C3?= =?utf-8?q?=A9?= <ana@x.example>", [("José", ANA)]),
        ('"=?utf-8?b?w4k=?=" <ana@x.example>', [("É", ANA)]),
    ],
)  # fmt: skip
def test_mailboxes_are_found(text: str, found: list[tuple[str, str]]) -> None:
    assert addresses(text) == tuple(Address(*pair) for pair in found)


@pytest.mark.parametrize(
    "text",
    ["Ana", "ana@x", "ana@@x.example", f"{ANA} {BOB}", f"<{ANA}> Ana", f"<{ANA}> <{BOB}>", f"Ana <{ANA}",
     f'"Ana <{ANA}>', f"Ana) <{ANA}>", f"(Ana {ANA}", f"a: {ANA}", f"a: b: {ANA};;", f"{ANA};", f": {ANA};",
     f"<{ANA}>: {BOB};", "@x.example", f"{'a' * 65}@x.example", f"a@{'b.' * 130}example"],
)  # fmt: skip
def test_what_names_no_mailbox_is_refused(text: str) -> None:
    with pytest.raises(NoAddress):
        addresses(text)


@pytest.mark.parametrize(
    "text", ["(" * 100_000, "a:" * 100_000, '"\\' * 100_000, "<" * 100_000, "a (b) " * 50_000]
)
def test_nesting_is_no_burden(text: str) -> None:
    with pytest.raises(NoAddress):
        addresses(text)


def test_five_hundred_people_are_not_too_many() -> None:
    assert (
        len(addresses(", ".join(f'"Cole, Ana" Mary Jane <ana{n}@x.example> (work)' for n in range(500))))
        == 500
    )


def test_typed_addresses_are_written_for_a_header() -> None:
    assert address_line("José <jose@x.example>, ") == "=?utf-8?b?Sm9zw6k=?= <jose@x.example>"
    assert address_line("José") == "José"
