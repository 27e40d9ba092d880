"""The book's pages: what they say, what they must not say, and that they are printed once."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from fakes.core.people import Person, password
from harness.archive.records import Records, Run
from harness.book.printing import print_book
from harness.book.worlds import environment_entry
from harness.bundle import Bundle
from harness.discovery import find_task, load_environment
from harness.driver import Driver
from harness.evidence import OpenEvidence
from harness.hiding import secrets_of
from tests.harness.book.shelf import HOSTILE, PNG, RUN, SERVICES, TASK, careless, desk, records


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an archive's bundles, and its book in book/."""
    data = tmp_path_factory.mktemp("shelf")
    print_book([desk()], records(data), data, data / "book", SERVICES)
    return data


@pytest.fixture
def book(shelf: Path) -> Path:
    return shelf / "book"


def text(page: Path) -> str:
    """What a page says, without its tags."""
    return " ".join(re.sub(r"<[^>]+>", " ", page.read_text()).split())


def test_the_index_has_the_totals(book: Path) -> None:
    said = text(book / "index.html")
    assert "Tasks 4 Guards 25 Named cheats 16 Scores recorded 2 Tasks never run 3" in said
    assert "findings: 0 open of 2 · not gradable: 4" in said


def test_an_environment_lists_each_guard_and_cheat(book: Path) -> None:
    said = text(book / "environments" / "claims_desk.html")
    entry = desk()
    for task in entry.tasks:
        assert all(guard.name in said and guard.sentence.replace("'", "&#39;") in said for guard in task.own)
        assert all(wrong.name in said for wrong in task.wrongs)
    assert "Not gradable: 4" in said and "Findings: 0 open of 2" in said and "cd_fact_answers" in said


def test_the_matrix_says_which_guards_refuse(book: Path) -> None:
    page = (book / "environments" / f"{TASK}.html").read_text()
    assert 'title="printed-deadline-kept refuses make-the-dates-agree"' in page
    assert "disagreement-surfaced refuses it too: the two dates were made the same" in page
    assert page.count('class="hit"') == 5 and page.count('class="too"') == 2


def test_a_stale_proof_counts_for_nothing(shelf: Path, tmp_path: Path) -> None:
    entry = desk()
    stale = replace(entry, proof=replace(entry.proof, state="stale", proved=0))
    print_book([stale], Records(), shelf, tmp_path, SERVICES)
    assert "Graders proved 0/20" in text(tmp_path / "index.html")
    assert "unproved: changed since" in text(tmp_path / "environments" / "claims_desk.html")


def test_a_rollout_shows_the_row_that_decided(book: Path) -> None:
    page = (book / "rollouts" / "1.html").read_text()
    anchor = re.search(r'decided by <a href="#(row-\w+)"><code>cd_notices ', page)
    assert anchor and f'id="{anchor[1]}" open' in page
    said = text(book / "rollouts" / "1.html")
    assert "decided right-claimant" in said and "POST /sites/claims_desk/api/notices" in said
    assert "Contract gap" in said and "Graded again" in said and "by revision bbbb" in said


def test_a_grader_error_is_no_score(book: Path) -> None:
    said = text(book / "runs" / "1-careless.html")
    assert "Passed 0/2" in said and "Grader errors, no score 1" in said
    assert "neither for nor against anybody" in text(book / "rollouts" / "2.html")


def test_a_task_keeps_who_acted_apart(tmp_path: Path) -> None:
    found = records(tmp_path)
    careful = Run("2-careful", RUN.begun_ms, None, (TASK,), Driver(model="careful"))
    lost = replace(found.rollouts[0], id=20, bundle=None, gradings=())
    done = [replace(lost, id=10 + n, run=careful.id, number=n, state="passed") for n in (1, 2)]
    print_book([desk()], Records((RUN, careful), (lost, *done)), tmp_path, tmp_path / "book", SERVICES)
    said = text(tmp_path / "book" / "environments" / f"{TASK}.html")
    assert "careless Passed 0/1" in said and "careful Passed 2/2 100 %" in said
    assert "pass@k one of k passes 100 % 100 %" in said and "33 %" not in said and "67 %" not in said


def test_what_anyone_wrote_is_text_and_leads_nowhere(book: Path) -> None:
    for page in book.rglob("*.html"):
        assert HOSTILE not in page.read_text(), page
        assert not re.search(r'(?:href|src|action)="(?:/|[a-z]+:)', page.read_text()), page
    assert "outside of its folder" in text(book / "rollouts" / "3.html")
    assert {path.name for path in book.parent.iterdir()} == {"book", "wrong.zip"}


def test_pictures_go_by_their_bytes(book: Path) -> None:
    shown = book / "rollouts" / "1"
    assert [path.name for path in shown.iterdir()] == ["picture-1.png"]
    assert (shown / "picture-1.png").read_bytes() == PNG
    assert "shots/desk-002.png" in text(book / "rollouts" / "1.html")


def test_no_secret_of_the_world_is_printed(book: Path) -> None:
    evidence = Bundle(careless()).evidence(find_task(TASK), SERVICES)
    with OpenEvidence(evidence, SERVICES) as (_, after):
        requests = after.log.rows()
        known = {*secrets_of(after, requests), *(password(after, p.email) for p in after.all(Person))}
    page = (book / "rollouts" / "1.html").read_text()
    assert len(known) > 20 and not [secret for secret in known if secret in page]
    assert "I have [hidden] and [hidden]" in page


def test_links_lead_to_pages_and_places(book: Path) -> None:
    for page in book.rglob("*.html"):
        for link in re.findall(r'(?:href|src)="([^"]+)"', page.read_text()):
            path, _, place = link.partition("#")
            target = (page.parent / path).resolve() if path else page
            assert target.is_file(), f"{page.name}: {link}"
            assert not place or f'id="{place}"' in target.read_text(), f"{page.name}: {link}"


def test_what_did_not_change_is_not_read_again(tmp_path: Path) -> None:
    kept, out = records(tmp_path), tmp_path / "book"
    assert print_book([desk()], kept, tmp_path, out, SERVICES).rollouts == 3
    assert print_book([desk()], kept, tmp_path, out, SERVICES).rollouts == 0
    (out / "mine.txt").write_text("not the book's")
    fewer = replace(kept, rollouts=kept.rollouts[1:])
    print_book([desk()], fewer, tmp_path, out, SERVICES)
    assert not (out / "rollouts" / "1.html").exists() and (out / "mine.txt").exists()
    assert not list((out / "rollouts").rglob("*.png"))


def test_an_instruction_is_filled_in_for_the_base_world() -> None:
    from harness.book.worlds import teller

    env = load_environment("claims_desk")
    told = {task.name: task.told for task in environment_entry(env, SERVICES, teller(env, SERVICES)).tasks}
    assert "Dana Whitfield" in told[TASK] and "{" not in told[TASK]


def test_what_never_ran_was_refused_by_nobody(tmp_path: Path) -> None:
    """Its world was graded as it stood at the start, which says nothing of who was to act."""
    kept = records(tmp_path)
    one = kept.rollouts[0]
    print_book([desk()], kept, tmp_path, tmp_path / "ran", SERVICES)
    unstarted = replace(kept, rollouts=(replace(one, state="not-run"),))
    print_book([desk()], unstarted, tmp_path, tmp_path / "not", SERVICES)
    pages = [(tmp_path / which / "runs" / f"{one.run}.html").read_text() for which in ("ran", "not")]
    told = [re.findall(r'<td class="guards">(.*?)</td>', page) for page in pages]
    assert any("right-claimant" in cell for cell in told[0]) and told[1] == [""]
