"""Conditional moves as values, and how a game is followed through them. Pure: no database, no Discord."""
