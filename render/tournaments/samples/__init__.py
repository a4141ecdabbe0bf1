"""Samples of the pictures of tournaments, with all their parts: for tests and the documentation."""
