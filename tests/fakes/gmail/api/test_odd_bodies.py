"""Whatever a body holds, a change is made whole or refused in the envelope and not made at all."""

from __future__ import annotations

from typing import Any

import httpx
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fakes.core.world import World
from fakes.gmail import store
from tests.fakes.gmail.api.asking import received
from tests.fakes.gmail.town import Cast

FIELDS = [
    "addLabelIds", "removeLabelIds", "add_label_ids", "ids", "name", "color", "messageListVisibility",
    "labelListVisibility", "textColor", "backgroundColor", "id", "type", "messagesTotal", "\0", "",
]  # fmt: skip
WORDS = [
    "INBOX", "SENT", "STARRED", "SNOOZED", "Label_1", "Label_", "Bills", "show", "labelHide", "#ffffff",
    "#FFF", "user", "", "/", "a/b", "\0", "0123456789abcdef", "MESSAGE", "x" * 300,
]  # fmt: skip

plain = (
    st.sampled_from(WORDS)
    | st.none()
    | st.booleans()
    | st.integers(-(1 << 63), (1 << 64) - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
)
values = st.recursive(
    plain,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(FIELDS), inner, max_size=3),
)
bodies = st.dictionaries(st.sampled_from(FIELDS), values, max_size=4)
METHODS = [
    "POST messages/MESSAGE/modify", "POST messages/batchModify", "POST messages/batchDelete",
    "POST threads/MESSAGE/modify", "POST labels", "PUT labels/Label_1", "PATCH labels/Label_1",
    "PUT labels/INBOX",
]  # fmt: skip


def _named(value: Any, message_id: str) -> Any:
    """The value with the message's own id where it says MESSAGE."""
    if isinstance(value, str):
        return value.replace("MESSAGE", message_id)
    if isinstance(value, list):
        return [_named(each, message_id) for each in value]
    if isinstance(value, dict):
        return {key: _named(each, message_id) for key, each in value.items()}
    return value


@settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(method=st.sampled_from(METHODS), body=bodies)
async def test_odd_bodies_are_no_crash(
    api: httpx.AsyncClient, world: World, cast: Cast, method: str, body: dict[str, Any]
) -> None:
    if store.own_label(world, cast.mira.id, "Label_1") is None:
        store.create_label(world, cast.mira.id, "Papers")
    mail = store.thread_in(world, cast.mira.id, _any_thread(world, cast))[0]
    journal, (verb, path) = world.journal.head(), method.replace("MESSAGE", mail.id).split(" ")
    answer = await api.request(verb, path, json=_named(body, mail.id))
    if answer.status_code in (200, 204):
        return
    assert answer.status_code in (400, 404, 409), answer.text
    assert answer.json()["error"]["code"] == answer.status_code
    assert world.journal.head() == journal


def _any_thread(world: World, cast: Cast) -> str:
    """A thread in the mailbox; another one if the last was deleted."""
    found = world.select("SELECT thread_id FROM gmail_messages WHERE owner = ? LIMIT 1", (cast.mira.id,))
    return str(found[0][0]) if found else received(world, cast).thread_id
