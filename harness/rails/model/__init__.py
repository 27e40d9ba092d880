"""The `model` rail: a small loop that lets a model act, at an endpoint that the environment names."""

from __future__ import annotations

from harness.rails.model.loop import by_model

__all__ = ["by_model"]
