"""The mailbox itself: its profile."""

from __future__ import annotations

from typing import Any

from fakes.gmail import store
from fakes.gmail.api.calls import Call


async def get_profile(call: Call) -> dict[str, Any]:
    """users.getProfile: address, totals and the newest history id."""
    mailbox = store.mailbox_of(call.world, call.person.id)
    return {
        "emailAddress": call.person.email,
        "messagesTotal": mailbox.messages_total,
        "threadsTotal": mailbox.threads_total,
        "historyId": str(mailbox.history_id),
    }


FAKED = {"users.getProfile": get_profile}
