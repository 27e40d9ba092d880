// A classic script.
