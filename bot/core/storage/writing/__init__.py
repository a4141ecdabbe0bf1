"""Writing: announcements of a transaction, the constraint that it has violated, and locks of users."""
