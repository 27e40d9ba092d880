"""The tests that everybody sees: `python -m unittest`."""
