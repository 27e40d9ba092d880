// Imported when asked for.
