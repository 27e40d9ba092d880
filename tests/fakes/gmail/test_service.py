from __future__ import annotations

from pathlib import Path

from fakes.core.capabilities import OutgoingMail
from fakes.core.world import World
from fakes.gmail import service, store
from fakes.gmail.api.faked import FAKED
from fakes.gmail.api.methods import METHODS

README = Path(__file__).parents[3] / "fakes" / "gmail" / "README.md"


def test_everyone_has_an_account(lone_world: World) -> None:
    assert service.accounts is not None
    found = [(account.email.partition("@")[0], account.note) for account in service.accounts(lone_world)]
    assert found == [("mira", "Operations"), ("tom", ""), ("lena", "")]


def test_the_readme_counts_what_is_faked() -> None:
    text = README.read_text()
    assert f"{len(FAKED)} of {len(METHODS)} methods" in text
    rows = {row[1].strip(" `"): row[2] for line in text.split("\n") if len(row := line.split("|")) == 5}
    for name in FAKED:
        resource, _, method = name.rpartition(".")
        assert method in rows[resource].replace(",", " ").split(), name


def test_a_reset_empties_the_index_of_words(lone_world: World) -> None:
    mail = OutgoingMail(sender="a@desk.example", to=("mira@harborlight.example",), subject="Hi", text="x")
    store.deliver(lone_world, mail)
    assert lone_world.reset() == lone_world.state_hash()
    assert not lone_world.select("SELECT rowid FROM gmail_search WHERE gmail_search MATCH 'hi'")
