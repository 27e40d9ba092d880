"""The environment `claims_desk`."""
