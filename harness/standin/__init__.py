"""The stand-in: a scripted agent in a process of its own, so that rails are tried without a model."""
