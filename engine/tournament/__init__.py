"""Tournaments as functions of their results: pairings and standings."""
