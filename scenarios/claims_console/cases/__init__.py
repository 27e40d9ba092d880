"""The console's cases: what each task is about, and what it might be taken for."""
