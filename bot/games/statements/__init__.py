"""Statements that are made once."""
