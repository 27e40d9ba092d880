// Imported by a shared worker.
