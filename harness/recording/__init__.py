"""Recording: what a person does at a task's pages, as a first draft of its reference."""
