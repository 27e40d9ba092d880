"""Each environment's README is what the book would write."""

from __future__ import annotations

from harness.book.readmes import entries, path_of, readme, stale


def test_no_readme_is_stale() -> None:
    found = entries()
    assert not [env.broken for env in found if env.broken]
    assert not [path_of(env) for env in stale(found)], (
        "run `paracosm book --readmes`, and commit what it wrote"
    )


def test_a_readme_tells_no_date_of_proof() -> None:
    for env in entries():
        assert not env.proof.date or env.proof.date not in readme(env)
