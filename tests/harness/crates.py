"""An environment in a folder of its own, which processes that are spawned there find as they find ours.

Its seed draws: a label out of `labels`, and a day.
"""

from __future__ import annotations

from pathlib import Path

FILES = {
    "sites/toy/__init__.py": """
from tests.harness.toy import SERVICES

service = SERVICES["toy"]
""",
    "scenarios/crates/__init__.py": "",
    "scenarios/crates/seed.py": """
from dataclasses import replace

from tests.harness import toy
from tests.harness.toy import Facts


def seed(w):
    facts = toy.seed(w)
    return replace(facts, label=w.rng.choice(["Lamps", "Rugs", "Vases"]), due=w.day(w.rng.randint(4, 5)))
""",
    "scenarios/crates/environment.py": """
from harness.environment import Environment
from scenarios.crates.seed import Facts, seed

env = Environment(name="Crates", product="toy", facts=Facts, seed=seed)
""",
    "scenarios/crates/tasks/__init__.py": "",
    "scenarios/crates/tasks/put_a_box.py": """
from scenarios.crates.environment import env
from tests.harness.toy_tasks import put_a_box

task = put_a_box(env)
""",
}

SECOND = """
from scenarios.crates.environment import env
from tests.harness.toy import Box

task = env.task(
    slug="put-another", surface="api", route="POST /api/boxes", writes={Box}, along={"toy_log": "the log"},
    actors={"desk": "mira"}, instruction="Put {label} there.",
)
task.subject(Box, "one-box", lambda row, facts: row.label == facts.label)


@task.reference
async def honest(desk, facts):
    BODY
    await desk.post("/api/boxes", json={"label": facts.label})
"""


def make(folder: Path, *, second: str | None = None) -> Path:
    """Writes it; `second` is the first line that the reference of a second task does."""
    files = dict(FILES)
    if second is not None:
        files["scenarios/crates/tasks/put_another.py"] = SECOND.replace("BODY", second)
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text.lstrip())
    return folder
