"""Writes that go out together, which constraint one has violated, and locks of users."""
