"""Lookalike websites, each a service of a world."""
