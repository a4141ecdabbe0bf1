"""Conditional moves: what a player plays if the opponent plays this or that."""
