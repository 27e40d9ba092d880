"""M2: interrupted, repeated, at once."""

from concurrent.futures import ThreadPoolExecutor

from harness.code import invariant
from harness.code.bench import Bench
from scenarios.ledger_migration.grader import oracle
from scenarios.ledger_migration.grader.ledgers import CALLS, Ledger, Ledgers, killed, migrate, to_the_end
from scenarios.ledger_migration.grader.payments import plain
from scenarios.ledger_migration.grader.reading import stored

FEW = 3


@invariant("M2", "Interrupted, repeated and doubled runs enter nothing twice")
def interrupted(bench: Bench) -> None:
    """The migration is run in bounded batches, and again when it is done; it is killed after every commit and
    every write and goes on in another process; two processes run it by turns, then at once. Each payment is
    entered once, an entry is never without its postings, and a finished migration changes nothing.
    """
    ledgers = Ledgers(bench)
    _bounded_and_repeated(ledgers.filled(plain(7)))
    start = ledgers.filled(plain(FEW))
    bench.every_crash(lambda fault: _crashed(start.copy(), fault))
    _by_turns(ledgers.filled(plain(9)))
    _at_once(ledgers.filled(plain(24)))


def _done(ledger: Ledger, count: int) -> oracle.Entries:
    found = stored(ledger.path)
    oracle.agree(found, oracle.entries(plain(count)), "when migrate() had returned 0")
    return found


def _bounded_and_repeated(ledger: Ledger) -> None:
    with ledger.survivor() as life:
        before = 0
        for _ in range(CALLS):
            converted = migrate(life, 3)
            now = len(stored(ledger.path))
            assert now - before <= 3, f"migrate(batch=3) added {now - before} entries"
            assert now - before == converted, (
                f"migrate(batch=3) returned {converted} and added {now - before}"
            )
            before = now
            if not converted:
                break
        done = _done(ledger, 7)
        assert migrate(life, 3) == 0, "a finished migration went on"
    with ledger.life() as life:
        assert migrate(life, 100) == 0, "a finished migration went on in a new process"
    assert stored(ledger.path) == done, "a finished migration changed the new tables"


def _crashed(ledger: Ledger, fault: str) -> bool:
    struck = killed(ledger, fault, to_the_end)
    _nothing_in_parts(ledger)
    with ledger.survivor() as life:
        to_the_end(life)
    _done(ledger, FEW)
    return struck


def _nothing_in_parts(ledger: Ledger) -> None:
    wanted = oracle.entries(plain(FEW))
    for id, entry in stored(ledger.path).items():
        assert entry == wanted.get(id), f"{id} was left as {entry}"


def _by_turns(ledger: Ledger) -> None:
    with ledger.survivor() as one, ledger.life() as other:
        for _ in range(CALLS):
            if not migrate(one, 2) + migrate(other, 2):
                break
    _done(ledger, 9)


def _at_once(ledger: Ledger) -> None:
    with ledger.survivor() as one, ledger.life() as other, ThreadPoolExecutor(2) as threads:
        list(threads.map(lambda life: to_the_end(life, 1), (one, other)))
    _done(ledger, 24)
