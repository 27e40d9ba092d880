"""The entries and rollouts of code tasks."""

from __future__ import annotations

from harness.book.programs import code_entry
from harness.book.solution import differences
from harness.code.discovery import load_code_environment

DIFF = """--- a/relay/jobs.py
+++ b/relay/jobs.py
@@ -1,2 +1,2 @@
 import json
-old
+new
--- /dev/null
+++ b/relay/outbox.py
@@ -0,0 +1 @@
+++ odd
picture.bin differs, and is not text to be read here
"""


def test_a_diff_is_told_by_file() -> None:
    first, second, third = differences(DIFF)
    assert first == (
        "relay/jobs.py",
        [("place", "@@ -1,2 +1,2 @@"), ("same", " import json"), ("removed", "-old"), ("added", "+new")],
    )
    assert second[0] == "relay/outbox.py (new)" and third[0] == "picture.bin"


def test_an_entry_tells_which_witness_fails_what_and_what_was_added_later() -> None:
    env = load_code_environment("relay")
    entry = code_entry(env)
    assert entry.wrongs == len(env.witnesses) and entry.proof.total == len(env.witnesses) + len(env.tasks)
    one, two = entry.tasks
    later = {guard.name: guard.later for guard in two.own}
    assert later["I5"] == "added with instance-2" and not later["I1"]
    assert "I5" not in {guard.name for guard in one.own}
    told = {wrong.name: set(wrong.at) for wrong in two.wrongs if wrong.named}
    for name, witness in env.witnesses.items():
        assert told[name] == {*witness.fails, *filter(None, [witness.breaks])}
