"""A small job dispatcher: commands move jobs, events are logged, and a sink is told of each."""

from relay.dispatcher import Dispatcher

__all__ = ["Dispatcher"]
