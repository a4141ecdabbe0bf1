"""Deletion of what is stored about a user."""
