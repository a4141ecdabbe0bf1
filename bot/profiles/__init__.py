"""Profiles of players, and leaderboards."""
