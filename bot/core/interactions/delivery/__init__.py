"""Delivers answers to Discord, and finds out whether a doubtful one has arrived."""
