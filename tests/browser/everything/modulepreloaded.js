// Preloaded as a module.
