"""Replay, animation and written record of a game."""
