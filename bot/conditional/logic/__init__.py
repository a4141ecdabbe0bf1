"""Conditional moves as values, and their course through a game. Pure: no database, no Discord."""
