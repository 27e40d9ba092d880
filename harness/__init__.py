"""Serves worlds, drives agents and people through them, and grades what they leave behind."""
