"""What is true of the whole tree; each test finds by folder what it is about."""
