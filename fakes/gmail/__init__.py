"""A fake of Gmail: its REST API for programs, and a mailbox of our own design for people."""

from __future__ import annotations

from fakes.gmail.service import service

__all__ = ["service"]
