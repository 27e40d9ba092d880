"""The mailbox itself: profile and labels."""

from __future__ import annotations

from typing import Any

from fakes.gmail import store
from fakes.gmail.api.calls import Call
from fakes.gmail.rules.labels import system_labels


async def get_profile(call: Call) -> dict[str, Any]:
    """users.getProfile: address, totals and the newest history id."""
    mailbox = store.mailbox_of(call.world, call.person.id)
    return {
        "emailAddress": call.person.email,
        "messagesTotal": mailbox.messages_total,
        "threadsTotal": mailbox.threads_total,
        "historyId": str(mailbox.history_id),
    }


async def list_labels(call: Call) -> dict[str, Any]:
    """users.labels.list: the system labels; there are no others yet."""
    return {"labels": system_labels()}


FAKED = {"users.getProfile": get_profile, "users.labels.list": list_labels}
