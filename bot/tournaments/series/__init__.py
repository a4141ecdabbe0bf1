"""Tournaments that repeat: the next one of a series, and the points of its season."""
