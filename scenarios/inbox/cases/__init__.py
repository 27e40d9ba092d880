"""What lies in the mailbox for each task."""
