"""Limits on the requests of one person, one pair and one server."""
