"""The environment `claims_console`."""
