// Imported by a module worker.
