"""Conditional moves as values: how they are followed through a game. Pure: no database, no Discord."""
