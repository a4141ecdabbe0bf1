"""Recognises faults of the database, and says what they are."""
