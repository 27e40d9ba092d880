"""The everyday world: a small company, its people and their accounts."""
