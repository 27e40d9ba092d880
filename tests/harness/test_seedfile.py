"""Seeds as YAML: what a file says comes to be, what it says wrongly is told with its place, and a saved world
comes back as it was."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fakes.core.clock import civil
from fakes.core.people import Person
from fakes.core.seeding import Base, build_base
from fakes.core.world import Genesis, World, open_world
from fakes.gmail import store as mail_store
from fakes.gmail.schema import Message, Source
from harness.app import BASE_DATE, FIXED_SECRET, ZONE, Start, morning_of, own_clock, scenario_seed
from harness.app import Server as AppServer
from harness.environment import Environment
from harness.fields import BadInput
from harness.qualify import prove_environment
from harness.rails import Actor
from harness.seedfile import SeedFile, SeedFileError, save, write_scenario
from sites.claims_desk.schema import Claim, Draft, FactRequest, Notice
from sites.claims_desk.store import letters

HERE = Path(__file__).parent / "seeds"
SERVICES = AppServer(secret=FIXED_SECRET).services


def base(seed: Any, secret: bytes = FIXED_SECRET) -> Base:
    return build_base(SERVICES, Genesis(1, secret, morning_of(BASE_DATE), ZONE, "test"), seed)


def opened(made: Base, name: str = "w") -> World:
    return open_world(name, SERVICES, image=made.image)


def written(tmp_path: Path, text: str) -> SeedFile:
    path = tmp_path / "seed.yaml"
    path.write_text(text)
    return SeedFile(path)


@pytest.fixture(scope="module")
def parcels() -> Base:
    return base(SeedFile(HERE / "parcels.yaml"))


# what a file says


def test_people_and_mail_come_of_it(parcels: Base) -> None:
    world = opened(parcels)
    ida, olu = world.person("ida@berg.example"), world.person("olu@berg.example")
    assert ida is not None and ida == parcels.facts.ida and olu is not None and olu.zone == "Africa/Lagos"
    late = parcels.facts.late
    assert late.subject == "Your parcel is late" and late.sender_name == "Parcel Line"
    arrived = civil(late.received_at, world.zone)
    assert (arrived.date(), f"{arrived:%H:%M}") == (BASE_DATE.replace(day=19), "11:40")
    assert mail_store.source_of(world, late).text.startswith(
        "It left us on 2025-10-17 and should be with you by Monday."
    )
    assert world.count(Message, "WHERE thread_id = ? AND owner = ?", (late.thread_id, late.owner)) == 1
    answer = world.one(Message, "WHERE owner = ? AND subject LIKE 'Re:%'", (ida.id,))
    assert answer is not None and late.rfc822_id.encode() in mail_store.source_of(world, answer).raw


def test_a_desk_comes_of_it(parcels: Base) -> None:
    world = opened(parcels)
    claim, notice = world.one(Claim), world.one(Notice)
    assert claim == parcels.facts.sols_claim and notice is not None
    assert notice.mail_date == BASE_DATE.replace(day=16) and notice.printed_due is not None
    asked, draft = world.one(FactRequest), world.one(Draft)
    assert asked is not None and asked.status == "sent" and asked.manager_email == "olu@berg.example"
    assert draft is not None and draft.body == "Sol was offered other work on 2025-09-26."


async def test_an_environment_stands_on_one() -> None:
    seed = SeedFile(HERE / "parcels.yaml")
    env = Environment(name="Parcels", product="claims_desk", facts=seed.facts, seed=seed, slug="parcels")
    task = env.task(
        surface="api", route="POST /api/notices/{id}/flag", writes={Notice}, actors={"desk": "ida"},
        along={"cd_events": "the desk logs it"},
        instruction="Flag the notice {noticed.id} for a person: it came torn.",
    )  # fmt: skip
    columns = ("needs_human", "needs_human_reason", "flagged_by")
    flagged = task.subject(Notice, "flagged", lambda row, facts: row.id == facts.noticed.id, changed=columns)

    @task.guard
    def reason_kept(notice: Notice) -> None:
        """The reason is the one that was given."""
        assert "torn" in str(notice.needs_human_reason), notice.needs_human_reason

    @task.reference
    async def honest(desk: Actor, facts: Any) -> None:
        await desk.post(f"/api/notices/{facts.noticed.id}/flag", json={"reason": "It came torn."})

    @reason_kept.cheat
    async def another_reason(desk: Actor, facts: Any) -> None:
        """Flags it for something else."""
        await desk.post(f"/api/notices/{facts.noticed.id}/flag", json={"reason": "No idea."})

    proof = await prove_environment(env, quick=True)
    assert proof.problems == [] and flagged.table == "cd_notices"
    assert (
        env.revision()
        != Environment(
            name="x", product="claims_desk", facts=seed.facts, seed=scenario_seed("office"), slug="x"
        ).revision()
    )


# what it says wrongly

LAUGHS = "a0: &a0 [x, x]\n" + "".join(f"a{n + 1}: &a{n + 1} [{f'*a{n}, ' * 9}]\n" for n in range(8))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("people: {ida: {name: Ida}}", "people.ida: a person has name and email"),
        ("people: {ida: {name: Ida, email: nowhere}}", "people.ida.email: 'nowhere' is no address"),
        ("people: {Ida: {name: Ida, email: i@x.example}}", "'Ida' can't name a fact"),
        ("shop: {}", "there is no part 'shop'"),
        ("gmail: {letters: []}", "gmail.letters: gmail has no such section; sections: mail"),
        ("gmail: {mail: {from: a}}", "gmail.mail: a list of entries is needed"),
        ("gmail: {mail: [{from: a@x.example, to: [b@y.example]}]}", "gmail.mail[0].subject: Field required"),
        ("gmail: {mail: [{from: ida, to: [b@y.example], subject: x}]}", "mail[0]: no person is called 'ida'"),
        ("gmail: {mail: [{from: a@x.example, to: ['b@@y'], subject: x}]}", "malformed address 'b@@y'"),
        (
            "gmail: {mail: [{from: a@x.example, to: [b@y.example], subject: x, sent: 1}]}",
            "mail[0].sent: there is no such field",
        ),
        ("claims_desk: {claims: [{operator: me, claimant: x, number: '1'}]}", "no operator is called 'me'"),
        ("rows: {cd_clams: []}", "there is no table 'cd_clams'"),
        ("rows: {cd_claims: [{number: '1'}]}", "rows.cd_claims[0]: the key column 'id' is missing"),
        ("rows: {cd_claims: [{id: a, colour: red}]}", "cd_claims has no column 'colour'"),
        ("rows: {cd_claims: [{id: a, opened_at: yesterday}]}", "'yesterday' is no instant"),
        ("rows: {cd_claims: [{id: a, opened_at: '2025-10-21T09:30:00'}]}", "has no offset"),
        ("rows: {cd_claims: [{id: a, seq: many}]}", "rows.cd_claims[0].seq: 'many' is no int"),
        ("counters: {person: -1}", "counters.person: a count is needed"),
        ("facts: {it: cd_claims/nope}", "facts.it: there is no row 'cd_claims/nope'"),
        ("people: {}\npeople: {}", "seed.yaml:2: the key 'people' stands twice"),
        ("people: [", "seed.yaml:"),
        ("a: 1\n? [b]\n: 1", "seed.yaml:2: a list or mapping can be no key"),
        ("about: 2025-02-30", "seed.yaml:1: '2025-02-30' is no timestamp"),
        ("about: !!int many", "seed.yaml:1: 'many' is no int"),
        ('about: "\\ud800"', "seed.yaml:1: text that is no Unicode is no str"),
        ("about: " + "[" * 5000 + "]" * 5000, "seed.yaml:1: it nests deeper than 64 levels"),
        (LAUGHS, "seed.yaml:1: with its aliases it holds more than 2,000,000 values"),
        ("people: &all {ida: *all}", "seed.yaml:1: found unconstructable recursive node"),
        ("people: {class: {name: A, email: a@x.example}}", "'class' can't name a fact"),
        ("people: {__init__: {name: A, email: a@x.example}}", "'__init__' can't name a fact"),
        ("people: {a: {name: A, email: a@x.example, zone: Nowhere}}", "a.zone: 'Nowhere' is no time zone"),
        ("people: {a: {name: A, email: a@x.example, title: [x]}}", "a.title: ['x'] is no line of text"),
        ('people: {a: {name: "A\\r\\nBcc: b", email: a@x.example}}', "a.name: 'A\\r\\nBcc: b' is no line"),
        ("facts: {it: people/1/2}", "facts.it: there is no row 'people/1/2'"),
        ("rows: {cd_claims: [{id: a}, {id: a}]}", "rows.cd_claims[1]: there is a row with this key already"),
        ("rows: {cd_claims: [{id: a, 5: x, b: y}]}", "cd_claims has no column 5"),
        ("rows: {cd_claims: [{id: a, seq: 9223372036854775808}]}", "9223372036854775808 is no int"),
        ("counters: {person: 9223372036854775808}", "counters.person: a count is needed"),
        ("counters: {~: 1}", "counters: None is no kind of thing"),
        ("just words", "it must be a mapping of parts"),
        ("people: {a: {name: A, email: a@x.example}}\nfacts: {a: people/1}", "two things are called 'a'"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(SeedFileError) as error:
        base(written(tmp_path, text))
    assert said in str(error.value) and "seed.yaml" in str(error.value)
    assert "\n" not in str(error.value)


def test_words_that_yaml_would_bend_stay_words(tmp_path: Path) -> None:
    said = written(tmp_path, "gmail: {mail: [{time: 11:40, read: no, text: 0x1f, cc: on}]}").said
    assert said["gmail"]["mail"][0] == {"time": "11:40", "read": "no", "text": "0x1f", "cc": "on"}


# saved worlds


@pytest.fixture(scope="module")
def office() -> World:
    return opened(base(scenario_seed("office")), "office")


@pytest.mark.parametrize("secret", [FIXED_SECRET, b"another server's"])
def test_a_saved_world_comes_back_row_for_row(tmp_path: Path, office: World, secret: bytes) -> None:
    again = base(written(tmp_path, save(office)), secret)
    assert again.pristine_hash == base(scenario_seed("office"), secret).pristine_hash


def test_a_saved_world_gives_no_secret_away_and_its_links_open(tmp_path: Path, office: World) -> None:
    text = save(office)
    asked = office.one(FactRequest, "WHERE sent_at IS NOT NULL AND answered_at IS NULL")
    assert asked is not None
    old = letters.link_token(office, asked.id)
    assert old not in text and asked.link_digest not in text
    again = opened(base(written(tmp_path, text), b"another server's"))
    new = letters.link_token(again, asked.id)
    assert new != old and any(new in source.text for source in again.all(Source))


def test_words_are_found_in_a_saved_world(tmp_path: Path, office: World) -> None:
    again = opened(base(written(tmp_path, save(office))))
    mira = again.person("mira@harborlight.example")
    assert mira is not None
    count = "SELECT count(*) FROM gmail_search WHERE gmail_search MATCH 'pallets'"
    assert again.select(count) == office.select(count) != [(0,)]


def test_odd_values_survive(tmp_path: Path, office: World) -> None:
    odd = opened(base(scenario_seed("office")), "odd")
    with odd.tx() as tx:
        tx.execute(
            "UPDATE cd_notices SET mail_date = 'soon', needs_human_reason = ? WHERE seq = 1",
            ("  a\n\tb\r\n#: - {day:1} ",),
        )
        tx.execute("UPDATE storage SET content = x'00ff10', stored_at = -1 WHERE seq = 1")
        tx.execute("UPDATE people SET name = 'no', title = '~' WHERE seq = 2")
    again = opened(base(written(tmp_path, save(odd))))
    for table in ("cd_notices", "storage", "people"):
        assert again.select(f"SELECT * FROM {table}") == odd.select(f"SELECT * FROM {table}")


def test_it_becomes_a_scenario_of_this_folder(
    tmp_path: Path, office: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = save(office)
    file = write_scenario(text, "after_lunch", tmp_path)
    assert file == tmp_path / "scenarios/after_lunch/seed.yaml"
    assert own_clock("after_lunch") == (office.now(), ZONE) and own_clock("office") is None
    made = AppServer(secret=FIXED_SECRET).create_world("main", Start("after_lunch", at_ms=office.now()))
    assert made.count(Person) == office.count(Person)
    for name, said in (
        ("after_lunch", "already"),
        ("office", "already"),
        ("../x", "no name"),
        ("A", "no name"),
    ):
        with pytest.raises(BadInput, match=said):
            write_scenario(text, name, tmp_path)
