"""The environment `relay`."""
