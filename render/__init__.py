"""Positions as pictures, and their alternative texts."""
