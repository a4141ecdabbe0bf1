"""Samples of the pictures of tournaments, with everything that they can show: for tests and the documentation."""
