"""users.settings: what a person has set, a module for each resource."""

from __future__ import annotations

from fakes.gmail.api.calls import Verb
from fakes.gmail.api.settings import clients, delegates, filters, forwarding, send_as, vacation

FAKED: dict[str, Verb] = {
    **clients.FAKED,
    **delegates.FAKED,
    **filters.FAKED,
    **forwarding.FAKED,
    **send_as.FAKED,
    **vacation.FAKED,
}
