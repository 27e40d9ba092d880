"""What environments list as not gradable: routes that there are, and that no task writes by."""

from __future__ import annotations

import pytest

from harness.app import discover_services
from harness.discovery import discover_environments
from harness.environment import Environment, NotGradable
from harness.gradable import CLOSED, routes_of

ENTRIES = [
    (env, entry)
    for env in discover_environments().values()
    for entry in env.not_gradable
    if not entry.state.startswith(CLOSED)
]


@pytest.mark.parametrize(("env", "entry"), ENTRIES, ids=lambda each: getattr(each, "route", ""))
def test_an_open_entry_is_a_route_that_no_task_is_about(env: Environment, entry: NotGradable) -> None:
    assert entry.route in set(routes_of(discover_services()[env.product]))
    assert entry.route not in {task.route for task in env.tasks.values()}
    assert entry.reason


def test_closed_entries_say_how() -> None:
    closed = [e for env in discover_environments().values() for e in env.not_gradable if e.state != "open"]
    assert closed and all(entry.state.startswith(f"{CLOSED}: ") for entry in closed)
