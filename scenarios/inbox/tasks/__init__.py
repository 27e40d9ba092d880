"""The tasks of `inbox`."""
