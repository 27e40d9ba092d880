"""Tests, in the folders of what they test; `shape` holds what is true of the whole tree."""
