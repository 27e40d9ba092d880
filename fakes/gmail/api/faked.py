"""The methods that are faked: each resource's module says which of its methods it answers."""

from __future__ import annotations

from fakes.gmail.api import (
    attachments,
    drafts,
    history,
    importing,
    labels,
    messages,
    modifying,
    settings,
    threads,
    users,
    watching,
)
from fakes.gmail.api.calls import Verb

FAKED: dict[str, Verb] = {
    **users.FAKED,
    **messages.FAKED,
    **modifying.FAKED,
    **attachments.FAKED,
    **threads.FAKED,
    **labels.FAKED,
    **history.FAKED,
    **drafts.FAKED,
    **importing.FAKED,
    **settings.FAKED,
    **watching.FAKED,
}
