"""The environment `relay`: a small job dispatcher that is to become safe to retry, to restart and to run
beside a sink that fails.

Its visible tests are one command, one process and one healthy sink each, and stay green through almost any
change. Each invariant is about a pair under a boundary: retry and commit, end and late command, commit and
outage, write and crash.
"""

from __future__ import annotations

from harness.code import CodeEnvironment, Instance, Witness
from harness.environment import Finding, NotGradable

env = CodeEnvironment(
    name="Relay",
    summary="A job dispatcher is made to stay right under retries, sink outages and crashes.",
    package="relay",
    store="relay.store",
    fault="RELAY_FAULT",
    fault_exit=86,
    locked=["tests/*.py", "relay/store.py", "relay/faults.py"],
    instances=[
        Instance("instance-1", ("I1", "I2", "I3", "I4")),
        Instance(
            "instance-2",
            ("I1", "I2", "I3", "I4", "I5"),
            adds="A notification that the sink rejects, however often, must not block the others, of the same"
            " job or of another: whatever the sink would accept is sent by the same call of `pump()`.",
        ),
    ],
    witnesses=[
        Witness(
            "seen-set-in-memory",
            "Keeps the results of commands in memory, so a restart forgets them.",
            fails=("I1",),
        ),
        Witness(
            "state-instead-of-a-record",
            "Takes a command for a retry only while its job is still where the command left it.",
            fails=("I1",),
        ),
        Witness(
            "only-successes-recorded",
            "Keeps the results of commands that were done; a refused one is tried anew when it comes again.",
            fails=("I1",),
        ),
        Witness(
            "payloads-not-compared",
            "Takes whatever comes under a known command id for a retry, whatever it says.",
            fails=("I1",),
        ),
        Witness(
            "result-recorded-apart",
            "Records a command's result in a transaction after its effect.",
            fails=("I1",),
        ),
        Witness(
            "refused-but-announced",
            "The guard of terminal states skips the job's row; the refused command is logged and announced.",
            fails=("I2",),
        ),
        Witness(
            "cancel-from-any-state",
            "Cancels whatever there is, jobs that have ended too.",
            fails=("I2",),
        ),
        Witness(
            "undone-when-not-announced",
            "Takes a command back when the sink did not accept its notification.",
            fails=("I3",),
        ),
        Witness(
            "gives-up-after-five-tries",
            "Drops a notification that was not accepted five times.",
            fails=("I3",),
        ),
        Witness(
            "a-refusal-is-final",
            "Takes an answer of 4xx for the sink's last word, and never sends that notification again.",
            fails=("I3",),
        ),
        Witness(
            "told-and-forgotten",
            "Sends after the commit, ignores what goes wrong, and keeps nothing to send again.",
            fails=("I3", "I4"),
        ),
        Witness(
            "pending-in-memory",
            "Keeps what is pending in a list of the process.",
            fails=("I3", "I4"),
        ),
        Witness(
            "pending-in-a-file",
            "Keeps what is pending in a file beside the database, where no transaction covers it.",
            fails=("I4",),
        ),
        Witness(
            "outbox-in-another-transaction",
            "Commits job and event first, and the pending notification after them.",
            fails=("I4",),
        ),
        Witness(
            "settled-before-sending",
            "Takes a notification off the outbox, sends it, and puts it back if that failed.",
            fails=("I4",),
        ),
        Witness(
            "sent-before-the-commit",
            "Sends the notification while the transaction of its event is still open.",
            fails=("I4",),
        ),
        Witness(
            "pump-stops-at-the-first-failure",
            "Ends a round of sending with the first notification that is not accepted.",
            fails=("I5",),
        ),
        Witness(
            "a-job-waits-for-its-oldest",
            "Keeps each job's notifications in order, so a rejected one holds up the rest of its job.",
            fails=("I5",),
        ),
        Witness(
            "a-visible-test-edited",
            "Loosens a visible test that was in the way.",
            breaks="locked-files-unchanged",
        ),
        Witness(
            "a-database-of-its-own",
            "Keeps results in a second database that it opens past the store.",
            breaks="sqlite-only-through-the-store",
        ),
    ],
    not_gradable=[
        NotGradable(
            "two processes on one database",
            "The contract has one process at a time; a race between two could not be repeated by count.",
        ),
        NotGradable(
            "a sink that is slow",
            "How long a solution may wait for an answer is a matter of time, which nothing is graded by.",
        ),
    ],
    findings=[
        Finding(
            "A pump that stops at the first failure passes instance-1",
            "fixed",
            "medium",
            "instance-1",
            "Its contract does not say what a rejected notification may hold up. Instance-2 says it, and I5"
            " tries it.",
        ),
        Finding(
            "The fault hook missed what was written by connection.execute",
            "fixed",
            "high",
            "task/relay/store.py",
            "sqlite3 makes its own cursor there. The connection hands on to the counting one now, and a test"
            " kills at every commit and write in each way of writing.",
        ),
    ],
)
