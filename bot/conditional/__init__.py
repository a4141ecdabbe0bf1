"""Conditional moves: replies that a player sets in advance for certain turns of the opponent."""
