"""The methods that are faked: each resource's module says which of its methods it answers."""

from __future__ import annotations

from fakes.gmail.api import messages, users
from fakes.gmail.api.calls import Verb

FAKED: dict[str, Verb] = {**users.FAKED, **messages.FAKED}
