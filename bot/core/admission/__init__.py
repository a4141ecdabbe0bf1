"""Decides which interactions are answered."""
