// Imported by a module.
