"""Challenges and rematches."""
