"""Drives a solution's dispatcher: opens it, hands it commands, has it pump."""

from __future__ import annotations

import os

from answering import serve

opened: list = []


def handle(value: dict) -> object:
    """`{"open": DATABASE, "sink": URL}`, then `{"handle": COMMAND}` and `{"pump": true}`."""
    if "open" in value:
        from relay import Dispatcher

        opened.append(Dispatcher(value["open"], value["sink"]))
    elif "handle" in value:
        return opened[0].handle(value["handle"])
    else:
        opened[0].pump()
    return None


serve(handle)
for dispatcher in opened:
    dispatcher.close()
os._exit(0)  # a closed dispatcher has nothing left to do, and an interpreter takes long to end
