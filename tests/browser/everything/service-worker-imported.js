// Imported by a service worker.
