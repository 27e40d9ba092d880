"""The invariants of the relay. Each tries a solution in processes of its own, with a sink that counts."""

from __future__ import annotations

from harness.code import invariant
from harness.code.bench import Bench
from scenarios.relay.grader import crashing, ending, outages, poisoning, retrying


@invariant("I1", "Retries cannot create duplicate effects")
def retries(bench: Bench) -> None:
    """Commands, refused ones too, are sent again in the same process, after a restart and after a crash at
    each commit, when their jobs have moved on: the first result comes back, and one event is logged. A known
    id with another kind, job or payload is refused.
    """
    retrying.within_and_across(bench)
    retrying.reused(bench)
    retrying.after_each_commit(bench)


@invariant("I2", "Terminal transitions cannot regress")
def ends(bench: Bench) -> None:
    """Jobs are driven to every end, then get every command under a new id, in a seeded order, before and
    after a restart: each is refused, no state changes, nothing is logged, nothing is sent.
    """
    ending.late_commands(bench)


@invariant("I3", "Ancillary failure cannot veto the core operation")
def ancillary_failure(bench: Bench) -> None:
    """The sink refuses a hundred requests, and can't be reached for whole lives of the process: every command
    is committed and returns its result, and every event is announced once the sink is back.
    """
    outages.refused_so_often(bench)
    outages.down_for_a_life(bench)


@invariant("I4", "Crash and restart preserve the intended state")
def crashes(bench: Bench) -> None:
    """The process is killed after every commit, after every write before its commit, and at every send, the
    pump's too; after a restart, a pump and the clients' retries, jobs are where the log says, each command is
    one event, and the sink knows each event and nothing else.
    """
    crashing.at_every_fault(bench)
    crashing.while_pumping(bench)
    crashing.at_every_send(bench)


@invariant("I5", "A poisoned notification does not block the rest")
def poison(bench: Bench) -> None:
    """The sink rejects one notification, always: the others of its job and of other jobs are sent by the same
    pump, after restarts and after an outage, too.
    """
    poisoning.across_jobs_and_restarts(bench)
    poisoning.behind_it(bench)
